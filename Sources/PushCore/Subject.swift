/// What a vendor's pace or a client's serialisation counts on.
public enum Subject: Sendable, Hashable {
    /// One device, by the vendor's id.
    case device(DeviceID)
    /// One alias, whichever devices have it.
    case alias(Alias)
    /// One tag, whichever devices have it.
    case tag(Tag)
}
