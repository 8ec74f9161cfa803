import HostileServer
import PushAdapter
import PushHTTP2
import Testing

/// Servers that refuse a request, end a stream or close the connection: processed requests and unprocessed ones.
@Suite("HTTP/2 transport, the end of streams and connections", .timeLimit(.minutes(5)))
struct HTTP2GoodbyeTests {
    /// A server's reaction to a request, and the caller's result. The request is the second on its connection.
    struct Goodbye: Sendable, CustomTestStringConvertible {
        /// Nil for a response.
        let effect: PushError.Effect?
        let testDescription: String
        let act: @Sendable (_ http2: HostileHTTP2, _ request: HostileHTTP2.Request) -> Void

        init(
            _ effect: PushError.Effect?, _ name: String,
            _ act: @escaping @Sendable (_ http2: HostileHTTP2, _ request: HostileHTTP2.Request) -> Void
        ) {
            self.effect = effect
            testDescription = name
            self.act = act
        }
    }

    /// The beginning of a response.
    private static let ok = [(":status", "200")]

    // MARK: GOAWAY

    private static let goodbyes: [Goodbye] = [
        Goodbye(nil, "up to the request, then the response") { http2, request in
            http2.goAway(last: request.stream)
            http2.echo(request)
        },
        Goodbye(nil, "beyond the request, then the response") { http2, request in
            http2.goAway(last: request.stream + 20)
            http2.echo(request)
        },
        Goodbye(nil, "in two steps, then the response") { http2, request in
            http2.goAway(last: 0x7FFF_FFFF)
            http2.settle()
            http2.goAway(last: request.stream)
            http2.echo(request)
        },
        Goodbye(nil, "with an error and a text, then the response") { http2, request in
            http2.goAway(last: request.stream, code: 11, text: "too_many_pings")
            http2.echo(request)
        },
        Goodbye(nil, "after the response, in one piece") { http2, request in
            http2.together {
                http2.echo(request)
                http2.goAway(last: request.stream)
            }
        },
        Goodbye(nil, "after the response, with an end of the connection") { http2, request in
            http2.together {
                http2.echo(request)
                http2.goAway(last: request.stream)
            }
            http2.connection.close()
        },
        Goodbye(.notApplied, "before the request") { http2, request in http2.goAway(last: request.stream - 2) },
        Goodbye(.notApplied, "before all requests") { http2, _ in http2.goAway(last: 0) },
        Goodbye(.notApplied, "before the request, in two steps") { http2, request in
            http2.goAway(last: 0x7FFF_FFFF)
            http2.goAway(last: request.stream - 2)
        },
        Goodbye(.notApplied, "before the request, with an error and an end") { http2, request in
            http2.goAway(last: request.stream - 2, code: 2)
            http2.connection.close()
        },
        Goodbye(.unknown, "before the request, after the beginning of a response") { http2, request in
            http2.header(request.stream, Self.ok)
            http2.goAway(last: request.stream - 2)
        },
        Goodbye(.unknown, "before the request, after an interim response") { http2, request in
            http2.header(request.stream, [(":status", "103")])
            http2.goAway(last: request.stream - 2)
        },
        Goodbye(.unknown, "up to the request, then an end") { http2, request in
            http2.goAway(last: request.stream)
            http2.connection.close()
        },
        Goodbye(.unknown, "up to the request with an error, then an end") { http2, request in
            http2.goAway(last: request.stream, code: 1)
            http2.connection.close()
        },
        Goodbye(.unknown, "the first of two steps, then an end") { http2, _ in
            http2.goAway(last: 0x7FFF_FFFF)
            http2.connection.close()
        },
        Goodbye(.unknown, "in the middle of the response") { http2, request in
            http2.header(request.stream, Self.ok)
            http2.data(request.stream, [1])
            http2.goAway(last: request.stream)
            http2.connection.close()
        },
        Goodbye(.unknown, "an end without a word") { http2, _ in http2.connection.close() },
        Goodbye(.unknown, "a broken connection") { http2, _ in http2.connection.reset() },
    ]

