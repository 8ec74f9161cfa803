public import PushCore

/// A list of devices or accounts that was uploaded to TPNS.
public struct TPNSPackage: Sendable, Hashable {
    /// What its lines are.
    public enum Kind: String, Sendable, Hashable {
        /// One account a line, 2 to 100 characters.
        case accounts = "account"
        /// One token a line.
        case devices = "token"

        var audienceType: String { "package_\(rawValue)_push" }
    }

    /// The vendor's `uploadId`.
    public var id: Int
    /// What its lines are; the vendor learns it with the push.
    public var kind: Kind

    /// A package that was uploaded before.
    public init(_ id: Int, of kind: Kind) {
        self.id = id
        self.kind = kind
    }

    /// For sending: `Audience.file` with the kind and the id, such as `token:11231`.
    public var audience: Audience { .file("\(kind.rawValue):\(id)") }

    init(reading text: String) throws(PushError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let id = Int(parts[1]), id >= 0 else {
            throw PushError(
                .invalidArgument, "an uploaded list of TPNS is written account:11231 or token:11231; see TPNSPackage")
        }
        self.init(id, of: kind)
    }
}

extension TPNS {
    /// `POST /v3/push/package/upload`: uploads a list for ``TPNSPackage/audience``.
    ///
    /// UTF-8, one account or token a line, in a txt or csv file or in a zip of exactly one; under 100 MB, which the vendor checks.
    /// The file is read while it is sent, with HTTP Basic. A lost answer is not repeated: a second upload would be a second package.
    /// Refuses another ending and a name of more than 100 characters.
    /// - Parameters:
    ///   - path: of the file on this machine.
    ///   - kind: what its lines are.
    public func upload(_ path: String, of kind: TPNSPackage.Kind) throws(PushError) -> Exchange<TPNSPackage> {
        let name = String(path.split(separator: "/").last ?? "")
        try checkPackage(name)
        return upload(WirePart("file", .file(path), fileName: name), kind)
    }

    /// The same for a list in memory, sent as a txt file. Refuses one of 100 MB.
    public func upload(_ lines: [String], of kind: TPNSPackage.Kind) throws(PushError) -> Exchange<TPNSPackage> {
        guard !lines.isEmpty, !lines.contains(where: { $0.isEmpty || $0.contains(where: \.isNewline) }) else {
            throw PushError(.invalidArgument, "a package has lines, and none of them is empty or holds a line break")
        }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        guard bytes.count < capabilities.limits[.tpnsPackageBytes]?.maximum ?? .max else {
            throw PushError(.tooLong, "the package has \(bytes.count) bytes; TPNS takes less than 100 MB")
        }
        return upload(WirePart("file", .bytes(bytes), fileName: "list.txt"), kind)
    }

    private func upload(_ part: WirePart, _ kind: TPNSPackage.Kind) -> Exchange<TPNSPackage> {
        call(.tpnsUpload, ["push", "package", "upload"], .multipart([part]), .unkeyed) { (response) throws(PushError) in
            struct Body: Decodable {
                var uploadId: Int
            }
            return TPNSPackage(try response.tpns(Body.self).uploadId, of: kind)
        }
    }

    private func checkPackage(_ name: String) throws(PushError) {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard name.contains("."), ["txt", "csv", "zip"].contains(ending) else {
            throw PushError(.invalidArgument, "a package is a txt, csv or zip file, which its name tells")
        }
        try check(name, "the name of the package", upTo: 100)
    }
}
