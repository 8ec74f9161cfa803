import PushAdapter
import TestSupport
import Testing
import WebPushBrowser

/// The WebSockets of the push service for browsers, over sockets of this machine.
@Suite("The browser's WebSocket over loopback", .timeLimit(.minutes(5)))
struct WebSocketServerTests {
    typealias Client = WebSocketClient

    /// Runs a server that returns each text. No handshake is too slow for it.
    private func withEcho(_ body: @Sendable (_ port: Int) async throws -> Void) async throws {
        try await WebSocketServer.run(handshakeTime: .seconds(600)) { connection in
            for await text in connection.texts { connection.send(text) }
        } _: { port in
            try await body(port)
        }
    }

    /// Sends bytes over a new connection. Returns the frames that arrive until the server closes.
    private func answers(to bytes: [UInt8], port: Int) async throws -> [Client.Frame] {
        var client = try #require(try await Client.open(port: port))
        try await client.send(bytes)
        return await client.frames()
    }

    // MARK: Messages

    @Test("texts arrive whole and in order, fragments too, up to the longest; a ping between them gets its pong")
    func texts() async throws {
        try await withEcho { port in
            var client = try #require(try await Client.open(port: port))
            try await client.send(Client.text("{}") + Client.text("Käpt’n 🚢"))
            #expect(await client.frame() == .text("{}"))
            #expect(await client.frame() == .text("Käpt’n 🚢"))
            // A mask that changes the bytes.
            try await client.send([0x81, 0x82, 1, 2, 3, 4, UInt8(ascii: "h") ^ 1, UInt8(ascii: "i") ^ 2])
            #expect(await client.frame() == .text("hi"))
            // The cut is inside a character.
            try await client.send(Client.frame(1, [0x66, 0xC3], isFinal: false) + Client.frame(9, [7]))
            #expect(await client.frame() == Client.Frame(opcode: 10, payload: [7]))
            try await client.send(Client.frame(0, [0xBC, 0x72]))
            #expect(await client.frame() == .text("für"))
            let longest = String(repeating: "x", count: WebSocketServer.longestMessage)
            try await client.send(Client.text(longest))
            #expect(await client.frame() == .text(longest))
        }
    }

    @Test(
        "a frame that the server does not take closes the connection with the code for it",
        arguments: [
            ("binary", Client.frame(2, [1, 2, 3]), 1003), ("not UTF-8", Client.frame(1, [0xC3, 0x28]), 1007),
            ("too long", Client.header(1, length: WebSocketServer.longestMessage + 1), 1009),
            ("a ping in fragments", Client.header(9, length: 1, isFinal: false), 1002),
            ("a ping of 126 bytes", Client.header(9, length: 126), 1002),
            ("a goodbye", Client.frame(8, [3, 0xE9]), 1000),
        ])
    func refusedFrames(name: String, bytes: [UInt8], code: Int) async throws {
        try await withEcho { port in
            let answers = try await answers(to: bytes, port: port)
            #expect(answers == [.close(code)])
            // The server is still there for others.
            #expect(try await Client.open(port: port) != nil)
        }
    }

    @Test(
        "fragments that are too many, empty or together too long close the connection",
        arguments: [
            (
                "too many",
                Client.frame(1, [0x78], isFinal: false)
                    + (1..<WebSocketServer.mostFragments).flatMap { _ in Client.frame(0, [0x78], isFinal: false) }
            ),
            ("empty", Client.frame(1, isFinal: false)), ("without a start", Client.frame(0, [0x78])),
            ("a text between", Client.frame(1, [0x78], isFinal: false) + Client.text("y")),
        ])
    func fragments(name: String, bytes: [UInt8]) async throws {
        try await withEcho { (port) async throws in #expect(try await answers(to: bytes, port: port) == []) }
    }

    @Test("fragments may be as long as a message together, and not longer")
    func longFragments() async throws {
        try await withEcho { port in
            let half = [UInt8](repeating: 0x78, count: WebSocketServer.longestMessage / 2)
            let start = Client.frame(1, half, isFinal: false)
            var client = try #require(try await Client.open(port: port))
            try await client.send(start)
            try await client.send(Client.frame(0, half))
            #expect(await client.frame()?.payload.count == WebSocketServer.longestMessage)
            try await client.send(start)
            try await client.send(Client.frame(0, half, isFinal: false))
            try await client.send(Client.frame(0, [0x78]))
            #expect(await client.frame() == nil)
        }
    }

    // MARK: Speed

    @Test("a client that sends more than may wait is closed; all that waited is served")
    func tooFast() async throws {
        let (gate, key) = AsyncStream.makeStream(of: Void.self)
        let served = Locked(0)
        try await WebSocketServer.run(handshakeTime: .seconds(600)) { connection in
            for await _ in gate {}
            for await _ in connection.texts { served.withLock { $0 += 1 } }
        } _: { port in
            defer { key.finish() }
            let texts = (0...WebSocketServer.mostWaiting).flatMap { _ in Client.text("") }
            let answers = try await answers(to: texts, port: port)
            #expect(answers == [.close(1008)])
        }
        #expect(served.withLock { $0 } == WebSocketServer.mostWaiting)
    }

    @Test("a client that does not read is closed")
    func doesNotRead() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        try await WebSocketServer.run(handshakeTime: .seconds(600)) { connection in
            let isOpen = Locked(true)
            async let ending: Void = {
                for await _ in connection.texts {}
                isOpen.withLock { $0 = false }
            }()
            let text = String(repeating: "x", count: 1 << 16)
            while isOpen.withLock({ $0 }) {
                connection.send(text)
                await Task.yield()
            }
            await ending
            end.finish()
        } _: { port in
            let client = try #require(try await Client.open(port: port))
            try await client.stopReading()
            for await _ in ends {}
            // It may have noticed the end by itself.
            try? await client.close()
        }
    }

