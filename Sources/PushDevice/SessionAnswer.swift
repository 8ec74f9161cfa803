public import PushAdapter

/// The answer to an accepted call.
public enum SessionAnswer: Sendable {
    /// The call succeeded and returns nothing.
    case done
    /// The device's tags.
    case tags(Set<Tag>)
    /// Some of the device's tags, and how many it has.
    case page(TagPage)
    /// Whether the device has the tag.
    case hasTag(Bool)
    /// The device's alias, nil for none.
    case alias(Alias?)
    /// Both halves of a call about tags and alias.
    case halves(SessionHalves)
    /// The attributes are changed, except these, which the app does not have.
    case rejected(Set<String>)
}

/// Some of the tags of a device, in byte order.
///
/// Each page comes from a new list: tags added or removed between two pages shift the others, and `total` may change.
public struct TagPage: Sendable, Hashable {
    /// The tags from the offset on.
    public var tags: [Tag]
    /// How many tags the device has.
    public var total: Int
}

/// The result of each half of a call about tags and alias. A vendor that takes both in one request does both or neither.
public struct SessionHalves: Sendable {
    /// The result of a half.
    public enum State: Sendable {
        /// The call does not change it.
        case untouched
        /// It is set or cleared.
        case done
        /// It failed.
        case failed(PushError)
        /// It was not attempted, because the other half failed.
        case notAttempted
    }

    /// The tags.
    public internal(set) var tags = State.untouched
    /// The alias.
    public internal(set) var alias = State.untouched

    /// The fault of the half that failed, or of both; nil when both are as the call wants them.
    public var failure: SessionFault? {
        if case .failed(let error) = tags, case .failed = alias { return SessionFault(error, about: .tagsAndAlias) }
        if case .failed(let error) = tags { return SessionFault(error, about: .tags) }
        if case .failed(let error) = alias { return SessionFault(error, about: .alias) }
        return nil
    }
}

/// How a session makes a call at its vendor.
public enum SessionSupport: Sendable, Hashable {
    /// With the vendor's own call, or on the device.
    case native
    /// From other calls, with the caveats. An emulation that loses something needs the consent of the client's
    /// settings.
    case emulated(String, needsConsent: Bool)
    /// Only a device can do it, and the session has no host.
    case needsHost
    /// Not at all, with the reason.
    case refused(String)
}
