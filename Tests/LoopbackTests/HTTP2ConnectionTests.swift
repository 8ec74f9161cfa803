import Foundation
import HostileServer
import PushAdapter
import PushHTTP2
import TestSupport
import Testing

/// The connection that a request uses, and when a connection counts as dead.
@Suite("HTTP/2 transport, connections", .timeLimit(.minutes(5)))
struct HTTP2ConnectionTests {
    // MARK: Which connection

    @Test("requests of one group share a connection; those of two groups never do")
    func groups() async throws {
        try await HostileWire.run { http2, _ in
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            var connections: [String: Set<Int?>] = [:]
            for _ in 0..<3 {
                for group in ["a", "b", nil] {
                    let connection = try await wire.echo(wire.request(group: group))
                    connections[group ?? "none", default: []].insert(connection)
                }
            }
            #expect(connections.values.allSatisfy { $0.count == 1 && !$0.contains(nil) })
            #expect(Set(connections.values).count == 3 && wire.server.connections == 3)
        }
    }

    @Test("a retired connection finishes what it has and closes; the next request has another one")
    func retire() async throws {
        let gate = Gate()
        let ended = Locked<Set<Int>>([])
        try await HostileWire.run { http2, number in
            while let request = http2.request() {
                if request.path == "/held" { gate.wait() }
                http2.echo(request)
            }
            ended.withLock { _ = $0.insert(number) }
        } _: { (wire) async throws in
            let warm = try await wire.echo()
            let first = try #require(warm)
            let held = Task { try await wire.echo(wire.request(.post, "/held")) }
            await until { wire.journal.paths.contains("/held") }
            wire.transport.retire(first)
            // No connection has this number.
            wire.transport.retire(first + 100)
            let next = try await wire.echo()
            let second = try #require(next)
            #expect(second != first)
            gate.open()
            #expect(try await held.value == first)
            await until { ended.withLock { $0 == [1] } }
            // It has no open requests.
            wire.transport.retire(second)
            await until { ended.withLock { $0 == [1, 2] } }
            #expect(try await wire.echo() != second)
            #expect(wire.server.connections == 3 && wire.journal.resets.isEmpty)
        }
    }

    @Test("a further connection is opened when all others have answered twice and are full, up to the limit")
    func moreConnections() async throws {
        let gates = [Gate(), Gate(), Gate()]
        let settled = Locked(0)
        try await HostileWire.run(
            .patient { $0.maxConnections = 3 }, greeting: [(.streams, 1), (.window, 0x7FFF_FFFF)]
        ) { http2, number in
            while let request = http2.request() {
                http2.settle()
                settled.withLock { $0 += 1 }
                guard number <= 3, gates[number - 1].wait() else { return }
                http2.echo(request)
            }
        } _: { (wire) async throws in
            let all = Task { try await wire.echoes(8) }
            // The first connection has a request that waits for its response. That does not make the client open
            // another connection.
            await until { settled.withLock { $0 } == 1 }
            #expect(wire.server.connections == 1)
            // Nor does its first response: the server may raise the stream limit right after it.
            gates[0].open(1)
            await until { settled.withLock { $0 } == 2 }
            #expect(wire.server.connections == 1)
            gates[0].open(1)
            await until { settled.withLock { $0 } == 4 }
            #expect(wire.server.connections == 2)
            gates[1].open(1)
            await until { settled.withLock { $0 } == 5 }
            #expect(wire.server.connections == 2)
            gates[1].open(1)
            await until { settled.withLock { $0 } == 7 }
            #expect(wire.server.connections == 3)
            gates[2].open(1)
            await until { settled.withLock { $0 } == 8 }
            for gate in gates { gate.open() }
            try await all.value
            #expect(wire.server.connections == 3)
        }
    }

    @Test("the end of one request lets the next one go at once, also where the server allows a single stream")
    func cancelledStream() async throws {
        try await HostileWire.run(
            .patient { $0.maxConnections = 1 }, greeting: [(.streams, 1), (.window, 0x7FFF_FFFF)]
        ) { http2, _ in
            while let request = http2.request() { if request.path != "/held" { http2.echo(request) } }
        } _: { (wire) async throws in
            let held = Task { try await wire.transport.send(wire.request(.post, "/held", seconds: 280)) }
            await until { !wire.journal.heads.isEmpty }
            let isStarted = Locked(false)
            let next = Task {
                isStarted.withLock { $0 = true }
                return try await wire.echo(wire.request(seconds: 280))
            }
            await until { isStarted.withLock { $0 } }
            // When this request is answered, the thread has already taken the earlier one.
            try await wire.echo(wire.request(group: "other"))
            held.cancel()
            let start = ContinuousClock.now
            _ = try await next.value
            // This is long before anything else wakes the thread.
            #expect(ContinuousClock.now - start < .seconds(60))
            _ = await held.result
        }
    }

