import Load
import PushAPNs
import SampleAPNs

/// A push of 600 bytes to each token of a list, over the protocol of APNs.
struct FanOutCase {
    var inFlight: Int

    var name: String { "APNs fan-out, \(Double(inFlight).whole) in flight" }

    static let all = [256, 1000].map { FanOutCase(inFlight: $0) }
}

/// What all programs of a fan-out send, in files: the body and the header fields that the adapter makes, and a path for
/// each token.
struct FanOutFiles {
    private let origin: String
    private let caFile: String
    private let body: String
    private let headers: String
    private let urls: String

    init(_ folder: Folder, _ server: Nginx) throws {
        (origin, caFile) = (server.origin, server.caFile)
        let push = try SamplePush(APNs.sample(at: server.origin))
        body = try folder.write("push.json", String(decoding: push.body, as: UTF8.self))
        headers = try folder.write("headers", push.headers.map { "\($0.name): \($0.value)\n" }.joined())
        urls = try folder.write("urls", lines: 10_000) { "\(server.origin)/3/device/\(Sample.token($0))" }
    }

    func arguments(_ one: FanOutCase, seconds: Double) -> [String] {
        FanOutArguments(
            origin: origin, caFile: caFile, inFlight: one.inFlight, seconds: seconds, bodyFile: body,
            headerFile: headers, urlFile: urls
        ).list
    }
}

extension LoadProgram {
    /// The programs that are compared in a fan-out.
    static func fanOut(_ folder: Folder, go: String?) -> [LoadProgram] {
        var programs = [LoadProgram(name: limit, command: [folder.program("bench-h2load")], starts: 2)]
        for (mode, name) in [("transport", "HTTP2Transport"), ("send", "client.send to a list")] {
            let command = [folder.program("bench-apns"), mode]
            programs.append(LoadProgram(name: name, command: command + ["shared"]))
            programs.append(LoadProgram(name: "the same, on its thread", command: command + ["own"]))
        }
        if let go { programs.append(LoadProgram(name: goName, command: [go])) }
        programs.append(LoadProgram(name: "AsyncHTTPClient", command: [folder.program("bench-ahc")]))
        return programs
    }
}
