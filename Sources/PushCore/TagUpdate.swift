/// One change of a device's tags.
public enum TagUpdate: Sendable, Hashable {
    case add(Set<Tag>)
    case remove(Set<Tag>)
    /// Makes the device's tags exactly this set.
    case replace(Set<Tag>)
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