    @Test("a shutdown in the same moment as a cancellation leaves no descriptor behind")
    func cancelledShutdown() async {
        // Runs in its own process, so that no other test opens descriptors.
        await #expect(processExitsWith: .success) {
            func count() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }
            func useTransports(_ number: Int) async throws {
                for _ in 0..<number {
                    try await HostileWire.run { http2, _ in
                        while http2.request() != nil {}
                    } _: { (wire) async throws in
                        let held = Task { try await wire.transport.send(wire.request()) }
                        await until { !wire.journal.heads.isEmpty }
                        // This runs on the transport's thread, which then finds both in its inbox.
                        await withTaskExecutorPreference(wire.transport.executor) {
                            held.cancel()
                            await wire.transport.shutdown()
                        }
                        _ = await held.result
                    }
                }
            }
            try await useTransports(2)
            let before = count()
            try await useTransports(20)
            guard count() <= before + 4 else { fatalError("\(count() - before) descriptors were left behind") }
        }
    }

    @Test("transports that cannot be made leave no descriptor behind")
    func failedTransports() async {
        // Runs in its own process, so that no other test opens descriptors.
        await #expect(processExitsWith: .success) {
            func count() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }
            let changes: [(inout HTTP2Configuration) -> Void] = [
                { $0.caFile = "/nowhere" }, { $0.proxy = Secret("nonsense") }, { $0.userAgent = "a\nb" },
                { $0.pinnedPublicKey = "x" },
            ]
            let before = count()
            for change in changes {
                for _ in 0..<10 {
                    var settings = HTTP2Configuration()
                    change(&settings)
                    if (try? HTTP2Transport(settings)) != nil { fatalError("it was made") }
                }
            }
            guard count() <= before + 2 else { fatalError("\(count() - before) descriptors were left behind") }
        }
    }

    @Test("requests that wait for one group of connections keep those of another group waiting no longer")
    func stalledGroup() async throws {
        try await HostileWire.run(.patient { $0.maxInFlight = 2 }) { http2, number in
            while let request = http2.request() {
                if request.path.hasPrefix("/held") { continue } else { http2.echo(request) }
            }
        } _: { (wire) async throws in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        _ = try? await wire.transport.send(wire.request(.post, "/held/\(number)", group: "stalled"))
                    }
                }
                await until { wire.journal.heads.count == 2 }
                await #expect(throws: Never.self) { try await wire.echo() }
                group.cancelAll()
            }
        }
    }

    @Test("a connection that cannot be opened fails no more requests than it could have taken")
    func failedOpening() async throws {
        let (isFirst, isWaiting) = (Locked(true), Gate())
        try await HostileWire.raw(.patient { $0.maxInFlight = 2 }) { connection in
            let mustFail = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if mustFail {
                isWaiting.wait()
                return connection.close()
            }
            guard let http2 = HostileHTTP2(connection) else { return }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            let failures = Locked<[PushError]>([])
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<7 {
                    group.addTask {
                        do throws(PushError) {
                            _ = try await wire.transport.send(wire.request())
                        } catch {
                            failures.withLock { $0.append(error) }
                        }
                    }
                }
                await until { wire.server.connections == 1 }
                // By then, the other requests are waiting in line.
                try? await Task.sleep(for: .milliseconds(50))
                isWaiting.open()
            }
            #expect((1...2).contains(failures.withLock { $0 }.count))
            #expect(failures.withLock { $0 }.allSatisfy { $0.effect == .notApplied })
        }
    }

    @Test("a connection that answers PINGs and refuses all requests is given up for another one")
    func refusing() async throws {
        try await HostileWire.run { http2, number in
            while let request = http2.request() {
                if number > 1 || request.path == "/first" {
                    http2.echo(request)
                } else {
                    http2.reset(request.stream, code: 7)
                }
            }
        } _: { (wire) async throws in
            // The connection worked once.
            let first = try await wire.echo(wire.request(.post, "/first"))
            for _ in 0..<10 { #expect(await wire.failure(wire.request())?.effect == .notApplied) }
            #expect(try await wire.echo() != first)
            #expect(wire.server.connections == 2)
        }
    }

    @Test("deadlines that are shorter than a PING may take say nothing against a connection")
    func impatientCallers() async throws {
        try await HostileWire.run { http2, _ in
            while let request = http2.request() { if !request.path.hasSuffix("/none") { http2.echo(request) } }
        } _: { (wire) async throws in
            let first = try await wire.echo()
            var request = wire.request()
            request.timeout = .milliseconds(20)
            for number in 0..<12 {
                request.url = wire.origin + "/\(number)/none"
                #expect(await wire.failure(request)?.kind == .timeout)
            }
            #expect(try await wire.echo() == first)
        }
    }

    @Test("answers that arrived before the connection broke are read, although the break is seen while writing")
    func answeredBreak() async throws {
        let (isHeld, isBroken) = (Gate(), Gate())
        try await HostileWire.run { http2, number in
            if number > 1 {
                while let request = http2.request() { http2.echo(request) }
                return
            }
            guard let request = http2.request() else { return }
            isHeld.wait()
            http2.echo(request)
            http2.connection.reset()
            isBroken.open()
        } _: { (wire) async throws in
            let answered = Task { try await wire.echo(wire.request(.post, "/answered")) }
            await until { !wire.journal.heads.isEmpty }
            // The thread that would read the response is blocked until there is something to write.
            let late = await withTaskExecutorPreference(wire.transport.executor) {
                isHeld.open()
                isBroken.wait()
                return await wire.failure(wire.request())
            }
            #expect(late?.kind == .transport)
            await #expect(throws: Never.self) { try await answered.value }
        }
    }

    // MARK: Dead peers

    @Test(
        "a server that falls silent in the middle is noticed long before the request's deadline",
        arguments: [false, true])
    func silent(isReading: Bool) async throws {
        let gate = Gate()
        try await HostileWire.run(
            .patient {
                $0.pingInterval = .milliseconds(100)
                $0.pingTimeout = .seconds(2)
            }
        ) { http2, number in
            guard number > 1 || isReading else {
                // The rest of the client's bytes stay in the system's buffer.
                if http2.request() != nil { gate.wait() }
                return
            }
            http2.answersPings = number > 1
            while let request = http2.request() { if number > 1 { http2.echo(request) } }
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.kind == .transport && error?.effect == .unknown)
            #expect(try await wire.echo() != 1)
            #expect(wire.journal.frames(.ping).isEmpty != isReading)
            gate.open()
        }
    }

    @Test("a server that answers PINGs and not the request is alive: the request ends at its deadline")
    func onlyPings() async throws {
        try await HostileWire.run(
            .patient {
                $0.pingInterval = .milliseconds(100)
                $0.pingTimeout = .seconds(3)
            }
        ) { http2, _ in
            while let request = http2.request() { if request.path != "/held" { http2.echo(request) } }
        } _: { (wire) async throws in
            try await wire.echo()
            // Longer than a PING may take.
            let error = await wire.failure(wire.request(.post, "/held", seconds: 5))
            #expect(error?.kind == .timeout && error?.effect == .unknown)
            #expect(wire.journal.frames(.ping).count > 1)
            #expect(try await wire.echo() == 1)
        }
    }

    @Test("after a silence, a connection is asked for a sign of life before it gets a request")
    func signOfLife() async throws {
        try await HostileWire.run(
            .patient {
                $0.pingInterval = .milliseconds(100)
                $0.pingTimeout = .seconds(10)
            }
        ) { http2, _ in
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            try await wire.echo()
            let before = wire.journal.entries.count
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await wire.echo() == 1)
            let types = wire.journal.entries.dropFirst(before).map(\.frame.type)
            let ping = try #require(types.firstIndex(of: .ping))
            let head = try #require(types.firstIndex(of: .headers))
            #expect(ping < head)
        }
    }

    @Test("a connection that gives no sign of life gets no request: it goes over another one, and succeeds")
    func noSignOfLife() async throws {
        try await HostileWire.run(
            .patient {
                $0.pingInterval = .milliseconds(100)
                $0.pingTimeout = .seconds(2)
            }
        ) { http2, number in
            while let request = http2.request() {
                http2.echo(request)
                if number == 1 { http2.answersPings = false }
            }
        } _: { (wire) async throws in
            #expect(try await wire.echo() == 1)
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await wire.echo() != 1)
            #expect(wire.journal.heads.map(\.connection) == [1, 2])
            #expect(!wire.journal.frames(.ping, on: 1).isEmpty)
        }
    }

    @Test("a connection that the server closes behind a response costs no request")
    func closedBehind() async throws {
        let closed = Locked(0)
        try await HostileWire.run { http2, _ in
            guard let request = http2.request() else { return }
            http2.together {
                http2.echo(request)
                http2.goAway(last: request.stream)
            }
            http2.connection.close()
            closed.withLock { $0 += 1 }
        } _: { (wire) async throws in
            for number in 1...10 {
                try await wire.echo()
                await until { closed.withLock { $0 } == number }
            }
            #expect(wire.server.connections == 10)
        }
    }
}
