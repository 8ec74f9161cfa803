import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import TestSupport
import Testing

@testable import PushOutbox

/// The store's knowledge of a slice while its requests wait or are in flight. A crash leaves exactly this.
@Suite("What a crash leaves of a slice", .timeLimit(.minutes(20)))
struct JournalTests {
    /// A connection with a limited number of streams, to a vendor whose responses the test releases.
    private final class HeldTransport: HTTPTransport {
        private struct State {
            var streams: Int
            var waiting = 0
            var arrived = 0
            var isBroken = false
            var places: [CheckedContinuation<Bool?, Never>] = []
        }

        private let inner: InProcessTransport
        private let state: Locked<State>
        /// Whether to hold the response to a message with this body.
        private let holds: @Sendable (String) -> Bool

        init(
            _ inner: InProcessTransport, streams: Int = 1 << 20, holding holds: @escaping @Sendable (String) -> Bool
        ) {
            (self.inner, self.holds) = (inner, holds)
            state = Locked(State(streams: streams))
        }

        /// Requests waiting for a stream.
        var waiting: Int { state.withLock { $0.waiting } }
        /// Messages that reached the vendor.
        var arrived: Int { state.withLock { $0.arrived } }

        /// Checks again which responses to hold.
        func look() { change { _ in } }
        /// Ends the process of this connection.
        func breakOff() { change { $0.isBroken = true } }

        func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
            try await send(request, beforeWriting: {})
        }

        func send(
            _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
        ) async throws(PushError) -> WireResponse {
            state.withLock { $0.waiting += 1 }
            try await wait(.notApplied) { state in
                guard state.streams > 0 else { return false }
                state.streams -= 1
                state.waiting -= 1
                return true
            }
            defer { change { $0.streams += 1 } }
            try await mayLeave()
            let response = try await inner.send(request)
            guard request.url.hasSuffix("/messages"), case .bytes(let bytes, _) = request.body else { return response }
            state.withLock { $0.arrived += 1 }
            let text = String(decoding: bytes, as: UTF8.self)
            try await wait(.unknown) { [holds] _ in !holds(text) }
            return response
        }

        private func wait(
            _ effect: PushError.Effect, until holds: @escaping (inout State) -> Bool
        ) async throws(PushError) {
            while true {
                // Nil means that the state must be checked again.
                let isBroken: Bool? = await withCheckedContinuation { place in
                    let isOver: Bool? = state.withLock { state in
                        if state.isBroken { return true }
                        if holds(&state) { return false }
                        state.places.append(place)
                        return nil
                    }
                    if let isOver { place.resume(returning: isOver) }
                }
                if isBroken == true { throw PushError(.transport, "the process has ended", effect: effect) }
                if isBroken == false { return }
            }
        }

        private func change(_ edit: (inout State) -> Void) {
            let places = state.withLock { state in
                edit(&state)
                defer { state.places = [] }
                return state.places
            }
            for place in places { place.resume(returning: nil) }
        }

