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

    /// A worker that stops before it notes a request. It goes on as soon as another has found its slices.
    static func lateMark(_ random: inout SplitMix) -> Trip {
        Trip(
            machine: nil, step: .call(.apply), number: Int.random(in: 2...6, using: &random), isAfter: false,
            event: .takeover(writes: 0))
    }

    /// A worker that stops before or after it notes a request, and a campaign that is cancelled meanwhile.
    mutating func cancelMeanwhile(_ random: inout SplitMix) {
        let (isAfter, length) = (random.chance(0.5), random.duration(26_000...60_000))
        trips = [
            Trip(
                machine: nil, step: .call(.apply), number: Int.random(in: 1...4, using: &random), isAfter: isAfter,
                event: .pause(length))
        ]
        let sale = Int.random(in: 0..<sales.count, using: &random)
        let time = sales[sale].start + random.duration(500...4_000)
        incidents = incidents.filter { $0.time > time + length } + [Incident(time: time, kind: .cancelSale(sale))]
    }

    /// A clock that is set back while a request or its outcome is noted, and then a night as long as that. The network is
    /// bad before, so that requests with keys are repeated afterwards.
    mutating func addNightAfterSetting(_ random: inout SplitMix) {
        let length = Duration.seconds([5_000, 100_000].randomElement(using: &random) ?? 5_000)
        let number = Int.random(in: 1...3, using: &random)
        let steps: [Trip.Step] = [.call(.apply), .outcome]
        let setting = Trip(
            machine: nil, step: steps.randomElement(using: &random) ?? .outcome, number: number, isAfter: false,
            event: .setClock(.zero - length))
        let night = Trip(
            machine: nil, step: .outcome, number: number, isAfter: random.chance(0.5), event: .night(length))
        trips += [setting, night]
        let start = sales.map(\.start).min() ?? .zero
        incidents.append(Incident(time: start, kind: .network(random.duration(5_000...30_000))))
    }
}
