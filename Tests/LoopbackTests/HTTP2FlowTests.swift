import HostileServer
import PushAdapter
import PushHTTP2
import TestSupport
import Testing

/// The server's limits: streams, windows, sizes. In every test, the server also checks that the client respects all of
/// them.
@Suite("HTTP/2 transport, the server's limits", .timeLimit(.minutes(5)))
struct HTTP2FlowTests {
    // MARK: Streams

    @Test("no more streams than the server allows; when it allows more, they are used")
    func moreStreams() async throws {
        let most = Locked<[Int]>([])
        try await HostileWire.run(
            .patient { $0.maxConnections = 1 }, greeting: [(.streams, 1), (.window, 0x7FFF_FFFF)]
        ) { http2, _ in
            for _ in 0..<5 {
                guard let request = http2.request(), http2.settle() else { return }
                http2.echo(request)
            }
            most.withLock { $0.append(http2.mostActive) }
            http2.change([(.streams, 10)])
            let held = http2.requests(10)
            http2.settle()
            most.withLock { $0.append(http2.mostActive) }
            for request in held { http2.echo(request) }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            try await wire.echoes(30)
            #expect(most.withLock { $0 } == [1, 10])
        }
    }

    @Test("a limit that shrinks below the streams in flight lets these finish, and holds new ones back")
    func fewerStreams() async throws {
        let counts = Locked<[Int]>([])
        try await HostileWire.run(
            .patient { $0.maxConnections = 1 }, greeting: [(.streams, 10), (.window, 0x7FFF_FFFF)]
        ) { http2, _ in
            var held = http2.requests(10)
            http2.change([(.streams, 2)])
            http2.settle()
            for request in held { http2.echo(request) }
            held = http2.requests(2)
            http2.settle()
            counts.withLock { $0.append(http2.active.count) }
            http2.change([(.streams, 0)])
            http2.settle()
            for request in held { http2.echo(request) }
            http2.settle()
            counts.withLock { $0.append(http2.active.count) }
            http2.change([(.streams, 100)])
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            try await wire.echoes(20)
            #expect(counts.withLock { $0 } == [2, 0])
        }
    }

    @Test(
        "a request that gets no stream in time, or is cancelled before it gets one, was not sent",
        arguments: [false, true])
    func noStream(isCancelled: Bool) async throws {
        try await HostileWire.run(greeting: [(.streams, 0)]) { http2, _ in
            http2.settle()
            while http2.read() != nil {}
        } _: { (wire) async throws in
            let request = wire.request(seconds: isCancelled ? 15 : 2)
            let task = Task { await wire.failure(request) }
            if isCancelled {
                // The request's connection is open, but allows no stream.
                await until { wire.journal.frames(.ping).count == 3 }
                task.cancel()
            }
            let error = await task.value
            #expect(error?.kind == (isCancelled ? .cancelled : .timeout) && error?.effect == .notApplied)
            #expect(wire.journal.heads.isEmpty && wire.server.connections <= 1)
        }
    }

    @Test("while other requests hold all streams, one that waits in vain was not sent")
    func allStreamsHeld() async throws {
        let gate = Gate()
        try await HostileWire.run(
            .patient { $0.maxConnections = 1 }, greeting: [(.streams, 1), (.window, 0x7FFF_FFFF)]
        ) { http2, _ in
            while let request = http2.request() {
                gate.wait()
                http2.echo(request)
            }
        } _: { (wire) async throws in
            let held = Task { try await wire.echo() }
            await until { wire.journal.heads.count == 1 }
            let error = await wire.failure(wire.request(seconds: 1))
            #expect(error?.kind == .timeout && error?.effect == .notApplied && error?.retry == .backoff)
            gate.open()
            #expect(try await held.value == 1)
            #expect(try await wire.echo() == 1)
            #expect(wire.journal.heads.count == 2)
        }
    }

    // MARK: Windows

    @Test("a window that opens one byte at a time lets a body through")
    func byteByByte() async throws {
        let held = Locked(-1)
        try await HostileWire.run(greeting: [(.window, 0)], window: 0) { http2, _ in
            guard let head = http2.head(), http2.settle() else { return }
            held.withLock { $0 = http2.received[head.stream, default: 0] }
            for count in 1...100 {
                http2.grant(1, to: head.stream)
                while http2.received[head.stream, default: 0] < count {
                    guard http2.read() != nil else { return }
                }
            }
            while let request = http2.request() { http2.answer(request.stream, 200, request.body) }
        } _: { (wire) async throws in
            let body = String((0..<100).map { Character(UnicodeScalar(UInt8(33 + $0 % 90))) })
            #expect(try await wire.text(wire.request(body: body)) == body)
            #expect(held.withLock { $0 } == 0)
        }
    }

