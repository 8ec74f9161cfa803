import PushAdapter
import PushClient
import PushDevice
import PushSimulation
import PushSimulationTesting

/// Callers that change the tags of the same phones concurrently.
struct DeviceWorld: World {
    static let name = "device"

    struct Change: Sendable {
        var start: Duration
        var phone: Int
        var update: TagUpdate
        var cancelledAfter: Duration?
        /// This change is cancelled when that other change ends.
        var cancelledWith: Int?
    }

    var vendor: Vendor
    var attempts: Int
    /// Whether the apps on the phones make the changes, each through a session. Otherwise a backend makes them.
    var usesSessions: Bool
    var changes: [Change]
    var storms: [(start: Duration, length: Duration)]
    var badness: Double

    private static let phones = 2
    private static let tags: [Tag] = ["red", "green", "blue", "gold"]

    init(drawnWith random: inout SplitMix) {
        vendor = Vendor.random(of: ["jpush", "engagelab", "tpns", "huawei"], using: &random)
        attempts = Int.random(in: 1...4, using: &random)
        // Close together, so that they overlap.
        let pace = [50, 300, 3_000].randomElement(using: &random) ?? 50
        let count = Int.random(in: 2...10, using: &random)
        changes = (0..<count).map { _ in
            let tags = Set(Self.tags.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
            let updates: [TagUpdate] = [.add(tags), .remove(tags), .replace(tags), .clear]
            var change = Change(
                start: random.duration(0...pace), phone: Int.random(in: 0..<Self.phones, using: &random),
                update: updates.randomElement(using: &random) ?? .clear)
            if random.chance(0.2) { change.cancelledAfter = random.duration(0...1_000) }
            if random.chance(0.2) { change.cancelledWith = Int.random(in: 0..<count, using: &random) }
            return change
        }
        storms = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            (random.duration(0...3_000), random.duration(200...10_000))
        }
        badness = Double.random(in: 0.05...0.5, using: &random)
        usesSessions = random.chance(0.3)
    }

    var description: String {
        """
        \(vendor), \(attempts) attempts, losses \(badness)\(usesSessions ? ", sessions" : "")
        \(changes.map { "\($0)" }.joined(separator: "\n"))
        storms \(storms)
        """
    }

    var smaller: [DeviceWorld] {
        var worlds: [DeviceWorld] = []
        func add(_ edit: (inout DeviceWorld) -> Void) {
            var world = self
            edit(&world)
            worlds.append(world)
        }
        if changes.allSatisfy({ $0.cancelledWith == nil }) {
            for fewer in changes.withoutOne { add { $0.changes = fewer } }
        }
        if usesSessions { add { $0.usesSessions = false } }
        for fewer in storms.withoutOne { add { $0.storms = fewer } }
        for index in changes.indices where changes[index].cancelledAfter != nil {
            add { $0.changes[index].cancelledAfter = nil }
        }
        for index in changes.indices where changes[index].cancelledWith != nil {
            add { $0.changes[index].cancelledWith = nil }
        }
        return worlds
    }

    /// A change that was made, as seen by its caller.
    fileprivate struct Made {
        let change: Change
        let begun: Duration
        /// Nil if the change may still arrive: its outcome is unknown.
        let ended: Duration?
        /// Whether the change was certainly made completely.
        let isCertain: Bool
    }

    func play(_ simulation: Simulation) async throws {
        let site = Site(vendor, devices: (0..<Self.phones).map(vendor.device), simulation)
        // A late request would overwrite a later change, and no client can prevent that.
        let network = Network(simulation, badness: badness, hasDelays: false)
        let made = Locked<[Made]>([])
        let program = simulation.process("program") { process in
            let client = try network.client(
                of: site, in: process,
                configure: {
                    $0.retry.attempts = self.attempts
                    $0.acceptedLosses = [.replaceTags, .clearTags]
                })
            let app = App(client, vendor, usesSessions: self.usesSessions, phones: Self.phones)
            let calls = Locked<[Int: Task<Void, Never>]>([:])
            await withTaskGroup(of: Void.self) { group in
                for (number, change) in self.changes.enumerated() {
                    group.addTask {
                        await simulation.sleep(change.start)
                        let call = Task {
                            await self.make(change, app, simulation, made)
                            for (other, one) in self.changes.enumerated() where one.cancelledWith == number {
                                calls.withLock { $0[other] }?.cancel()
                            }
                        }
                        calls.withLock { $0[number] = call }
                        if let time = change.cancelledAfter {
                            Task {
                                await simulation.sleep(time)
                                call.cancel()
                            }
                        }
                        await call.value
                    }
                }
            }
            // Each phone must accept a change once the network is good again.
            await simulation.sleep(.seconds(60))
            for phone in 0..<Self.phones {
                let last = Change(start: .zero, phone: phone, update: .add(["last"]))
                await self.make(last, app, simulation, made)
            }
            await client.shutdown()
        }
        for storm in storms {
            Task {
                await simulation.sleep(storm.start)
                await network.storm(for: storm.length)
            }
        }
        await program.untilEnd()
        try await network.untilStill()
        // Some vendors apply a change later.
        await simulation.sleep(.seconds(3600))
        await site.simulator.settle(at: simulation.clock.date)
        for phone in 0..<Self.phones {
            let tags = await site.simulator.snapshot(of: vendor.device(phone).id)?.tags ?? []
            let changes = made.withLock { $0.filter { $0.change.phone == phone } }
            try require(changes.last?.isCertain == true, "phone \(phone) takes no change any more")
            try check(phone, tags, changes)
        }
    }

