/// One part of a `multipart/form-data` body.
public struct WirePart: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case bytes([UInt8])
        /// A file, read while it is sent.
        case file(String)
    }

    public var name: String
    public var content: Content
    public var fileName: String?
    public var contentType: String?

    public init(_ name: String, _ content: Content, fileName: String? = nil, contentType: String? = nil) {
        self.name = name
        self.content = content
        self.fileName = fileName
        self.contentType = contentType
    }
}
