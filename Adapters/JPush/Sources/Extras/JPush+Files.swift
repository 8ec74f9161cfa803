public import PushCore

/// What a file lists.
public enum JPushFileKind: String, Sendable, Hashable {
    /// Aliases, one a line.
    case alias
    /// Registration ids, one a line.
    case device = "registration_id"
}

/// A file of ids that the vendor keeps.
public struct JPushFile: Sendable, Hashable, Decodable {
    /// The vendor's `file_id`, which `Audience.file` takes.
    public let id: String
    /// What the file was called when it was uploaded; nil where the vendor leaves it out.
    public let name: String?
    /// The vendor's word for what it lists.
    public let type: String?
    /// As the vendor writes it.
    public let createdAt: JSONValue?
    /// The end of the hours that it is kept for, as the vendor writes it.
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
    /// `POST /v3/files/alias` or `/v3/files/registration_id`: uploads a text file with one id a line, for
    /// `Audience.file`.
    ///
    /// The file is read while it is sent; at most 10 MB, UTF-8, which the vendor checks. A lost answer is not repeated:
    /// a second upload would be a second file.
    /// - Parameters:
    ///   - path: of the file on this machine.
    ///   - kind: what the lines are.
    ///   - hours: for which the vendor keeps it, 1 to 720.
    public func uploadFile(
        _ path: String, listing kind: JPushFileKind, keptFor hours: Int = 720
    ) throws(PushError) -> Exchange<String> {
        guard (1...720).contains(hours) else {
            throw PushError(.invalidArgument, "a file is kept for 1 to 720 hours, not \(hours)")
        }
        guard !path.isEmpty else { throw PushError(.invalidArgument, "there is no path of a file") }
        let parts = [
            WirePart("filename", .file(path), fileName: "ids.txt", contentType: "text/plain"),
            WirePart("ttl", .bytes(Array(String(hours).utf8))),
        ]
        return call(
            .jpushUploadFile,
            WireRequest(.post, .jpushFiles, path: [.literal(kind.rawValue)], body: .multipart(parts)), .unkeyed,
            from: .jpushFiles
        ) { (response) throws(PushError) in
            struct Reply: Decodable {
                var id: String
                enum CodingKeys: String, CodingKey { case id = "file_id" }
            }
            return try response.json(Reply.self).id
        }
    }

    /// `GET /v3/files`: the files that have not expired; an app has at most twenty.
    public func listFiles() -> Exchange<[JPushFile]> {
        call(.jpushListFiles, WireRequest(.get, .jpushFiles), .idempotent, from: .jpushFiles) {
            (response) throws(PushError) in
            struct Reply: Decodable {
                var files: [JPushFile]
            }
            return try response.json(Reply.self).files
        }
    }

    /// `GET /v3/files/{file_id}`.
    public func readFile(_ id: String) -> Exchange<JPushFile> {
        call(.jpushReadFile, WireRequest(.get, .jpushFiles, path: [.value(id)]), .idempotent, from: .jpushFiles) {
            (response) throws(PushError) in try response.json(JPushFile.self)
        }
    }

    /// `DELETE /v3/files/{file_id}`: an unknown id counts as removed. Not sooner than five minutes after a push that
    /// uses it.
    public func removeFile(_ id: String) -> Exchange<Void> {
        call(
            .jpushRemoveFile, WireRequest(.delete, .jpushFiles, path: [.value(id)]), .idempotent, from: .jpushFiles,
            decode: Self.expectNothing)
    }
}
