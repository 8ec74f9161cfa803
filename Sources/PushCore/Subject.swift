/// What a vendor's pace or a client's serialisation counts on.
public enum Subject: Sendable, Hashable {
    case device(DeviceID)
    case alias(Alias)
    case tag(Tag)
}
