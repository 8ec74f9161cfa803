import PushAdapter
import PushClient
import PushSimulation
import PushSimulationTesting

/// Events that belong together: each mistake needs several.
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

    /// A worker that stops before or after it notes a request, for less time than others wait for it. All campaigns are
    /// cancelled meanwhile.
    static func cancelledMeanwhile(_ random: inout SplitMix) -> Trip {
        Trip(
            machine: nil, step: .call(.apply), number: Int.random(in: 1...4, using: &random),
            isAfter: random.chance(0.5),
            event: .cancelled(random.duration(23_000...29_000)))
    }

    /// A worker that stops before it notes more requests of a slice. It goes on as soon as another has found the slice.
    mutating func addLateMark(_ random: inout SplitMix) {
        while machines.count < 2 { machines.append(Machine(skew: .zero)) }
        targetsPerRequest = 1
        sales[0].targets = max(12, sales[0].targets)
        trips = [
            Trip(
                machine: nil, step: .call(.apply), number: Int.random(in: 2...5, using: &random), isAfter: false,
                event: .takeover(writes: 0))
        ]
    }

    /// A clock that is set back while a request or its outcome is noted, and then a night as long as that.
    mutating func addNightAfterSetting(_ random: inout SplitMix) {
        let length = Duration.seconds([5_000, 100_000].randomElement(using: &random) ?? 5_000)
        let number = Int.random(in: 1...3, using: &random)
        let isAtMark = random.chance(0.5)
        let setting = Trip(
            machine: nil, step: isAtMark ? .call(.apply) : .outcome, number: number, isAfter: false,
            event: .setClock(.zero - length))
        let night = Trip(
            machine: nil, step: .outcome, number: isAtMark ? 1 : number, isAfter: random.chance(isAtMark ? 0.2 : 0.8),
            event: .night(length))
        trips += [setting, night]
        // After a lost answer, a request with a key is repeated.
        let start = sales.map(\.start).min() ?? .zero
        if !isAtMark { incidents.append(Incident(time: start, kind: .network(random.duration(5_000...30_000)))) }
    }
}
