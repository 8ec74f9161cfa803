public import PushAdapter

/// A list of devices or accounts uploaded to TPNS.
public struct TPNSPackage: Sendable, Hashable {
    /// The contents of its lines.
    public enum Kind: Sendable, Hashable {
        /// One account per line, 2 to 100 characters, all of one type. The vendor's default is 0. It is inferred that
        /// the type applies to packages.
        case accounts(type: Int = 0)
        /// One token per line.
        case devices

        var audienceType: String { self == .devices ? "package_token_push" : "package_account_push" }
    }

    /// The vendor's `uploadId`.
    public var id: Int
    /// The contents of the lines. The push states them, not the upload.
    public var kind: Kind

    /// Creates a package from the id of an earlier upload.
    public init(_ id: Int, of kind: Kind) {
        self.id = id
        self.kind = kind
    }

    /// The audience for a send: `Audience.file` with the kind and the id, such as `token:11231`, `account:11231` or
    /// `account:11231:1002`.
    public var audience: Audience {
        switch kind {
        case .devices: .file("token:\(id)")
        case .accounts(type: 0): .file("account:\(id)")
        case .accounts(let type): .file("account:\(id):\(type)")
        }
    }

    init(reading text: String) throws(PushError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) ?? -1 : -1
        }
        switch (parts[0], numbers.count) {
        case ("token", 1) where numbers[0] >= 0: self.init(numbers[0], of: .devices)
        case ("account", 1) where numbers[0] >= 0: self.init(numbers[0], of: .accounts())
        case ("account", 2) where numbers[0] >= 0 && numbers[1] >= 0:
            self.init(numbers[0], of: .accounts(type: numbers[1]))
        default:
            throw PushError(
                .invalidArgument,
                "an uploaded list of TPNS is written token:11231, account:11231 or account:11231:1002; see TPNSPackage")
        }
    }
}

extension TPNS {
    /// `POST /v3/push/package/upload`: uploads a list for ``TPNSPackage/audience``.
    ///
    /// UTF-8, one account or token per line, in a txt or csv file or in a zip with exactly one of these. Under 100 MB,
    /// which the vendor checks. The client streams the file with HTTP Basic within the time of one attempt: for large
    /// files, set a longer `attemptTimeout` and `deadline`. It does not retry after a lost response, because a second
    /// upload would create a second package. Refuses any other file extension, and a name of more than 100 characters.
    /// - Parameters:
    ///   - path: the path of the file on this machine.
    ///   - kind: the contents of the lines.
    public func upload(_ path: String, of kind: TPNSPackage.Kind) throws(PushError) -> Exchange<TPNSPackage> {
        let name = String(path.split(separator: "/").last ?? "")
        try checkPackage(name)
        return upload(WirePart("file", .file(path), fileName: name), kind)
    }

    /// Uploads a list from memory as a txt file. Refuses a list of 100 MB or more, and a line that cannot be an account
    /// or token.
    public func upload(_ lines: [String], of kind: TPNSPackage.Kind) throws(PushError) -> Exchange<TPNSPackage> {
        let lengths = kind == .devices ? 1...36 : 2...100
        let isLine = { (line: String) in
            lengths.contains(line.unicodeScalars.count) && !line.contains(where: \.isNewline)
        }
        guard !lines.isEmpty, lines.allSatisfy(isLine) else {
            throw PushError(
                .invalidArgument,
                "give one or more lines, each of \(lengths.lowerBound) to \(lengths.upperBound) characters without "
                    + "line breaks")
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
            throw PushError(.invalidArgument, "the name of the package must end in .txt, .csv or .zip")
        }
        guard name.unicodeScalars.count <= 100 else {
            throw PushError(
                .tooLong, "the name of the package has \(name.unicodeScalars.count) characters; TPNS takes 100")
        }
    }
}
