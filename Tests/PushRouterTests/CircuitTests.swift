import FoundationEssentials
import PushAdapter
import PushClient
import PushRouter
import PushSimulation
import Testing

@Suite("Routes that fail often in a row", .timeLimit(.minutes(20)))
struct CircuitTests {
    private func world(installations: Int = 1, slices: Int = 1) throws(PushError) -> Routed {
        try Routed(
            .memory(), .memory(), installations: installations, configure: { $0.concurrentSlices = slices })
    }

    @Test("after three failed slices the rest of a long list goes on, and every installation has one message")
    func longList() async throws {
        let world = try world(installations: 1000)
        world.sides[0].detour.add(.refused, times: .max)
        let router = try world.router()
        let report = try await world.send(over: router)
        #expect(world.sends == [3, 10] && report.accepted(at: "b") == 1000)
        #expect(report.outcomes.allSatisfy { $0.attempts.map(\.binding.route) == ["a", "b"] })
        #expect(report.errors["a"]?.kind == .circuitOpen)
        let reached = await world.installations(with: [0, 1])
        #expect(reached == 1000)
        // The next send skips the route.
        let next = try await world.send("Next", over: router)
        #expect(world.sends == [3, 20])
        #expect(
            next.outcomes.allSatisfy { $0.attempts.map(\.binding.route) == ["b"] } && next.accepted(at: "b") == 1000)
        // No target was tried at the planned route, and all took another one.
        #expect(next.failedOver.count == 1000 && next.outcomes.allSatisfy { $0.chosen.route == "a" })
    }

    @Test("a vendor that fails in the middle of a list keeps what it has, and the rest goes on")
    func middle() async throws {
        let world = try world(installations: 1000)
        // Four slices succeed, each after a moment.
        world.sides[0].detour.add(.slow(.milliseconds(1)), times: 4)
        world.sides[0].detour.add(.refused, times: .max)
        let report = try await world.send(over: world.router())
        #expect(report.accepted(at: "a") == 400 && report.accepted(at: "b") == 600)
        #expect(world.sends == [7, 6] && report.failedOver.count == 600)
        let (first, second) = (await world.installations(with: [1, 0]), await world.installations(with: [0, 1]))
        #expect(first == 400 && second == 600)
    }

    @Test("slices that are sent at the same time end as well, and no more begin", arguments: [2, 4])
    func several(slices: Int) async throws {
        let world = try world(installations: 1000, slices: slices)
        world.sides[0].detour.add(.refused, times: .max)
        let report = try await world.send(over: world.router())
        #expect((3...(3 + slices)).contains(world.sends[0]) && report.accepted(at: "b") == 1000)
        let reached = await world.installations(with: [0, 1])
        #expect(reached == 1000)
    }

    @Test("without failover the whole list is tried, and nothing moves")
    func never() async throws {
        let world = try world(installations: 1000)
        world.sides[0].detour.add(.refused, times: 10)
        let router = try world.router(.never)
        let report = try await world.send(over: router)
        #expect(world.sends == [10, 0] && report.failedOver.isEmpty && report.retryable().count == 1000)
        // The next send does not skip the route either.
        let next = try await world.send("Next", over: router)
        #expect(world.sends == [20, 0] && next.accepted(at: "a") == 1000)
    }

    @Test("after 30 s the route is tried again; one failure opens it again, and a success closes it")
    func afterwards() async throws {
        let world = try world()
        let router = try world.router()
        world.sides[0].detour.add(.refused, times: 4)
        for number in 0..<3 { _ = try await world.send("m\(number)", over: router) }
        #expect(world.sends == [3, 3])
        world.clock.advance(by: .seconds(29))
        _ = try await world.send("early", over: router)
        #expect(world.sends == [3, 4])
        world.clock.advance(by: .seconds(1))
        let trial = try await world.send("trial", over: router)
        #expect(world.sends == [4, 5] && trial.outcomes.first?.attempts.map(\.binding.route) == ["a", "b"])
        _ = try await world.send("open again", over: router)
        #expect(world.sends == [4, 6])
        world.clock.advance(by: .seconds(30))
        let success = try await world.send("success", over: router)
        #expect(world.sends == [5, 6] && success.accepted(at: "a") == 1)
        // The circuit is closed, so three more failures are needed.
        world.sides[0].detour.add(.refused, times: 2)
        for number in 0..<2 { _ = try await world.send("n\(number)", over: router) }
        let last = try await world.send("last", over: router)
        #expect(world.sends == [8, 8] && last.accepted(at: "a") == 1)
    }

    @Test("the number of failures and the pause are the policy's")
    func policy() async throws {
        let world = try world()
        let router = try world.router {
            $0.circuit.failures = 1
            $0.circuit.pause = .seconds(5)
        }
        world.sides[0].detour.add(.refused)
        _ = try await world.send("first", over: router)
        _ = try await world.send("second", over: router)
        #expect(world.sends == [1, 2])
        world.clock.advance(by: .seconds(5))
        let third = try await world.send("third", over: router)
        #expect(world.sends == [2, 2] && third.accepted(at: "a") == 1)
    }

    @Test("failures that others interrupt are not in a row")
    func interrupted() async throws {
        let world = try world()
        let router = try world.router()
        for number in 0..<4 {
            world.sides[0].detour.add(.refused, times: 2)
            _ = try await world.send("m\(number)", over: router)
            _ = try await world.send("n\(number)", over: router)
            let third = try await world.send("o\(number)", over: router)
            #expect(third.accepted(at: "a") == 1)
        }
        #expect(world.sends == [12, 8])
    }

    @Test("an answer of the vendor, also a refusal, ends a row of failures")
    func answered() async throws {
        let world = try world()
        let router = try world.router()
        for number in 0..<3 {
            world.sides[0].detour.add(.refused, times: 2)
            for text in ["m\(number)", "n\(number)"] { _ = try await world.send(text, over: router) }
            world.sides[0].say(.tooLong)
            _ = try await world.send("o\(number)", over: router)
        }
        #expect(world.sends[0] == 9)
    }

    @Test("an installation without another binding is tried once more where the list was ended, and no more")
    func forced() async throws {
        let world = try Routed(
            .memory { $0.takesOne = true }, .memory(), installations: 8,
            isBound: { number, side in side == 0 || number < 4 })
        world.sides[0].detour.add(.refused, times: 3)
        let report = try await world.send(over: world.router())
        // Three targets fail. The fourth is not attempted and goes on. The others have only this route.
        #expect(report.accepted(at: "b") == 4 && report.accepted(at: "a") == 4)
        #expect(report.outcomes.suffix(4).allSatisfy { $0.attempts.map(\.status) == [.notAttempted, .accepted] })
        #expect(world.sends == [7, 1])
        let once = await world.installations(with: [1, 0])
        #expect(once == 4)
    }

    /// An outcome, and whether it counts against the route.
    struct Cause: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let counts: Bool
        let arrange: @Sendable (Routed.Side) -> Void

        init(_ name: String, counts: Bool, _ arrange: @escaping @Sendable (Routed.Side) -> Void) {
            testDescription = name
            self.counts = counts
            self.arrange = arrange
        }
    }

    static let causes: [Cause] = [
        Cause("no connection", counts: true) { $0.detour.add(.refused, times: 5) },
        Cause("blocked", counts: false) { $0.say(.blocked, times: 5) },
        Cause("the quota is used up", counts: false) { $0.say(.quotaExhausted, times: 5) },
        Cause("unauthorized", counts: false) { $0.say(.unauthorized, times: 5) },
        Cause("misconfigured", counts: false) { $0.say(.misconfigured, times: 5) },
        Cause("no answer in time", counts: true) {
            $0.detour.add(.acted(PushError(.timeout, "no response in time", effect: .unknown)), times: 5)
        },
        Cause("no token: its service does not answer", counts: true) { side in
            let cause = PushError(.server, "no such page", retry: .backoff)
            side.detour.add(.failed(PushError(.server, "no token", underlying: cause)), times: 5)
        },
        Cause("no token: the key is wrong", counts: false) { side in
            let cause = PushError(.unauthorized, "no such key")
            side.detour.add(.failed(PushError(.unauthorized, "no token", underlying: cause)), times: 5)
        },
        Cause("a server that is not the right one", counts: false) {
            $0.detour.add(.failed(PushError(.transport, "another certificate")), times: 5)
        },
        Cause("no time left on this machine", counts: false) {
            $0.detour.add(.failed(PushError(.timeout, "the deadline passed", retry: .backoff)), times: 5)
        },
        Cause("a lost answer", counts: true) { $0.fault(.actedThenLost, times: 5) },
        Cause("an internal error", counts: false) { $0.fault(.serverError(status: 500), times: 5) },
        Cause("a gone device", counts: false) { $0.say(.dead, times: 5) },
        Cause("a refused message", counts: false) { $0.say(.tooLong, times: 5) },
    ]

    @Test("only what says that the route does not work counts", arguments: causes)
    func counting(cause: Cause) async throws {
        let world = try world()
        let router = try world.router()
        cause.arrange(world.sides[0])
        for number in 0..<5 { _ = try await world.send("m\(number)", over: router) }
        #expect(world.sends[0] == (cause.counts ? 3 : 5))
        // The vendor works again, but the router still skips the route.
        world.sides[0].detour.clear()
        world.sides[0].host.faults.removeAll()
        let report = try await world.send("after", over: router)
        #expect(report.accepted(at: cause.counts ? "b" : "a") == 1)
        let entries = await world.entries("after")
        #expect(entries == (cause.counts ? [0, 1] : [1, 0]))
    }

    @Test("one broken connection fails all requests on it, and is one failure", arguments: [2, 20])
    func oneConnection(window: Int) async throws {
        let world = try Routed(
            .memory {
                $0.takesOne = true
                $0.concurrency = window
            }, .memory(), installations: 20)
        world.sides[0].detour.add(.together(window, PushError(.transport, "broken", retry: .backoff)), times: window)
        let router = try world.router()
        let report = try await world.send(over: router)
        // These targets fail and go on. The next connection takes the rest.
        #expect(report.accepted(at: "b") == window && report.accepted(at: "a") == 20 - window)
        let next = try await world.send("Next", over: router)
        #expect(next.accepted(at: "a") == 20)
    }

    @Test("a vendor that hangs is asked three times, and the rest of the list goes on; what it was asked is unknown")
    func hanging() async throws {
        let world = try world(installations: 1000)
        world.sides[0].detour.add(
            .acted(PushError(.timeout, "no response in time", effect: .unknown)), times: .max)
        let report = try await world.send(over: world.router())
        #expect(world.sends == [3, 7] && report.accepted(at: "b") == 700)
        let unknown = report.outcomes.filter { $0.status == .unknown }
        #expect(unknown.count == 300 && unknown.allSatisfy { $0.attempts.map(\.binding.route) == ["a"] })
        let (first, second) = (await world.installations(with: [1, 0]), await world.installations(with: [0, 1]))
        #expect(first == 300 && second == 700)
        // Targets that take the second route from the start count as failed over, too.
        let next = try await world.send("Next", over: world.router { $0.circuit.failures = 1 })
        #expect(next.failedOver.count == 900)
    }

    @Test("an installation without another binding is still tried while the route is passed over")
    func onlyWay() async throws {
        let world = try Routed(
            .memory(), .memory(), installations: 2, isBound: { number, side in side == 0 || number == 0 })
        let router = try world.router()
        world.sides[0].detour.add(.refused, times: 3)
        for number in 0..<3 { _ = try await world.send("m\(number)", over: router, to: 0..<1) }
        let report = try await world.send(over: router)
        #expect(report.outcomes.map { $0.attempts.map(\.binding.route) } == [["b"], ["a"]])
        #expect(report.accepted(at: "a") == 1 && report.accepted(at: "b") == 1 && world.sends == [4, 4])
        // That success closed the circuit.
        let next = try await world.send("Next", over: router, to: 0..<1)
        #expect(next.accepted(at: "a") == 1)
    }

    @Test("a binding whose vendor would refuse the message does not stand in for a route that is passed over")
    func standIn() async throws {
        let world = try Routed(.memory(), .memory { $0.takesNotifications = false }, .memory())
        let router = try world.router { $0.circuit.failures = 1 }
        world.sides[0].detour.add(.refused)
        _ = try await world.send("first", over: router)
        let report = try await world.send(over: router)
        #expect(report.outcomes.map { $0.attempts.map(\.binding.route) } == [["c"]] && world.sends == [1, 0, 2])
    }
}
