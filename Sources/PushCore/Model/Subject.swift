/// The device, alias or tag that a vendor's minimum interval, or a client's serialization, applies to.
public enum Subject: Sendable, Hashable {
    /// One device, by the vendor's id.
    case device(DeviceID)
    /// One alias, whichever devices have it.
    case alias(Alias)
    /// One tag, whichever devices have it.
    case tag(Tag)
}
