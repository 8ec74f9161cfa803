/// A change of several things of a device in one request; nil leaves a thing as it is.
///
/// ```swift
/// let update = DeviceUpdate(tags: .replace(["vip"]), alias: .set("ann"))
/// _ = try await client.updateDevice(update, of: device)
/// ```
public struct DeviceUpdate: Sendable, Hashable {
    /// A change to a text that a device has at most one of: its alias or its phone number.
    public enum Change<Value: Sendable & Hashable>: Sendable, Hashable {
        /// Replaces the old text; an empty one is refused.
        case set(Value)
        /// Removes it from the device.
        case clear
    }

    /// The tags.
    public var tags: TagUpdate?
    /// Removed in the same request that adds other tags; no tag may be in both.
    public var removedTags: Set<Tag>
    /// The alias.
    public var alias: Change<Alias>?
    /// The phone number.
    public var phone: Change<PhoneNumber>?

    /// Changes the given things; ``check()`` refuses an empty change.
    public init(
        tags: TagUpdate? = nil, removing removedTags: Set<Tag> = [], alias: Change<Alias>? = nil,
        phone: Change<PhoneNumber>? = nil
    ) {
        self.tags = tags
        self.removedTags = removedTags
        self.alias = alias
        self.phone = phone
    }

    /// Refuses, with `invalidArgument`, an update in which nothing is set; ``removedTags`` unless ``tags`` adds others,
    /// none of them in both; and an empty alias or phone number. For adapters.
    public func check() throws(PushError) {
        guard self != DeviceUpdate() else { throw PushError(.invalidArgument, "the device update changes nothing") }
        if !removedTags.isEmpty {
            guard case .add(let added) = tags, !added.isEmpty, added.isDisjoint(with: removedTags) else {
                throw PushError(
                    .invalidArgument,
                    "removedTags needs other tags to add, none of them in both; to only remove, use .remove")
            }
        }
        guard alias != .set(""), phone != .set("") else {
            throw PushError(.invalidArgument, "an empty alias or phone number would clear it; to clear it, use .clear")
        }
    }
}
