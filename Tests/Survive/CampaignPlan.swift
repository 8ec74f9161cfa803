import PushAdapter
import PushClient
import PushOutbox

/// The campaign of a round: its installations, at one vendor or two, and its options.
struct CampaignPlan: Sendable {
    /// The vendors of its one or two routes.
    let kinds: [HostileVendor.Kind]
    var name: CampaignName = "campaign"
    /// The number of its first unit. The units of the second route follow.
    let first: Int
    let count: Int
    let resends: Bool

    var routes: [RouteName] { kinds.indices.map { RouteName("route\($0)") } }
    var message: Message { .survive("hello", at: kinds) }
    /// How much faster its dates run.
    var pace: Double { kinds.map(\.outboxPace).max() ?? 1 }
    var units: [String] { (first..<first + count * kinds.count).map(Unit.make) }

    /// The name of an installation at a route.
    func unit(_ number: Int, at way: Int) -> String { Unit.make(first + way * count + number) }

    /// The routes of an installation's message. The second one follows only if the first certainly did not take the
    /// message.
    func ways(of number: Int) -> [Int] {
        guard kinds.count > 1 else { return [0] }
        let first = number % 3 == 0 ? 1 : 0
        return number % 5 == 0 ? [first] : [first, 1 - first]
    }

    var options: CampaignOptions {
        var options = CampaignOptions()
        options.afterUnknown = resends ? .resend : .report
        // A jumping clock would otherwise remove the report.
        options.keeps = .seconds(1_000 * 86_400)
        return options
    }

    func enqueue(_ outbox: PushOutbox) async throws(PushError) {
        try await outbox.enqueue(message, to: [part], as: name, options: options)
    }

    private var part: CampaignPart {
        let targets = (0..<count).map { number in
            let ways = ways(of: number).map { way in
                RoutedTarget.Way(.device(kinds[way].device(unit(number, at: way))), at: routes[way])
            }
            return RoutedTarget(ways[0], or: ways.count > 1 ? ways[1] : nil)
        }
        let stream = AsyncStream<RoutedTarget> { continuation in
            for target in targets { continuation.yield(target) }
            continuation.finish()
        }
        guard kinds.count > 1 else {
            return .devices(stream.map { target in DeviceID(target.first.target.text) }, at: routes[0])
        }
        return .routed(stream, over: routes, patience: .milliseconds(300))
    }
}