    // MARK: Connections

    /// Requests that get no WebSocket: a name, a text in the right request, and what takes its place.
    private static let refused: [(String, String, String)] = [
        ("no upgrade", "Upgrade: websocket\r\nConnection: Upgrade\r\n", ""),
        ("another protocol", "Upgrade: websocket", "Upgrade: h2c"),
        ("another path", "GET / ", "GET /push "), ("a query", "GET / ", "GET /?token=1 "),
        ("another method", "GET / ", "POST / "),
        ("another version", "Version: 13", "Version: 8"),
        ("no key", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", ""),
        ("another name of this machine", "Host: 127.0.0.1", "Host: localhost"),
        ("no host", "Host: ", "Guest: "), ("two hosts", "Upgrade: ", "Host: push.example\r\nUpgrade: "),
        ("a page of this machine", "Upgrade: ", "Origin: http://127.0.0.1:PORT\r\nUpgrade: "),
        ("a page of another site", "Upgrade: ", "Origin: https://push.example\r\nUpgrade: "),
        ("a page without an origin", "Upgrade: ", "Origin: null\r\nUpgrade: "),
        ("not HTTP", "GET / HTTP/1.1", "hello"),
    ]

    @Test("a request that asks for anything else gets no WebSocket", arguments: refused)
    func refusedHandshakes(name: String, text: String, other: String) async throws {
        try await withEcho { port in
            let right = Client.handshake(port: port)
            let request = right.replacing(text, with: other.replacing("PORT", with: "\(port)"), maxReplacements: 1)
            try #require(request != right)
            #expect(try await Client.open(port: port, request) == nil)
            #expect(try await Client.open(port: port) != nil)
        }
    }

    @Test("Firefox's push service gets its WebSocket, with the protocol that it asks for")
    func firefox() async throws {
        try await withEcho { port in
            let fields = "Origin: ws://127.0.0.1:\(port)/\r\nSec-WebSocket-Protocol: push-notification\r\nUpgrade: "
            var client = try await Client(port: port)
            try await client.send(
                text: Client.handshake(port: port).replacing("Upgrade: ", with: fields, maxReplacements: 1))
            let head = await client.head()
            #expect(head.hasPrefix("HTTP/1.1 101 "))
            #expect(head.contains("\r\nSec-WebSocket-Protocol: push-notification\r\n"))
        }
    }

    @Test("one connection more than the limit is closed; the next one stays when another has left")
    func tooMany() async throws {
        try await withEcho { port in
            var open: [Client] = []
            for _ in 0..<WebSocketServer.mostConnections {
                open.append(try #require(try await Client.open(port: port)))
            }
            #expect(try await Client.open(port: port) == nil)
            for index in open.indices {
                try await open[index].send(Client.text("\(index)"))
                #expect(await open[index].frame() == .text("\(index)"))
            }
            try await open.removeLast().close()
            // The server learns of the end after the client.
            try await until { try await Client.open(port: port) != nil }
        }
    }

    @Test("a client without a handshake is closed after a time; an open WebSocket may be silent")
    func idle() async throws {
        try await WebSocketServer.run(handshakeTime: .milliseconds(200)) { connection in
            for await text in connection.texts { connection.send(text) }
        } _: { port in
            var open: Client?
            // A slow machine may need longer for the handshake.
            await until {
                open = try? await Client.open(port: port)
                return open != nil
            }
            for start in ["", "GET / HTTP/1.1\r\nHost: 127"] {
                var silent = try await Client(port: port)
                // The server may have closed already.
                try? await silent.send(text: start)
                #expect(await silent.frames() == [])
            }
            var client = try #require(open)
            try await client.send(Client.text("still here"))
            #expect(await client.frame() == .text("still here"))
        }
    }

    // MARK: The end

    @Test("a connection that is served closes normally, after all that was sent")
    func served() async throws {
        try await WebSocketServer.run(handshakeTime: .seconds(600)) { connection in
            connection.send("goodbye")
        } _: { port in
            var client = try #require(try await Client.open(port: port))
            #expect(await client.frames() == [.text("goodbye"), .close(1000)])
        }
    }

    @Test("the end of the server closes all connections, after a failure too", arguments: [false, true])
    func end(fails: Bool) async throws {
        struct Failure: Error {}
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        async let last: [Client.Frame]? = {
            defer { open.finish() }
            for await port in ports {
                var client = try await Client.open(port: port)
                open.finish()
                return await client?.frames()
            }
            return nil
        }()
        do {
            try await withEcho {
                port.yield($0)
                for await _ in opened {}
                if fails { throw Failure() }
            }
            #expect(!fails)
        } catch is Failure {
            #expect(fails)
        }
        #expect(try await last == [])
    }

    @Test("a port that is in use is an error that names it")
    func portInUse() async throws {
        try await withEcho { port in
            let error = await #expect(throws: PushError.self) {
                try await WebSocketServer.run(port: port) { _ in
                } _: { _ in
                }
            }
            #expect(error?.kind == .invalidState)
            #expect(error?.message.contains("port \(port)") == true)
        }
    }
}
