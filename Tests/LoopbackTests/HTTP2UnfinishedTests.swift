import HostileServer
import PushAdapter
import PushHTTP2
import TestSupport
import Testing

/// Responses that do not end, and responses that come after their callers have given up.
@Suite("HTTP/2 transport, unfinished responses", .timeLimit(.minutes(5)))
struct HTTP2UnfinishedTests {
    @Test("callers who give up soon do not keep a connection that answers PINGs and nothing else")
    func impatient() async throws {
        try await HostileWire.run(.patient { $0.pingTimeout = .milliseconds(500) }) { http2, number in
            while let request = http2.request() {
                if number > 1 || request.path == "/first" { http2.echo(request) }
            }
        } _: { (wire) async throws in
            let first = try await wire.echo(wire.request(.post, "/first"))
            let start = ContinuousClock.now
            var lost = 0
            var connection = first
            while connection == first {
                var request = wire.request()
                request.timeout = .milliseconds(30)
                do throws(PushError) { connection = try await wire.transport.send(request).connection } catch {
                    if error.effect == .unknown { lost += 1 }
                    try #require(ContinuousClock.now - start < .seconds(120))
                }
            }
            // The oldest request had waited this long, and ten were lost.
            #expect(lost >= 10 && ContinuousClock.now - start >= .milliseconds(500))
            #expect(wire.server.connections == 2)
        }
    }

    @Test("responses to requests that were given up are no flood, however long they are")
    func lateBodies() async throws {
        let gate = Gate()
        try await HostileWire.run { http2, _ in
            // 24 MiB, the most that the streams' windows allow.
            let held = http2.requests(96)
            gate.wait()
            http2.settle()
            for request in held {
                http2.together {
                    http2.header(request.stream, [(":status", "200")])
                    for _ in 0..<15 { http2.data(request.stream, [UInt8](repeating: 0x61, count: 16_000)) }
                    http2.data(request.stream, [], isLast: true)
                }
            }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<96 { group.addTask { _ = await wire.outcomes(1) } }
                await until { wire.journal.heads.count == 96 }
                group.cancelAll()
            }
            gate.open()
            #expect(try await wire.echo() == 1)
            try await wire.echoes(20)
            #expect(wire.server.connections == 1)
        }
    }

    @Test("all unfinished responses together have a limit; above it, the longest one ends")
    func together() async throws {
        let (longIsIn, isOver) = (Gate(), Gate())
        let settings = HTTP2Configuration.patient { $0.maxUnfinishedBytes = 100_000 }
        try await HostileWire.run(settings) { http2, _ in
            let requests = http2.requests(5).sorted { $0.path < $1.path }
            for (index, request) in requests.enumerated() {
                http2.header(request.stream, [(":status", "200")])
                // The first response has 40,000 bytes, the others 16,000.
                for _ in 0..<(index == 0 ? 5 : 2) {
                    http2.data(request.stream, [UInt8](repeating: 0x61, count: 8_000))
                }
            }
            longIsIn.open()
            isOver.wait()
            for request in requests.dropFirst() { http2.data(request.stream, [], isLast: true) }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            let results = await withTaskGroup(of: (Int, Result<WireResponse, PushError>).self) { group in
                for number in 0..<5 {
                    group.addTask {
                        let request = wire.request(.post, "/long/\(number)")
                        do throws(PushError) {
                            return (number, .success(try await wire.transport.send(request)))
                        } catch {
                            isOver.open()
                            return (number, .failure(error))
                        }
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            longIsIn.wait()
            for number in 1..<5 { #expect(try results[number]?.get().body.count == 16_000) }
            let error = #expect(throws: PushError.self) { try results[0]?.get() }
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
            #expect(error?.message.contains("maxUnfinishedBytes") == true)
            // Finished responses do not count any more.
            for _ in 0..<3 { try await wire.echoes(20) }
            #expect(wire.server.connections == 1)
        }
    }

    @Test("connections of a group that is retired close when their requests have ended, and others stay")
    func retiredGroup() async throws {
        let ended = Locked<[Int]>([])
        try await HostileWire.run { http2, number in
            while let request = http2.request() { http2.echo(request) }
            ended.withLock { $0.append(number) }
        } _: { (wire) async throws in
            let old = try await wire.echo(wire.request(group: "old"))
            let new = try await wire.echo(wire.request(group: "new"))
            wire.transport.retire(group: "old")
            // A late request still works, over this connection or a new one.
            try await wire.echo(wire.request(group: "old"))
            await until { ended.withLock { $0.contains { $0 == old } } }
            #expect(try await wire.echo(wire.request(group: "new")) == new)
        }
    }
}
