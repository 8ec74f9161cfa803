import HostileServer
import PushAdapter
import PushHTTP2
import TestSupport
import Testing

/// nghttp2 and our code around it, against servers that bend and break the rules of HTTP/2, frame by frame.
@Suite("HTTP/2 transport, hostile servers", .timeLimit(.minutes(5)))
struct HTTP2HostileTests {
    // MARK: Responses

    @Test(
        "a stream is read to its end, however it ends, and never reset",
        arguments: [HostileHTTP2.Ending.withData, .alone, .withTrailers])
    func noResets(ending: HostileHTTP2.Ending) async throws {
        try await HostileWire.run { http2, _ in
            while let request = http2.request() { http2.echo(request, ending: ending) }
        } _: { (wire) async throws in
            for _ in 0..<10 { try await wire.echoes(20) }
            // Everything that the client sent about the other requests has arrived before this one.
            #expect(try await wire.echo() == 1)
            #expect(wire.journal.heads.count == 201 && wire.journal.resets.isEmpty)
        }
    }

    @Test("unusual frames that are right are a response, and the connection goes on", arguments: Reply.fine)
    func fine(reply: Reply) async throws {
        try await HostileWire.runOnce { http2, request in
            http2.write(reply, on: request.stream)
        } _: { (wire) async throws in
            let response = try await wire.transport.send(wire.request())
            #expect(response.status == 200 && response.body == Array("ok".utf8))
            #expect(response.headers.allSatisfy { $0.name.rawName != "link" })
            #expect(try await wire.echo() == 1)
            #expect(wire.journal.resets.isEmpty)
        }
    }

    @Test("a response without a body is one, whatever its length says", arguments: Reply.bodiless)
    func bodiless(reply: Reply) async throws {
        try await HostileWire.runOnce { http2, request in
            http2.write(reply, on: request.stream)
        } _: { (wire) async throws in
            let response = try await wire.transport.send(wire.request(reply.method))
            #expect([200, 204, 304].contains(response.status) && response.body.isEmpty)
            #expect(try await wire.echo() == 1)
            #expect(wire.journal.resets.isEmpty)
        }
    }