    @Test("the connection's window, too, may open one byte at a time")
    func connectionByteByByte() async throws {
        try await HostileWire.run(window: 0) { http2, _ in
            guard let head = http2.head() else { return }
            for count in 65_535...65_600 {
                while http2.received[0, default: 0] < count {
                    guard http2.read() != nil else { return }
                }
                http2.grant(1, to: 0)
            }
            while let request = http2.request() {
                guard request.stream == head.stream else { return }
                http2.answer(request.stream, 200, Array("\(request.body.count)".utf8))
            }
        } _: { (wire) async throws in
            let body = String(repeating: "x", count: 65_600)
            #expect(try await wire.text(wire.request(body: body)) == "65600")
        }
    }

    @Test("a window that starts at one byte, or at none, and then opens wide", arguments: [0, 1, 65_535, 65_536])
    func firstWindow(size: Int) async throws {
        try await HostileWire.run(greeting: [(.window, size)], window: 0) { http2, _ in
            guard let head = http2.head() else { return }
            while http2.received[head.stream, default: 0] < min(size, 65_535) {
                guard http2.read() != nil else { return }
            }
            // The client's window is used up. The server would record any further bytes.
            http2.settle()
            http2.grant(200_000, to: 0)
            http2.grant(200_000, to: head.stream)
            while let request = http2.request() {
                http2.answer(request.stream, 200, Array("\(request.body.count)".utf8))
            }
        } _: { (wire) async throws in
            let body = String(repeating: "x", count: 200_000)
            #expect(try await wire.text(wire.request(body: body)) == "200000")
        }
    }

    @Test("a window that shrinks below nothing stops the body until it is above nothing again")
    func negativeWindow() async throws {
        let amounts = Locked<[Int]>([])
        try await HostileWire.run(greeting: [(.window, 100)], window: 0) { http2, _ in
            guard let head = http2.head() else { return }
            func note() {
                http2.settle()
                amounts.withLock { $0.append(http2.received[head.stream, default: 0]) }
            }
            note()
            // The window is now 90 bytes below zero.
            http2.change([(.window, 10)])
            note()
            http2.grant(90, to: head.stream)
            note()
            http2.grant(1, to: head.stream)
            note()
            // An increase through SETTINGS applies to open streams.
            http2.change([(.window, 60)])
            note()
            http2.change([(.window, 0x7FFF_0000)])
            while let request = http2.request() {
                http2.answer(request.stream, 200, Array("\(request.body.count)".utf8))
            }
        } _: { (wire) async throws in
            let body = String(repeating: "x", count: 300)
            #expect(try await wire.text(wire.request(body: body)) == "300")
            #expect(amounts.withLock { $0 } == [100, 100, 100, 101, 151])
        }
    }

    @Test("a window that never opens ends in a time-out with unknown effect")
    func closedWindow() async throws {
        try await HostileWire.run(greeting: [(.window, 0)]) { http2, _ in
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            try await wire.echo(wire.request(.get))
            let error = await wire.failure(wire.request(seconds: 3))
            #expect(error?.kind == .timeout && error?.effect == .unknown && error?.retry == .backoff)
            #expect(try await wire.echo(wire.request(.get)) == 1)
            #expect(wire.journal.frames(.data).isEmpty)
            #expect(wire.journal.resets.map(\.code) == [8])
        }
    }

    @Test("a connection without window delays bodies only, and goes on when it has one")
    func closedConnectionWindow() async throws {
        try await HostileWire.run(window: 0) { http2, _ in
            while let request = http2.request() {
                if request.path == "/open" { http2.grant(1 << 20, to: 0) }
                http2.echo(request)
            }
        } _: { (wire) async throws in
            try await wire.echo(wire.request(body: String(repeating: "x", count: 65_535)))
            let error = await wire.failure(wire.request(seconds: 3))
            #expect(error?.kind == .timeout && error?.effect == .unknown)
            try await wire.echo(wire.request(.get))
            let waiting = Task { try await wire.echo() }
            await until { wire.journal.heads.count == 4 }
            try await wire.echo(wire.request(.get, "/open"))
            #expect(try await waiting.value == 1)
        }
    }