    private func make(
        _ change: Change, _ app: App, _ simulation: Simulation, _ made: Locked<[Made]>
    ) async {
        let begun = simulation.clock.elapsed
        let result: Result<Bool, PushError>
        do throws(PushError) { result = .success(try await app.make(change.update, of: change.phone)) } catch {
            result = .failure(error)
        }
        let ended = simulation.clock.elapsed
        simulation.tell("\(change.update) of phone \(change.phone), begun at \(begun): \(result)")
        switch result {
        case .success(let isCertain):
            // A session makes the changes of a phone in the order in which they begin.
            let end = usesSessions ? begun : ended
            made.withLock {
                $0.append(Made(change: change, begun: begun, ended: isCertain ? end : nil, isCertain: isCertain))
            }
        case .failure(let error):
            if error.effect == .notApplied { return }
            made.withLock { $0.append(Made(change: change, begun: begun, ended: nil, isCertain: false)) }
        }
    }

    /// The final tags must follow from some order of the changes. No change may come before one that had ended when it
    /// began.
    private func check(_ phone: Int, _ tags: Set<String>, _ made: [Made]) throws(Violation) {
        var search = Orders(made: made, wanted: Set(tags.map { Tag($0) }))
        try require(
            search.leads(from: [], after: []),
            "phone \(phone) has \(tags.sorted()), and no order of its \(made.count) changes leaves that")
    }

    /// A search through all orders.
    private struct Orders {
        struct Place: Hashable {
            let done: Set<Int>
            let tags: Set<Tag>
        }

        let made: [Made]
        let wanted: Set<Tag>
        var seen: Set<Place> = []

        /// Whether the remaining changes can lead to the wanted tags.
        mutating func leads(from tags: Set<Tag>, after done: Set<Int>) -> Bool {
            let left = made.indices.filter { !done.contains($0) }
            if tags == wanted, left.allSatisfy({ !made[$0].isCertain }) { return true }
            guard seen.insert(Place(done: done, tags: tags)).inserted else { return false }
            for next in left {
                let isEarly = left.contains { other in
                    other != next && (made[other].ended.map { $0 < made[next].begun } ?? false)
                }
                guard !isEarly else { continue }
                for result in made[next].results(on: tags) where leads(from: result, after: done.union([next])) {
                    return true
                }
            }
            return false
        }
    }
}

/// The program that makes changes.
private struct App {
    private let client: PushClient
    private let ids: [DeviceID]
    /// The session of each phone; empty in a backend.
    private let sessions: [DeviceSession]

    init(_ client: PushClient, _ vendor: Vendor, usesSessions: Bool, phones: Int) {
        self.client = client
        ids = (0..<phones).map { DeviceID(vendor.device($0).id) }
        // The calls of a real SDK, without its limits.
        let rules = SessionRules(name: "a small SDK", calls: [.addTags, .deleteTags, .setTags, .cleanTags])
        sessions = usesSessions ? ids.map { DeviceSession(client, device: $0, rules: rules) } : []
    }

    /// Returns whether the change was certainly made completely.
    func make(_ update: TagUpdate, of phone: Int) async throws(PushError) -> Bool {
        guard sessions.indices.contains(phone) else {
            return try await client.updateTags(update, of: ids[phone]).isComplete
        }
        do throws(SessionFault) { _ = try await sessions[phone].run(SessionCall(update)) } catch { throw error.error }
        return true
    }
}

extension SessionCall {
    fileprivate init(_ update: TagUpdate) {
        func names(_ tags: Set<Tag>) -> [String] { tags.sorted().map(\.rawValue) }
        switch update {
        case .add(let tags): self = .addTags(names(tags))
        case .remove(let tags): self = .deleteTags(names(tags))
        case .replace(let tags): self = .setTags(names(tags))
        case .clear: self = .cleanTags
        }
    }
}

extension DeviceWorld.Made {
    /// The possible results of the change on these tags. Any part of an unconfirmed change may apply. It may also
    /// arrive late, with requests that follow from the tags it found.
    fileprivate func results(on tags: Set<Tag>) -> [Set<Tag>] {
        let whole = change.update.applied(to: tags)
        guard !isCertain else { return [whole] }
        return tags.symmetricDifference(whole).sorted().reduce(into: [tags.intersection(whole)]) { results, tag in
            results += results.map { $0.union([tag]) }
        }
    }
}

extension TagUpdate {
    fileprivate func applied(to tags: Set<Tag>) -> Set<Tag> {
        switch self {
        case .add(let added): tags.union(added)
        case .remove(let removed): tags.subtracting(removed)
        case .replace(let wanted): wanted
        case .clear: []
        }
    }
}
