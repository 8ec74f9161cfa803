public import PushCore

/// What a call that was let in is answered with.
public enum SessionAnswer: Sendable {
    /// It is done, and there is nothing to tell.
    case done
    /// The device's tags.
    case tags(Set<Tag>)
    /// Some of the device's tags, and how many there are.
    case page(TagPage)
    /// Whether the device has the tag.
    case hasTag(Bool)
    /// The device's alias, nil for none.
    case alias(Alias?)
    /// Both halves of a call about tags and alias.
    case halves(SessionHalves)
    /// The attributes are changed, but for these, which the app does not have.
    case rejected(Set<String>)
}

/// Some of the tags of a device, in the order of their bytes.
///
/// Each page is cut out of a new list: tags that come or go between two pages move the others, and `total` may change.
public struct TagPage: Sendable, Hashable {
    /// The tags from the offset on.
    public var tags: [Tag]
    /// How many tags the device has.
    public var total: Int
}

/// What became of each half of a call about tags and alias, which vendors take in two requests.
public struct SessionHalves: Sendable {
    /// What became of a half.
    public enum State: Sendable {
        /// The call leaves it as it is.
        case untouched
        /// It is set or cleared.
        case done
        /// It failed.
        case failed(PushError)
        /// It was not tried, because the other half failed.
        case notAttempted
    }

    /// The tags.
    public internal(set) var tags = State.untouched
    /// The alias.
    public internal(set) var alias = State.untouched

    /// The half that failed; nil when both are as the call wants them.
    public var failure: SessionFault? {
        if case .failed(let error) = tags { return SessionFault(error, about: .tags) }
        if case .failed(let error) = alias { return SessionFault(error, about: .alias) }
        return nil
    }
}

/// How a session carries a call out at its vendor.
public enum SessionSupport: Sendable, Hashable {
    /// By the vendor's own call, or by the device.
    case native
    /// From other calls, with what there is to know; one that loses something needs the consent of the client's
    /// settings.
    case emulated(String, needsConsent: Bool)
    /// Only a device can do it, and the session has none.
    case needsHost
    /// Not at all, and why.
    case refused(String)
}
