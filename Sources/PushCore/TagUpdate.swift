/// One change of a device's tags.
public enum TagUpdate: Sendable, Hashable {
    /// Gives the device these tags beside those it has.
    case add(Set<Tag>)
    /// Takes these tags off the device and leaves the others.
    case remove(Set<Tag>)
    /// Makes the device's tags exactly this set.
    case replace(Set<Tag>)
    /// Takes all tags off the device.
    case clear

    /// The feature a provider needs for it.
    public var feature: Feature {
        switch self {
        case .add: .addTags
        case .remove: .removeTags
        case .replace: .replaceTags
        case .clear: .clearTags
        }
    }

    /// The tags it names; none for `clear`.
    public var tags: Set<Tag> {
        switch self {
        case .add(let tags), .remove(let tags), .replace(let tags): tags
        case .clear: []
        }
    }
}