    @Test("a server that writes without regard for windows gets no more than a response through")
    func noRegard() async throws {
        try await HostileWire.runOnce { http2, request in
            http2.header(request.stream, [(":status", "200")])
            let frame = HostileHTTP2.Frame(
                type: .data, flags: 0, stream: request.stream, payload: [UInt8](repeating: 0x20, count: 16_384))
            http2.flood(frame, times: 1_000)
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.kind == .malformedResponse || error?.kind == .transport)
            #expect(error?.effect == .unknown)
            try await wire.echo()
        }
    }

    // MARK: Sizes

    @Test("frames are no longer than the server takes", arguments: [16_384, 16_385, 20_001, 0xFF_FFFF])
    func frameSize(size: Int) async throws {
        try await HostileWire.run(greeting: [(.frameSize, size), (.window, 0x7FFF_FFFF)]) { http2, _ in
            while let request = http2.request() {
                http2.answer(request.stream, 200, Array("\(request.body.count)".utf8))
            }
        } _: { (wire) async throws in
            let body = String(repeating: "x", count: 300_001)
            #expect(try await wire.text(wire.request(body: body)) == "300001")
            #expect(wire.journal.frames(.data).allSatisfy { $0.payload.count <= size })
        }
    }

    @Test("headers are compressed within the table that the server has", arguments: [0, 1, 100, 4_096, 0xFFFF_FFFF])
    func tableSize(size: Int) async throws {
        try await HostileWire.run(greeting: [(.tableSize, size), (.window, 0x7FFF_FFFF)]) { http2, _ in
            for _ in 0..<5 {
                guard let request = http2.request() else { return }
                http2.echo(request)
            }
            // The table shrinks to zero, then grows again.
            for other in [0, 200, 0, 4_096] {
                http2.change([(.tableSize, other)])
                http2.settle()
                for _ in 0..<5 {
                    guard let request = http2.request() else { return }
                    http2.echo(request)
                }
            }
        } _: { (wire) async throws in
            for _ in 0..<25 {
                var request = wire.request()
                request.headers[.authorization] = "Basic MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3OjAxMjM0NTY3"
                try await wire.echo(request)
            }
            let values = wire.journal.heads.map { $0.request.header("authorization") }
            #expect(Set(values).count == 1 && values.count == 25)
        }
    }

    @Test("a header of 40,000 bytes is read and one beyond the limit is not, in one piece or in several")
    func headerSize() async throws {
        let long = String(repeating: "a", count: 40_000)
        try await HostileWire.run { http2, _ in
            while let request = http2.request() {
                let stream = request.stream
                switch request.path {
                case "/fits":
                    http2.header(stream, [(":status", "200"), ("x-long", long)])
                    http2.data(stream, Array(request.path.utf8), isLast: true)
                case "/once": http2.header(stream, [(":status", "200"), ("x-a", long), ("x-b", long)], isLast: true)
                case "/interim":
                    for _ in 0..<2 { http2.header(stream, [(":status", "103"), ("x-a", long)]) }
                    http2.header(stream, [(":status", "200")], isLast: true)
                case "/trailers":
                    http2.header(stream, [(":status", "200"), ("x-a", long)])
                    http2.data(stream, [1])
                    http2.header(stream, [("x-b", long)], isLast: true)
                default: http2.echo(request)
                }
            }
        } _: { (wire) async throws in
            for path in ["/once", "/interim", "/trailers"] {
                let error = await wire.failure(wire.request(.post, path))
                #expect(error?.kind == .malformedResponse && error?.effect == .unknown, "\(path)")
                try await wire.echo()
            }
            try await wire.echo(wire.request(.post, "/fits"))
        }
    }

    @Test(
        "a body up to the limit is read and one beyond it is not, whether its length is known or not",
        arguments: [HostileHTTP2.Ending.withData, .never])
    func bodySize(ending: HostileHTTP2.Ending) async throws {
        try await HostileWire.run(.patient { $0.maxResponseBytes = 200_000 }) { http2, _ in
            while let request = http2.request() {
                let count = 200_000 + (request.path == "/more" ? 1 : 0)
                http2.answer(request.stream, 200, [UInt8](repeating: 0x20, count: count), ending: ending)
                if ending == .never { http2.data(request.stream, [], isLast: true) }
            }
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request(.post, "/more"))
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
            let response = try await wire.transport.send(wire.request())
            #expect(response.body.count == 200_000 && response.connection == 1)
        }
    }
}
