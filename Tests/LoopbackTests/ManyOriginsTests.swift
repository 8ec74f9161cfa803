import HostileServer
import PushAdapter
import PushCurl
import PushHTTP2
import TestSupport
import Testing

/// What a transport keeps does not grow with the number of hosts that it has met.
@Suite("Transports, many origins", .timeLimit(.minutes(5)))
struct ManyOriginsTests {
    @Test("HTTP/2: above maxIdleConnections, the connection that was idle for the longest time is closed")
    func idleConnections() async throws {
        let ended = Locked<Set<Int>>([])
        try await HostileWire.run(.patient { $0.maxIdleConnections = 2 }) { http2, number in
            while let request = http2.request() { http2.echo(request) }
            ended.withLock { _ = $0.insert(number) }
        } _: { (wire) async throws in
            var numbers: [String: Int?] = [:]
            for group in ["a", "b", "c"] { numbers[group] = try await wire.echo(wire.request(group: group)) }
            await until { ended.withLock { $0 } == [1] }
            for group in ["c", "b"] { #expect(try await wire.echo(wire.request(group: group)) == numbers[group]) }
            #expect(ended.withLock { $0 } == [1] && wire.server.connections == 3)
            #expect(try await wire.echo(wire.request(group: "a")) != numbers["a"])
            await until { ended.withLock { $0 } == [1, 3] }
            #expect(try await wire.echo(wire.request(group: "b")) == numbers["b"])
        }
    }

    @Test("HTTP/2: without idle connections, each request has its own, and none is closed in use")
    func noIdleConnections() async throws {
        let isOpen = Gate()
        try await HostileWire.run(.patient { $0.maxIdleConnections = 0 }) { http2, _ in
            while let request = http2.request() {
                if request.path == "/held" { isOpen.wait() }
                http2.echo(request)
            }
        } _: { (wire) async throws in
            let held = Task { try await wire.echo(wire.request(.post, "/held", seconds: 120, group: "held")) }
            await until { wire.journal.paths.contains("/held") }
            for _ in 0..<3 { try await wire.echo(wire.request(seconds: 120)) }
            #expect(wire.server.connections == 4)
            isOpen.open()
            _ = try await held.value
        }
    }

    @Test("libcurl: 64 idle connections are kept, and none is closed while its response is read")
    func idleCurlConnections() async throws {
        let ended = Locked(0)
        let servers = try (0..<80).map { _ in
            try HostileServer { connection in
                while connection.request() != nil { connection.write(HostileConnection.answer(200, "ok")) }
                ended.withLock { $0 += 1 }
            }
        }
        defer { for server in servers { server.stop() } }
        let transport = try CurlTransport(.with { $0.maxInFlight = 1 })
        for server in servers {
            let request = TransportRequest(
                method: .get, url: "http://127.0.0.1:\(server.port)/x", timeout: .seconds(60))
            #expect(try await transport.send(request).status == 200)
        }
        await until { ended.withLock { $0 } >= 80 - 64 }
        #expect(ended.withLock { $0 } == 80 - 64)
        await transport.shutdown()
    }

    @Test("after 16 abandoned lookups of a host, one a second may start, and others go on")
    func lookupsOfOneHost() {
        var lookups = NameLookups()
        let start = ContinuousClock.now
        func mayStart(_ host: String, after time: Duration) -> Bool { lookups.mayStart(host, now: start + time) }
        for _ in 0..<NameLookups.most {
            let isFree = mayStart("a", after: .zero)
            #expect(isFree)
            lookups.abandon("a", now: start)
        }
        let atOnce = [mayStart("a", after: .zero), mayStart("a", after: .zero), mayStart("b", after: .zero)]
        #expect(atOnce == [true, false, true])
        let later = [mayStart("a", after: .seconds(1)), mayStart("a", after: .seconds(1.5))]
        #expect(later == [true, false])
        let end = NameLookups.longest
        let atEnd = [mayStart("a", after: end), mayStart("a", after: end)]
        #expect(atEnd == [true, true])
    }

    @Test("abandoned lookups of many hosts count together")
    func lookupsOfManyHosts() {
        var lookups = NameLookups()
        let start = ContinuousClock.now
        for number in 0..<NameLookups.mostTogether { lookups.abandon("host\(number)", now: start) }
        let atOnce = ["a", "b"].map { lookups.mayStart($0, now: start) }
        #expect(atOnce == [true, false])
        let later = ["a", "b"].map { lookups.mayStart($0, now: start + .seconds(1)) }
        #expect(later == [true, false])
        let atEnd = ["a", "b"].map { lookups.mayStart($0, now: start + NameLookups.longest) }
        #expect(atEnd == [true, true])
    }
}
