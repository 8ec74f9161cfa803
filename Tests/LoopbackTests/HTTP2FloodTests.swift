import HostileServer
import PushAdapter
import PushHTTP2
import Testing

/// Servers that waste a client's work, memory or time.
@Suite("HTTP/2 transport, floods", .serialized, .timeLimit(.minutes(5)))
struct HTTP2FloodTests {
    /// First some frames, then a frame repeated 100,000 times.
    struct Flood: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: [Reply.Part]
        /// The repeated frame, on stream 1 or on the connection.
        let frame: HostileHTTP2.Frame

        init(
            _ name: String, _ first: Reply.Part..., then type: HostileHTTP2.FrameType, _ flags: UInt8, _ stream: Int,
            _ payload: [UInt8]
        ) {
            testDescription = name
            self.first = first
            frame = HostileHTTP2.Frame(type: type, flags: flags, stream: stream, payload: payload)
        }
    }

    private static let floods: [Flood] = [
        Flood("SETTINGS without a setting", then: .settings, 0, 0, []),
        Flood("SETTINGS", then: .settings, 0, 0, [0, 3, 0, 0, 0, 100]),
        Flood("PING", then: .ping, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]),
        Flood("answers to PINGs", then: .ping, 1, 0, [1, 2, 3, 4, 5, 6, 7, 8]),
        Flood("PRIORITY", then: .priority, 0, 1, [0, 0, 0, 0, 1]),
        Flood("PRIORITY of streams that were never opened", then: .priority, 0, 99, [0, 0, 0, 0, 1]),
        Flood("WINDOW_UPDATE", then: .windowUpdate, 0, 1, [0, 0, 0, 1]),
        Flood("WINDOW_UPDATE of the connection", then: .windowUpdate, 0, 0, [0, 0, 0, 1]),
        Flood("empty DATA", .ok, then: .data, 0, 1, []),
        Flood("DATA with padding only", .ok, then: .data, 0x8, 1, [1, 0]),
        Flood("RST_STREAM of streams that were never opened", then: .resetStream, 0, 99, [0, 0, 0, 8]),
        Flood("empty CONTINUATION", .own(.headers, 0, [0x88]), then: .continuation, 0, 1, []),
        Flood("CONTINUATION", .own(.headers, 0, [0x88]), then: .continuation, 0, 1, [0x00, 0x01, 0x61, 0x01, 0x62]),
    ]

    @Test("a flood ends the connection, and the next one is as good as new", arguments: Self.floods)
    func eachFlood(flood: Flood) async throws {
        try await HostileWire.runOnce(greeting: [], window: 0) { http2, request in
            for part in flood.first { http2.write(part, on: request.stream) }
            http2.flood(flood.frame, times: 100_000)
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.kind == .transport || error?.kind == .malformedResponse)
            #expect(error?.effect == .unknown)
            #expect(try await wire.echo() != 1)
            try await wire.echoes(50)
        }
    }

    @Test("a flood of interim responses ends at the limit of the header")
    func interim() async throws {
        try await HostileWire.runOnce { http2, request in
            // Status 103, and a field "a" without a value.
            let block: [UInt8] = [0x08, 0x03, 0x31, 0x30, 0x33, 0x00, 0x01, 0x61, 0x00]
            let frame = HostileHTTP2.Frame(type: .headers, flags: 0x4, stream: request.stream, payload: block)
            http2.flood(frame, times: 100_000)
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
            // The flood continues, and the connection may take one more request down with it.
            do {
                try await wire.echo()
            } catch let error as PushError {
                #expect(error.kind == .malformedResponse && error.effect == .unknown)
                try await wire.echo()
            }
        }
    }

    @Test("a header that grows to 64 megabytes when it is decompressed ends at the limit")
    func bomb() async throws {
        try await HostileWire.runOnce { http2, request in
            // A field of 4,000 bytes that the client stores in its table, then its index 16,000 times.
            var block: [UInt8] = [0x88, 0x40, 0x01, 0x78, 0x7F, 0xA1, 0x1E]
            block += [UInt8](repeating: 0x61, count: 4_000)
            block += [UInt8](repeating: 0xBE, count: 16_000)
            http2.send(.headers, 0x1, request.stream, Array(block.prefix(16_384)))
            http2.send(.continuation, 0x4, request.stream, Array(block.dropFirst(16_384)))
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
            try await wire.echo()
        }
    }

    @Test("a burst that a busy server may send is no flood")
    func burst() async throws {
        try await HostileWire.run { http2, _ in
            while let request = http2.request() {
                http2.together {
                    for number in 0..<20 {
                        http2.send(.ping, 0, 0, [0, 0, 0, 0, 0, 0, 0, UInt8(number)])
                        http2.change([(.streams, 100 + number)])
                        http2.grant(1, to: 0)
                        http2.send(.priority, 0, request.stream, [0, 0, 0, 0, 1])
                    }
                    http2.echo(request)
                }
            }
        } _: { (wire) async throws in
            for _ in 0..<5 { try await wire.echoes(10) }
            #expect(try await wire.echo() == 1)
        }
    }
}
