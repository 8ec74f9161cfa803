import FoundationEssentials
import Glibc

/// The arguments of every measured program, in this order.
public struct LoadArguments: Sendable {
    /// The origin, `https://localhost:8443`.
    public var origin: String
    /// A PEM file with the authority to trust.
    public var caFile: String
    /// 1 or 2.
    public var httpVersion: Int
    /// Requests in flight at once.
    public var inFlight: Int
    /// The measured time.
    public var seconds: Double
    /// The body to send.
    public var bodyFile: String
    /// The devices that the body names.
    public var devices: Int

    /// The values as arguments for a process. The plain C program needs the whole URL.
    public var list: [String] {
        [origin + "/v3/push", caFile, "\(httpVersion)", "\(inFlight)", "\(seconds)", bodyFile, "\(devices)"]
    }

    /// The arguments for a measured program.
    public init(
        origin: String, caFile: String, httpVersion: Int, inFlight: Int, seconds: Double, bodyFile: String, devices: Int
    ) {
        self.origin = origin
        self.caFile = caFile
        self.httpVersion = httpVersion
        self.inFlight = inFlight
        self.seconds = seconds
        self.bodyFile = bodyFile
        self.devices = devices
    }

    /// Reads arguments that ``list`` wrote; ends the program if they have another form.
    public init(_ arguments: ArraySlice<String>) {
        let texts = Array(arguments)
        guard texts.count == 7, let url = texts.first, url.hasSuffix("/v3/push"), let version = Int(texts[2]),
            let inFlight = Int(texts[3]), let seconds = Double(texts[4]), let devices = Int(texts[6])
        else {
            print("usage: ORIGIN/v3/push CA-FILE HTTP-VERSION IN-FLIGHT SECONDS BODY-FILE DEVICES")
            exit(2)
        }
        self.init(
            origin: String(url.dropLast("/v3/push".count)), caFile: texts[1], httpVersion: version, inFlight: inFlight,
            seconds: seconds, bodyFile: texts[5], devices: devices)
    }

    /// The bytes of the body.
    public func body() throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: bodyFile))) }

    /// The URL of a push.
    public var url: String { origin + "/v3/push" }
}