    @Test(
        "a response that breaks a rule is malformed and its effect unknown; the connection goes on",
        arguments: Reply.badHeaders + Reply.badLengths)
    func malformed(reply: Reply) async throws {
        try await HostileWire.runOnce { http2, request in
            http2.write(reply, on: request.stream)
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request(reply.method))
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
            #expect(try await wire.echo() == 1)
            #expect(wire.journal.resets.map(\.stream) == [1])
        }
    }

    @Test(
        "a frame that breaks a rule ends the connection; the effect is unknown, and the next request has another one",
        arguments: Reply.badFrames + Reply.badSettings + Reply.badCompression)
    func badFrames(reply: Reply) async throws {
        try await HostileWire.runOnce { http2, request in
            http2.write(reply, on: request.stream)
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.kind == .malformedResponse || error?.kind == .transport)
            #expect(error?.effect == .unknown)
            #expect(try await wire.echo() != 1)
            #expect(wire.server.connections == 2)
        }
    }

    @Test("a rule about windows that is broken ends at least the request", arguments: Reply.badWindows)
    func badWindows(reply: Reply) async throws {
        try await HostileWire.runOnce { http2, request in
            http2.write(reply, on: request.stream)
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.kind == .malformedResponse || error?.kind == .transport)
            #expect(error?.effect == .unknown)
            try await wire.echo()
        }
    }

    @Test("a broken rule is unknown to all requests on the connection")
    func allStreams() async throws {
        try await HostileWire.run { http2, number in
            if number == 1 {
                _ = http2.requests(5)
                http2.send(.data, 0, 0, [1])
            }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            let outcomes = await wire.outcomes(5)
            #expect(outcomes.allSatisfy { $0?.effect == .unknown })
            try await wire.echoes(5)
        }
    }

    @Test("what comes for a stream that has ended reaches no other request", arguments: Reply.late)
    func late(reply: Reply) async throws {
        try await HostileWire.run { http2, number in
            if number == 1 {
                let held = http2.requests(2)
                guard let first = held.first, let second = held.last else { return }
                http2.echo(first)
                http2.write(reply, on: first.stream)
                http2.echo(second)
            }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            let outcomes = await wire.outcomes(2)
            // The first request has its response. The second may have lost its connection.
            #expect(outcomes.contains { $0 == nil })
            #expect(outcomes.allSatisfy { $0 == nil || $0?.effect == .unknown })
            try await wire.echo()
        }
    }

    // MARK: Early responses

    /// At first, 65,535 bytes of it leave.
    private static let longBody = String(repeating: "x", count: 1 << 20)

    @Test(
        "a refusal before the body is out is returned, and the rest of the body is not sent",
        arguments: [302, 413, 429, 500], [false, true])
    func earlyRefusal(status: Int, isReset: Bool) async throws {
        try await HostileWire.run(greeting: [], window: 0) { http2, _ in
            guard let request = http2.head() else { return }
            http2.together {
                http2.answer(request.stream, status, Array("no".utf8))
                if isReset { http2.reset(request.stream, code: 0) }
                // From now on, the client could send the rest.
                http2.grant(1 << 24, to: 0)
                http2.grant(1 << 24, to: request.stream)
            }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            let response = try await wire.transport.send(wire.request(body: Self.longBody))
            #expect(response.status == status && response.body == Array("no".utf8))
            #expect(try await wire.echo() == 1)
            let data = wire.journal.frames(.data).filter { $0.stream == 1 }
            #expect(data.reduce(0) { $0 + $1.payload.count } <= 65_535)
            #expect(wire.journal.resets.count == 1 || isReset && wire.journal.resets.isEmpty)
        }
    }

    @Test("a success that ends before the body is out is malformed, and the rest of the body is not sent")
    func earlySuccess() async throws {
        try await HostileWire.run(greeting: [], window: 0) { http2, _ in
            guard let request = http2.head() else { return }
            http2.together {
                http2.answer(request.stream, 200, Array("yes".utf8))
                http2.grant(1 << 24, to: 0)
                http2.grant(1 << 24, to: request.stream)
            }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request(body: Self.longBody))
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
            #expect(try await wire.echo() == 1)
            let data = wire.journal.frames(.data).filter { $0.stream == 1 }
            #expect(data.reduce(0) { $0 + $1.payload.count } <= 65_535)
            #expect(wire.journal.resets.map(\.stream) == [1])
        }
    }

    @Test("a success that begins before the body is out, and ends after it, is a response")
    func earlyHeader() async throws {
        try await HostileWire.run(greeting: [], window: 0) { http2, _ in
            guard let request = http2.head() else { return }
            http2.header(request.stream, [(":status", "200")])
            http2.data(request.stream, Array("o".utf8))
            http2.grant(1 << 24, to: 0)
            http2.grant(1 << 24, to: request.stream)
            guard let whole = http2.request(), whole.body.count == 1 << 20 else { return }
            http2.data(request.stream, Array("k".utf8), isLast: true)
            while http2.read() != nil {}
        } _: { (wire) async throws in
            #expect(try await wire.text(wire.request(body: Self.longBody)) == "ok")
        }
    }

    // MARK: The client's frames

    @Test("the client's first frames and the fields of its requests are what HTTP/2 asks for")
    func clientFrames() async throws {
        try await HostileWire.run { http2, _ in
            // The client answers PINGs before it sends its first request.
            http2.settle()
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            var post = wire.request(.post, "/a/%2E%2E/../b%2Fc?q=%20&r", body: "{\"a\":1}")
            post.headers[try #require(HTTPField.Name("X-Test"))] = "v, w"
            post.headers[.authorization] = "Basic abc"
            try await wire.echo(post)
            try await wire.echo(wire.request(.get))
            try await wire.echo()

            let frames = wire.journal.entries.map(\.frame)
            let first = try #require(frames.first)
            #expect(first.type == .settings && first.flags == 0 && first.stream == 0 && first.settings[.push] == 0)
            #expect(frames.filter { $0.type == .settings && $0.flags == 1 }.count == 1)
            #expect(frames.filter { $0.type == .ping && $0.flags == 1 }.count == 3)
            // A connection in use needs no PING.
            #expect(frames.filter { $0.type == .ping }.count == 3)

            let heads = wire.journal.heads.map(\.request)
            try #require(heads.map(\.stream) == [1, 3, 5])
            for head in heads {
                let names = head.fields.map { $0.name }
                #expect(Set(names.prefix(4)) == [":method", ":scheme", ":authority", ":path"])
                #expect(names.allSatisfy { $0 == $0.lowercased() } && Set(names).count == names.count)
                #expect(Self.foreign.isDisjoint(with: names))
                #expect(head.header(":scheme") == "https")
                #expect(head.header(":authority") == "localhost:\(wire.server.port)")
                #expect(head.header("user-agent") == "PushBridge")
            }
            let (sent, get) = (heads[0], heads[1])
            #expect(sent.header(":method") == "POST" && sent.path == "/a/%2E%2E/../b%2Fc?q=%20&r")
            #expect(sent.header("content-type") == "application/json" && sent.header("content-length") == "7")
            #expect(sent.header("x-test") == "v, w" && sent.header("authorization") == "Basic abc")
            #expect(get.header(":method") == "GET" && get.header("content-type") == nil)
            #expect(frames.contains { $0.type == .headers && $0.stream == 3 && $0.flags & 1 != 0 })
            #expect(!frames.contains { $0.type == .data && $0.stream == 3 })
        }
    }

    /// Fields that belong to HTTP/1.1 connections.
    private static let foreign: Set<String> = [
        "connection", "host", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te", "expect",
    ]

    @Test(
        "a request that is given up is reset once, with CANCEL, and its late response changes nothing",
        arguments: [true, false])
    func oneReset(isCancelled: Bool) async throws {
        try await HostileWire.run { http2, _ in
            guard let warm = http2.request(), http2.echo(warm), let held = http2.request() else { return }
            while http2.resets.isEmpty, http2.read() != nil {}
            http2.echo(held)
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            try await wire.echo()
            let request = wire.request(seconds: isCancelled ? 15 : 3)
            let task = Task { await wire.failure(request) }
            await until { wire.journal.heads.count == 2 }
            if isCancelled { task.cancel() }
            let error = await task.value
            #expect(error?.kind == (isCancelled ? .cancelled : .timeout) && error?.effect == .unknown)
            for _ in 0..<3 { #expect(try await wire.echo() == 1) }
            #expect(wire.journal.resets.map(\.stream) == [3] && wire.journal.resets.map(\.code) == [8])
        }
    }
}
