/// One part of a `multipart/form-data` body.
public struct WirePart: Sendable, Hashable {
    /// Where the bytes of a part come from.
    public enum Content: Sendable, Hashable {
        /// These bytes, from memory.
        case bytes([UInt8])
        /// A file, read while it is sent.
        case file(String)
    }

    /// The name of the form's field.
    public var name: String
    /// The contents of the part.
    public var content: Content
    /// The file name to send to the vendor; nil leaves it to the transport.
    public var fileName: String?
    /// The media type of the part; nil leaves it to the transport.
    public var contentType: String?

    /// A part of a form, by the name of its field.
    public init(_ name: String, _ content: Content, fileName: String? = nil, contentType: String? = nil) {
        self.name = name
        self.content = content
        self.fileName = fileName
        self.contentType = contentType
    }
}
