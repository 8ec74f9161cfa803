import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import PushSimulationTesting

/// Events that need a certain moment.
extension OutboxWorld {
    /// A worker that stops before it stores a plan. Others may plan the same campaign.
    static func latePlanner(_ random: inout SplitMix) -> Trip {
        Trip(
            machine: nil, step: .call(.plan), number: 1, isAfter: random.chance(0.3),
            event: .takeover(writes: Int.random(in: 1...4, using: &random)))
    }

    /// A worker that stops before it writes an outcome. Others may send the slice again meanwhile, a minute later.
    static func lateOutcome(_ random: inout SplitMix) -> Trip {
        Trip(
            machine: nil, step: .outcome, number: Int.random(in: 1...3, using: &random), isAfter: false,
            event: .takeover(writes: random.chance(0.5) ? .max : Int.random(in: 2...6, using: &random)))
    }
}

/// A worker that stops while it holds slices, and goes on when others have them.
struct TakeoverWorld: FocusedWorld {
    static let name = "takeover"

    let world: OutboxWorld
    init(_ world: OutboxWorld) { self.world = world }

    static func focus(_ world: inout OutboxWorld, _ random: inout SplitMix) {
        while world.machines.count < 2 { world.machines.append(OutboxWorld.Machine(skew: .zero)) }
        world.machines = Array(world.machines.prefix(2))
        world.sales = Array(world.sales.prefix(1))
        world.sales[0].targets = max(12, world.sales[0].targets)
        world.poll = .seconds(2)
        (world.sales[0].notBefore, world.sales[0].options.expiry) = (nil, nil)
        // The workers go on at least as long as that.
        let storm = OutboxWorld.Incident.Kind.network(random.duration(30_000...90_000))
        world.incidents = [.init(time: world.sales[0].start, kind: storm)]
        switch random.next() % 4 {
        case 0: world.trips = [OutboxWorld.lateOutcome(&random)]
        case 1: world.trips = [cancelledMeanwhile(&random)]
        case 2: world.trips = [world.sales[0].isSubmitted ? OutboxWorld.latePlanner(&random) : lateMark(&random)]
        default:
            // Many marks of one slice.
            (world.targetsPerRequest, world.concurrency) = (1, Int.random(in: 1...2, using: &random))
            world.trips = [lateMark(&random)]
        }
    }

    /// A worker that stops before or after it notes a request, for less time than others wait for it or for longer. All
    /// campaigns are cancelled meanwhile.
    private static func cancelledMeanwhile(_ random: inout SplitMix) -> OutboxWorld.Trip {
        let time = random.duration(random.chance(0.5) ? 23_000...29_000 : 30_000...200_000)
        return OutboxWorld.Trip(
            machine: nil, step: .call(.apply), number: Int.random(in: 1...4, using: &random),
            isAfter: random.chance(0.5), event: .cancelled(time))
    }

    /// A worker that stops while it sends a slice, and goes on as soon as another has found the slice. It may then note
    /// more requests.
    private static func lateMark(_ random: inout SplitMix) -> OutboxWorld.Trip {
        let steps: [OutboxWorld.Trip.Step] = [.call(.apply), .call(.apply), .outcome, .call(.renew), .call(.lease)]
        return OutboxWorld.Trip(
            machine: nil, step: steps.randomElement(using: &random) ?? .outcome,
            number: Int.random(in: 1...8, using: &random), isAfter: random.chance(0.7),
            event: .takeover(writes: 0))
    }
}

/// A database that loses and delays statements while a campaign is being sent, at a vendor that refuses, loses and delays too.
struct BadDatabaseWorld: FocusedWorld {
    static let name = "bad-database"

    let world: OutboxWorld
    init(_ world: OutboxWorld) { self.world = world }

    static func focus(_ world: inout OutboxWorld, _ random: inout SplitMix) {
        world.machines = Array(world.machines.prefix(2))
        world.sales = Array(world.sales.prefix(1))
        // More than the first requests to a vendor.
        world.sales[0].targets = max(12, world.sales[0].targets)
        (world.sales[0].notBefore, world.sales[0].options.expiry) = (nil, nil)
        world.badness = Double.random(in: 0.2...0.6, using: &random)
        let kinds: [OutboxWorld.Incident.Kind] = [
            .database(random.duration(30_000...180_000)), .network(random.duration(1_000...60_000)),
        ]
        world.incidents = kinds.map { .init(time: world.sales[0].start, kind: $0) }
        world.trips = []
    }
}

/// A clock that is set back while a request or its outcome is noted, and then a night as long as that.
struct NightWorld: FocusedWorld {
    static let name = "night"

    let world: OutboxWorld
    init(_ world: OutboxWorld) { self.world = world }

    static func focus(_ world: inout OutboxWorld, _ random: inout SplitMix) {
        world.useKeys(&random)
        world.sales = Array(world.sales.prefix(1))
        world.poll = .seconds(2)
        while world.machines.count < 2 { world.machines.append(OutboxWorld.Machine(skew: .zero)) }
        let length = Duration.seconds([5_000, 100_000].randomElement(using: &random) ?? 5_000)
        let number = Int.random(in: 1...3, using: &random)
        let isAtMark = random.chance(0.5)
        let setting = OutboxWorld.Trip(
            machine: nil, step: isAtMark ? .call(.apply) : .outcome, number: number, isAfter: false,
            event: .setClock(.zero - length))
        let night = OutboxWorld.Trip(
            machine: nil, step: .outcome, number: isAtMark ? 1 : number, isAfter: random.chance(isAtMark ? 0.2 : 0.8),
            event: .night(length))
        world.trips += [setting, night]
        // After a lost answer, a request with a key is repeated.
        guard !isAtMark else { return }
        world.badness = Double.random(in: 0.3...0.8, using: &random)
        world.incidents.append(.init(time: world.sales[0].start, kind: .network(random.duration(5_000...60_000))))
    }
}

extension OutboxWorld {
    /// Sends everything through one vendor that takes keys.
    mutating func useKeys(_ random: inout SplitMix) {
        vendors = [Vendor.random(of: Vendor.idsWithKeys, using: &random)]
        for index in sales.indices {
            (sales[index].isRouted, sales[index].isToUsers, sales[index].isByAlias) = (false, false, false)
        }
        incidents = incidents.map { incident in
            guard case .silence(_, let time) = incident.kind else { return incident }
            return Incident(time: incident.time, kind: .silence(0, time))
        }
    }
}