    @Test("a GOAWAY says what was processed; the next request has another connection", arguments: Self.goodbyes)
    func goAway(goodbye: Goodbye) async throws {
        try await HostileWire.run { http2, number in
            if number == 1 {
                guard let warm = http2.request(), http2.echo(warm), let request = http2.request() else { return }
                goodbye.act(http2, request)
            }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            try await wire.echo()
            if let effect = goodbye.effect {
                let error = await wire.failure(wire.request())
                #expect(error?.effect == effect)
                #expect(error?.kind == .transport || effect == .unknown && error?.kind == .malformedResponse)
                #expect(error?.retry == .after(.zero) || effect == .unknown)
            } else {
                #expect(try await wire.echo() == 1)
            }
            #expect(try await wire.echo() != 1)
            #expect(wire.server.connections == 2)
            #expect(wire.journal.heads.filter { $0.connection == 1 }.count == 2)
        }
    }

    @Test("a GOAWAY divides the requests in flight")
    func inFlight() async throws {
        try await HostileWire.run { http2, number in
            if number == 1 {
                let held = http2.requests(6).sorted { $0.stream < $1.stream }
                guard held.count == 6 else { return }
                http2.goAway(last: held[3].stream)
                for request in held.prefix(4) { http2.echo(request) }
            }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            let outcomes = await wire.outcomes(6)
            #expect(outcomes.filter { $0 == nil }.count == 4)
            #expect(outcomes.filter { $0?.effect == .notApplied }.count == 2)
            try await wire.echoes(6)
            #expect(wire.server.connections == 2)
        }
    }

    @Test("a connection that takes leave before its first request gets none; another one does")
    func beforeTheFirst() async throws {
        let journal = HTTP2Journal()
        let goAway = HostileHTTP2.Frame(type: .goAway, flags: 0, stream: 0, payload: [0, 0, 0, 0, 0, 0, 0, 0])
        let accepted = Locked(0)
        try await HostileWire.raw(journal: journal) { connection in
            let number = accepted.withLock { count in
                count += 1
                return count
            }
            guard
                let http2 = HostileHTTP2(
                    connection, followedBy: number == 1 ? goAway.bytes : [], journal: journal, number: number)
            else { return }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            try await wire.echo()
            #expect(journal.heads.map(\.connection) == [2])
        }
    }

