import FoundationEssentials

/// The arguments of the programs that send a push to each token of a list, in this order.
public struct FanOutArguments: Sendable {
    /// The origin, `https://localhost:8443`.
    public var origin: String
    /// A PEM file with the authority to trust.
    public var caFile: String
    /// Pushes in flight at once.
    public var inFlight: Int
    /// The measured time.
    public var seconds: Double
    /// The body to send.
    public var bodyFile: String
    /// The header fields of a push: a name, a colon, a space and a value on each line.
    public var headerFile: String
    /// The address of a token on each line.
    public var urlFile: String

    /// The values as arguments for a process: those of ``LoadArguments``, and the last two files.
    public var list: [String] {
        [origin + Self.path, caFile, "2", "\(inFlight)", "\(seconds)", bodyFile, "1", headerFile, urlFile]
    }

    private static let path = "/3/device"

    /// The arguments for a measured program.
    public init(
        origin: String, caFile: String, inFlight: Int, seconds: Double, bodyFile: String, headerFile: String,
        urlFile: String
    ) {
        self.origin = origin
        self.caFile = caFile
        self.inFlight = inFlight
        self.seconds = seconds
        self.bodyFile = bodyFile
        self.headerFile = headerFile
        self.urlFile = urlFile
    }

    /// Reads arguments that ``list`` wrote; nil for any others.
    public init?(_ arguments: ArraySlice<String>) {
        let texts = Array(arguments)
        guard texts.count == 9, texts[0].hasSuffix(Self.path), let inFlight = Int(texts[3]),
            let seconds = Double(texts[4])
        else { return nil }
        self.init(
            origin: String(texts[0].dropLast(Self.path.count)), caFile: texts[1], inFlight: inFlight, seconds: seconds,
            bodyFile: texts[5], headerFile: texts[7], urlFile: texts[8])
    }

    /// The bytes of the body.
    public func body() throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: bodyFile))) }

    /// The header fields that are the same for all pushes: without the id.
    public func headers() throws -> [(name: String, value: String)] {
        try lines(of: headerFile).compactMap { line in
            guard let colon = line.firstRange(of: ": "), !line.hasPrefix("apns-id") else { return nil }
            return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
        }
    }

    /// The addresses.
    public func urls() throws -> [String] { try lines(of: urlFile).map { String($0) } }

    private func lines(of file: String) throws -> [Substring] {
        String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self).split(separator: "\n")
    }
}