        func shutdown() async { breakOff() }
    }

    /// A process that sends a campaign over such a connection until the test kills it.
    private struct Process {
        let world: OutboxWorld
        let transport: HeldTransport
        private let life = Life(endingAt: .max)
        private let outbox: PushOutbox
        private let work: Task<Void, any Error>

        init(_ world: OutboxWorld, streams: Int = 1 << 20, holding holds: @escaping @Sendable (String) -> Bool)
            async throws
        {
            self.world = world
            transport = HeldTransport(InProcessTransport(world.host), streams: streams, holding: holds)
            outbox = world.outbox(life, client: world.client(atOnce: 200, over: transport))
            try await world.enqueue(outbox)
            work = Task { [outbox] in try await outbox.runUntilIdle() }
        }

        /// Kills the process. Returns the next process's report after it has sent the rest.
        func kill() async throws -> CampaignProgress {
            life.end()
            work.cancel()
            transport.breakOff()
            _ = await work.result
            await world.forgetProcesses()
            let next = world.outbox()
            #expect(try await world.finish(next))
            #expect(await world.deliveries.allSatisfy { $0 <= 1 })
            return try await next.progress(now: "sale")
        }

        /// The accepted targets according to the store.
        var accepted: Int {
            get async { (try? await world.outbox().progress(now: "sale").accepted) ?? 0 }
        }
    }

    // MARK: Requests that wait inside the transport

    @Test("requests that wait for a connection are not marked: after a crash all are sent, and none is unknown")
    func noConnection() async throws {
        let process = try await Process(OutboxWorld(.noneSingly, devices: 40), streams: 0) { _ in false }
        await until { process.transport.waiting > 0 }
        let progress = try await process.kill()
        #expect(progress.accepted == 40 && progress.unknown == 0, "\(progress)")
    }

    @Test("while one request is on its way over the only stream, a crash leaves one mark unknown at most")
    func oneStream() async throws {
        let process = try await Process(OutboxWorld(.noneSingly, devices: 40), streams: 1) { _ in true }
        await until { process.transport.arrived == 1 }
        let progress = try await process.kill()
        #expect(progress.unknown <= SliceJournal.firstChunk && progress.unknown >= 1, "\(progress)")
        #expect(progress.accepted + progress.unknown == 40)
    }

    @Test(
        "requests for many targets that wait for a connection are not marked either", arguments: [Keys.none, .caller])
    func noConnectionForMany(_ keys: Keys) async throws {
        let process = try await Process(OutboxWorld(keys, devices: 12), streams: 0) { _ in false }
        await until { process.transport.waiting > 0 }
        let progress = try await process.kill()
        #expect(progress.accepted == 12 && progress.unknown == 0, "\(progress)")
    }

    // MARK: A route that has not answered

    @Test("until a route has answered once, the targets of one mark are on their way, then all that fit")
    func firstAnswer() async throws {
        let hasAnswered = Locked(false)
        let process = try await Process(OutboxWorld(.noneSingly, devices: 40)) { _ in !hasAnswered.withLock { $0 } }
        await until { process.transport.arrived == SliceJournal.firstChunk }
        // No more requests are sent, however long it takes.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(process.transport.arrived == SliceJournal.firstChunk)
        hasAnswered.withLock { $0 = true }
        process.transport.look()
        await until { process.transport.arrived == 40 }
        let progress = try await process.kill()
        #expect(progress.accepted + progress.unknown == 40)
    }

    @Test("until a route has answered once, one slice is on its way", arguments: [Keys.none, .caller])
    func firstAnswerForMany(_ keys: Keys) async throws {
        let process = try await Process(OutboxWorld(keys, devices: 12)) { _ in true }
        await until { process.transport.arrived == 1 }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(process.transport.arrived == 1)
        let progress = try await process.kill()
        #expect(progress.unknown == (keys == .none ? OutboxWorld.perRequest : 0), "\(progress)")
    }

    // MARK: Outcomes

    @Test("known outcomes are written after a quarter of a second, although the slice's last request hangs")
    func hangingRequest() async throws {
        let world = OutboxWorld(.noneSingly, devices: 40)
        let last = try #require(world.devices.last?.rawValue)
        let process = try await Process(world) { $0.contains(last) }
        await until { process.transport.arrived == 40 }
        // The clock moves in steps, because each wait must begin first.
        await until {
            world.clock.advance(by: .milliseconds(250))
            return await process.accepted == 39
        }
        let progress = try await process.kill()
        #expect(progress.accepted == 39 && progress.unknown == 1, "\(progress)")
    }

    @Test("a hundred known outcomes are written at once")
    func manyOutcomes() async throws {
        let world = OutboxWorld(.noneSingly, devices: 8 + 150)
        let (last, isHolding) = (try #require(world.devices.last?.rawValue), Locked(true))
        // The first responses prove that the route works.
        let first = world.devices.prefix(8).map(\.rawValue)
        let process = try await Process(world) { text in
            text.contains(last) || isHolding.withLock { $0 } && !first.contains { text.contains($0) }
        }
        await until { process.transport.arrived == 158 }
        #expect(await process.accepted == 8)
        isHolding.withLock { $0 = false }
        process.transport.look()
        let start = world.clock.elapsed
        await until { await process.accepted >= 108 }
        #expect(world.clock.elapsed == start)
        _ = try await process.kill()
    }

    @Test("a store that refuses to write outcomes is asked again, and the slice ends as it should")
    func failingStore() async throws {
        let world = OutboxWorld(.noneSingly, devices: 20)
        let (last, isQuarantined) = (try #require(world.devices.last?.rawValue), Locked(true))
        let life = Life(endingAt: .max)
        let transport = HeldTransport(InProcessTransport(world.host)) { text in
            text.contains(last) && isQuarantined.withLock { $0 }
        }
        let outbox = world.outbox(life, client: world.client(atOnce: 200, over: transport))
        try await world.enqueue(outbox)
        let work = Task { try await outbox.runUntilIdle() }
        await until { transport.arrived == 20 }
        life.failures.withLock { $0 = 2 }
        await until {
            world.clock.advance(by: .milliseconds(250))
            return (try? await world.outbox().progress(now: "sale").accepted) == 19
        }
        #expect(life.failures.withLock { $0 } <= 0)
        isQuarantined.withLock { $0 = false }
        transport.look()
        try await work.value
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.accepted == 20 && progress.unknown == 0 && progress.state == .finished)
    }
}
