import FoundationEssentials

extension Secret {
    /// Reads the bytes of a file, and leaves no other copy of them. Refuses an unreadable file with `misconfigured`.
    /// - Parameters:
    ///   - path: the file's path.
    ///   - name: the file's role, for the error: `the service account`.
    public init(contentsOf path: String, named name: String) throws(PushError) {
        guard var data = try? Data(contentsOf: URL(filePath: path)) else {
            throw PushError(.misconfigured, "\(name): the file \(Redaction.quoted(path)) cannot be read")
        }
        self.init(data)
        data.withUnsafeMutableBytes { $0.wipe() }
    }

    /// The text of a credential without a byte-order mark, which editors on Windows put at its start.
    ///
    /// Refuses UTF-16 with `misconfigured`, because no reader takes it for JSON or PEM.
    /// - Parameter name: the text's role, for the error: `the service account`.
    public func withoutMark(named name: String) throws(PushError) -> Secret {
        let (isUTF16, hasMark) = withBytes { (ByteOrderMark.isUTF16($0), ByteOrderMark.begins($0)) }
        guard !isUTF16 else { throw PushError(.misconfigured, "\(name) is UTF-16; save it as UTF-8") }
        return hasMark ? withBytes { Secret($0.dropFirst(ByteOrderMark.utf8.count)) } : self
    }
}
