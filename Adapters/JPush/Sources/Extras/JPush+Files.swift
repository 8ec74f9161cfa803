import JiguangDialect
public import PushAdapter

/// The kind of ids in a file.
public enum JPushFileKind: String, Sendable, Hashable {
    /// Aliases, one per line.
    case alias
    /// Registration ids, one per line.
    case device = "registration_id"
}

/// A file of ids stored by the vendor.
public struct JPushFile: Sendable, Hashable, Decodable {
    /// The vendor's `file_id`, for `Audience.file`.
    public let id: String
    /// The file's name at the upload; nil if the vendor omits it.
    public let name: String?
    /// The vendor's word for the kind of ids.
    public let type: String?
    /// The time of the upload, in the vendor's form.
    public let createdAt: JSONValue?
    /// When the vendor deletes the file, in the vendor's form.
    public let expiresAt: JSONValue?

    private enum CodingKeys: String, CodingKey {
        case type
        case id = "file_id"
        case name = "file_name"
        case createdAt = "create_time"
        case expiresAt = "expire_time"
    }
}

extension JPush {
    /// `POST /v3/files/alias` or `/v3/files/registration_id`: uploads a text file, one id per line, for
    /// `Audience.file`.
    ///
    /// The client reads the file while it sends it. At most 10 MB, UTF-8; the vendor checks both. The client does not
    /// retry after a lost response, because a second upload would create a second file.
    /// - Parameters:
    ///   - path: the path of the file on this machine.
    ///   - kind: the kind of ids in the lines.
    ///   - hours: how long the vendor keeps the file, 1 to 720.
    public func uploadFile(
        _ path: String, listing kind: JPushFileKind, keptFor hours: Int = 720
    ) throws(PushError) -> Exchange<String> {
        guard (1...720).contains(hours) else {
            throw PushError(.invalidArgument, "the vendor keeps a file for 1 to 720 hours, not \(hours)")
        }
        guard !path.isEmpty else { throw PushError(.invalidArgument, "the path of the file is empty") }
        let parts = [
            WirePart("filename", .file(path), fileName: "ids.txt", contentType: "text/plain"),
            WirePart("ttl", .bytes(Array(String(hours).utf8))),
        ]
        return api.call(
            .jpushUploadFile,
            WireRequest(.post, .jpushFiles, path: [.literal(kind.rawValue)], body: .multipart(parts)), .unkeyed
        ) { (response) throws(PushError) in
            struct Reply: Decodable {
                var id: String
                enum CodingKeys: String, CodingKey { case id = "file_id" }
            }
            return try response.json(Reply.self).id
        }
    }

    /// `GET /v3/files`: lists the files that have not expired. An app has at most twenty.
    public func listFiles() -> Exchange<[JPushFile]> {
        api.call(.jpushListFiles, WireRequest(.get, .jpushFiles)) {
            (response) throws(PushError) in
            struct Reply: Decodable {
                var files: [JPushFile]
            }
            return try response.json(Reply.self).files
        }
    }

    /// `GET /v3/files/{file_id}`: reads the entry of one file.
    public func readFile(_ id: String) -> Exchange<JPushFile> {
        api.call(.jpushReadFile, WireRequest(.get, .jpushFiles, path: [.value(id)])) {
            (response) throws(PushError) in try response.json(JPushFile.self)
        }
    }

    /// `DELETE /v3/files/{file_id}`: removes a file. Succeeds for an unknown id. Wait at least five minutes after a
    /// push to the file.
    public func removeFile(_ id: String) -> Exchange<Void> {
        api.call(.jpushRemoveFile, WireRequest(.delete, .jpushFiles, path: [.value(id)]), decode: api.done)
    }
}