    @Test("when every connection takes leave at once, nothing is sent, and the server is not hammered")
    func alwaysBeforeTheFirst() async throws {
        let journal = HTTP2Journal()
        let goAway = HostileHTTP2.Frame(type: .goAway, flags: 0, stream: 0, payload: [0, 0, 0, 0, 0, 0, 0, 0])
        try await HostileWire.raw(journal: journal) { connection in
            let http2 = HostileHTTP2(connection, followedBy: goAway.bytes, journal: journal)
            while let http2, http2.read() != nil {}
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request(seconds: 3))
            #expect(error?.effect == .notApplied && error?.retry == .backoff)
            #expect(journal.heads.isEmpty)
            #expect(wire.server.connections <= 20)
        }
    }

    // MARK: RST_STREAM

    private static let resets: [Goodbye] = [
        Goodbye(.notApplied, "REFUSED_STREAM") { http2, request in http2.reset(request.stream, code: 7) },
        Goodbye(.unknown, "REFUSED_STREAM after the beginning of a response") { http2, request in
            http2.header(request.stream, Self.ok)
            http2.reset(request.stream, code: 7)
        },
        Goodbye(.unknown, "REFUSED_STREAM in the middle of a response") { http2, request in
            http2.header(request.stream, Self.ok)
            http2.data(request.stream, [1])
            http2.reset(request.stream, code: 7)
        },
        Goodbye(.unknown, "REFUSED_STREAM after an interim response") { http2, request in
            http2.header(request.stream, [(":status", "103")])
            http2.reset(request.stream, code: 7)
        },
        Goodbye(.unknown, "NO_ERROR after the beginning of a response") { http2, request in
            http2.header(request.stream, Self.ok)
            http2.reset(request.stream, code: 0)
        },
        Goodbye(.unknown, "NO_ERROR in the middle of a response") { http2, request in
            http2.header(request.stream, Self.ok)
            http2.data(request.stream, [1])
            http2.reset(request.stream, code: 0)
        },
    ]

    /// All codes except REFUSED_STREAM, and one that does not exist.
    private static let otherResets: [Goodbye] = ([0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 255] as [UInt8]).map {
        code in
        Goodbye(.unknown, "code \(code)") { http2, request in http2.reset(request.stream, code: code) }
    }

    @Test(
        "a stream that the server ends is refused or unknown; the connection goes on",
        arguments: Self.resets + Self.otherResets)
    func eachReset(goodbye: Goodbye) async throws {
        try await HostileWire.runOnce { http2, request in
            goodbye.act(http2, request)
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.effect == goodbye.effect)
            if goodbye.effect == .notApplied { #expect(error?.kind == .transport && error?.retry == .after(.zero)) }
            #expect(try await wire.echo() == 1)
            // A stream that is gone needs no reset.
            #expect(wire.journal.resets.isEmpty)
        }
    }

    @Test(
        "a server that refuses a stream for which it sent a broken header contradicts itself",
        arguments: [[("Broken", "x")], [(":status", "abc")], [(":status", "101")]], [true, false])
    func brokenAndRefused(fields: [(String, String)], byGoAway: Bool) async throws {
        try await HostileWire.runOnce { http2, request in
            http2.together {
                http2.header(request.stream, fields)
                if byGoAway { http2.goAway(last: 0) } else { http2.reset(request.stream, code: 7) }
            }
        } _: { (wire) async throws in
            #expect(await wire.failure(wire.request())?.effect == .unknown)
            try await wire.echo()
        }
    }

    // MARK: Before there is a connection

    /// A server's first bytes, instead of sensible SETTINGS.
    struct ALPNHandler: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var settings: HostileHTTP2.Settings?
        var bytes: [UInt8] = []
        var isEnd = false
    }

    private static let greetings: [ALPNHandler] = [
        ALPNHandler(testDescription: "push of 2", settings: [(.push, 2)]),
        ALPNHandler(testDescription: "push, by a server", settings: [(.push, 1)]),
        ALPNHandler(testDescription: "a window of 2^31", settings: [(.window, 0x8000_0000)]),
        ALPNHandler(testDescription: "frames of 16,383 bytes", settings: [(.frameSize, 16_383)]),
        ALPNHandler(testDescription: "frames of 2^24 bytes", settings: [(.frameSize, 1 << 24)]),
        ALPNHandler(testDescription: "SETTINGS of five bytes", bytes: [0, 0, 5, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0]),
        ALPNHandler(testDescription: "an acknowledgment first", bytes: [0, 0, 0, 4, 1, 0, 0, 0, 0]),
        ALPNHandler(testDescription: "PING first", bytes: [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ALPNHandler(testDescription: "a response first", bytes: [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88]),
        ALPNHandler(testDescription: "GOAWAY first", bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ALPNHandler(
            testDescription: "HTTP/1.1", bytes: Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)),
        ALPNHandler(testDescription: "an end", isEnd: true),
        ALPNHandler(testDescription: "half a frame and an end", bytes: [0, 0, 0, 4], isEnd: true),
        ALPNHandler(testDescription: "silence"),
        ALPNHandler(testDescription: "half a frame and silence", bytes: [0, 0, 0, 4]),
    ]

    @Test("without the server's settings, nothing is sent", arguments: Self.greetings)
    func eachGreeting(greeting: ALPNHandler) async throws {
        let journal = HTTP2Journal()
        let settings = HTTP2Configuration.patient { $0.connectTimeout = .seconds(2) }
        try await HostileWire.raw(settings, journal: journal) { connection in
            guard
                let http2 = HostileHTTP2(
                    connection, settings: greeting.settings, window: 0, followedBy: greeting.bytes, journal: journal),
                !greeting.isEnd
            else { return }
            while http2.read() != nil {}
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request(.post, "/1", seconds: 10))
            #expect(error?.effect == .notApplied)
            #expect(error?.kind == .transport || error?.kind == .malformedResponse || error?.kind == .timeout)
            #expect(journal.heads.isEmpty)
        }
    }
}
