/// One change to the devices that have a tag.
public enum MemberUpdate: Sendable, Hashable {
    /// Gives these devices the tag.
    case add([DeviceID])
    /// Takes the tag from these devices.
    case remove([DeviceID])

    /// The devices it names, in order.
    public var devices: [DeviceID] {
        switch self {
        case .add(let devices), .remove(let devices): devices
        }
    }

    /// The feature that a provider needs for it.
    public var feature: Feature {
        switch self {
        case .add: .addMembers
        case .remove: .removeMembers
        }
    }

    /// The same kind of change for other devices.
    package func with(_ devices: [DeviceID]) -> MemberUpdate {
        switch self {
        case .add: .add(devices)
        case .remove: .remove(devices)
        }
    }

    /// The change to the tags of each of the devices.
    package func tagUpdate(_ tag: Tag) -> TagUpdate {
        switch self {
        case .add: .add([tag])
        case .remove: .remove([tag])
        }
    }
}
