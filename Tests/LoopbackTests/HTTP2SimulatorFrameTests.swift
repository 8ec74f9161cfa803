import Foundation
import HostileServer
import PushAdapter
import PushSimulation
import PushSimulationServer
import TestSupport
import Testing

/// The output of the HTTP/2 simulators' server, to a client that respects no limit.
@Suite(
    "HTTP/2 simulators, frame by frame", .enabled(if: RawClient.isThere, "openssl is not installed"),
    .timeLimit(.minutes(5)))
struct HTTP2SimulatorFrameTests {
    /// Responds to everything, and closes.
    private static func makeSimulator(limit: Int = 100) -> RecordingSimulator {
        RecordingSimulator(first: [.streamLimit(limit)]) { _, _ in
            var response = SimulatedResponse(status: 200)
            response.signals = [.goAway(Array("enough".utf8))]
            return response
        }
    }

    private static func goAway(_ last: Int) -> [UInt8] {
        HostileHTTP2.word(last) + HostileHTTP2.word(0) + Array("enough".utf8)
    }

    @Test(
        "streams above the limit are refused, whether or not the client has acknowledged it", arguments: [true, false])
    func overLimit(acknowledges: Bool) async throws {
        let simulator = Self.makeSimulator(limit: 1)
        var client = RawClient()
        if acknowledges { client.send(.settings, 1, 0) }
        // The first request is incomplete until the others have arrived.
        client.request(1, "/a", isLast: false)
        client.request(3, "/b")
        client.request(5, "/c")
        client.send(.data, 1, 1, Array("{}".utf8))
        let frames = try await client.frames(from: simulator)
        #expect(frames.first?.type == .settings)
        #expect(frames.first?.settings[.streams] == 1)
        let resets = frames.filter { $0.type == .resetStream }
        #expect(resets.map(\.stream) == [3, 5])
        #expect(resets.allSatisfy { $0.payload == [0, 0, 0, 7] })
        #expect(frames.filter { $0.type == .headers }.map(\.stream) == [1])
        #expect(frames.filter { $0.type == .goAway }.map(\.payload) == [Self.goAway(1)])
        #expect(simulator.record.paths == ["/a"])
        #expect(simulator.record.requests.first?.body == Array("{}".utf8))
    }

    @Test("a GOAWAY names the last request that the simulator has; a request that was not complete is refused")
    func incomplete() async throws {
        let simulator = Self.makeSimulator()
        var client = RawClient()
        client.request(1, "/a", isLast: false)
        client.request(3, "/b")
        client.request(5, "/c", isLast: false)
        let frames = try await client.frames(from: simulator)
        let farewell = try #require(frames.firstIndex { $0.type == .goAway })
        #expect(frames[farewell].payload == Self.goAway(3))
        let resets = frames.filter { $0.type == .resetStream }
        #expect(resets.map(\.stream) == [1])
        #expect(resets.first?.payload == [0, 0, 0, 7])
        let answer = try #require(frames.firstIndex { $0.type == .headers })
        #expect(frames[answer].stream == 3 && answer > farewell)
        #expect(simulator.record.paths == ["/b"])
        await until { simulator.record.closed == simulator.record.opened }
    }

    @Test("without ALPN, a client that begins with the preface of HTTP/2 is served")
    func priorKnowledge() async throws {
        let simulator = Self.makeSimulator()
        var client = RawClient()
        client.request(1, "/a")
        let frames = try await client.frames(from: simulator, options: "")
        #expect(frames.first?.type == .settings)
        #expect(frames.contains { $0.type == .headers && $0.stream == 1 })
        #expect(simulator.record.paths == ["/a"])
    }

    @Test("HTTP/1.1 is not answered, whatever the client negotiated", arguments: ["", "-alpn http/1.1", "-alpn h2"])
    func http1(options: String) async throws {
        let simulator = Self.makeSimulator()
        let client = RawClient(sending: Array("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        let bytes = try await client.bytes(from: simulator, options: options)
        // A client that negotiates HTTP/2 gets HTTP/2 frames.
        #expect(bytes.isEmpty == (options != "-alpn h2"))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("HTTP/1"))
        #expect(simulator.record.requests.isEmpty)
        #expect(simulator.record.opened.isEmpty == (options != "-alpn h2"))
    }
}

/// A client that sends a test's bytes all at once and reads until the server closes. The OpenSSL program provides TLS
/// and takes only ASCII.
private struct RawClient {
    private static let program = "/usr/bin/openssl"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private var output: [UInt8]

    init(sending output: [UInt8]) { self.output = output }

    /// Starts with the preface and empty SETTINGS.
    init() {
        output = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        send(.settings, 0, 0)
    }

    mutating func send(_ type: HostileHTTP2.FrameType, _ flags: UInt8, _ stream: Int, _ payload: [UInt8] = []) {
        output += HostileHTTP2.Frame(type: type, flags: flags, stream: stream, payload: payload).bytes
    }

    /// Sends the header of a request, each field as a literal with a new name.
    mutating func request(_ stream: Int, _ path: String, isLast: Bool = true) {
        func literal(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
        var block: [UInt8] = []
        let method = isLast ? "GET" : "POST"
        for (name, value) in [
            (":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost"),
        ] {
            block += [0] + literal(name) + literal(value)
        }
        send(.headers, isLast ? 5 : 4, stream, block)
    }

    /// The bytes that the simulator's server sends until it closes.
    func bytes(from simulator: RecordingSimulator, options: String) async throws -> [UInt8] {
        try #require(output.allSatisfy { $0 < 0x80 })
        let input = String(decoding: output, as: UTF8.self)
        return try await SimulationServer.withServer(SimulatorHost(simulator)) { server in
            let port = server.origin.split(separator: ":").last ?? ""
            let command =
                "\(Self.program) s_client -quiet \(options) -connect 127.0.0.1:\(port) 2>/dev/null | od -An -v -tx1"
            let result = try await Program.run("/bin/sh", ["-c", command], input: input)
            return result.output.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) }
        }
    }

    func frames(
        from simulator: RecordingSimulator, options: String = "-alpn h2"
    ) async throws -> [HostileHTTP2.Frame] {
        var rest = try await bytes(from: simulator, options: options)[...]
        var frames: [HostileHTTP2.Frame] = []
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let numbers = head.map { Int($0) }
            let length = numbers[0] << 16 | numbers[1] << 8 | numbers[2]
            let stream = numbers[5] << 24 | numbers[6] << 16 | numbers[7] << 8 | numbers[8]
            frames.append(
                HostileHTTP2.Frame(
                    type: HostileHTTP2.FrameType(integerLiteral: head[3]), flags: head[4], stream: stream,
                    payload: Array(rest.dropFirst(9).prefix(length))))
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }
}
