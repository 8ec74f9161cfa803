import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import PushSimulationTesting

/// Workers on several machines that share an outbox, with callers, a vendor and an operator. All of them may fail.
struct OutboxWorld: World {
    static let name = "outbox"
    static let seedsPerProcess: UInt64 = 100

    struct Sale: Sendable {
        var targets: Int
        /// Additional targets: phones that no vendor knows, malformed ids, and repeated ids.
        var unknown = 0
        var malformed = 0
        var repeated = 0
        var start: Duration
        var options = CampaignOptions()
        /// Nothing is sent before this time, counted from the start of the run.
        var notBefore: Duration?
        /// Whether it is enqueued as JSON, as other programs do.
        var isSubmitted = false
        /// Whether each phone has a second route, at the other vendor.
        var isRouted = false
    }

    struct Machine: Sendable {
        var skew: Duration
    }

    /// An incident and its time.
    struct Incident: Sendable {
        enum Kind: Sendable {
            case kill(Int)
            case pause(Int, Duration)
            case setClock(Int, Duration)
            case network(Duration)
            case database(Duration)
            case pauseSale(Int)
            case resumeSale(Int)
            case cancelSale(Int)
            case resendSale(Int)
            case stop(Int)
            /// All machines are off for a long time.
            case blackout(Duration)
            /// A vendor does not respond.
            case silence(Int, Duration)
        }

        var time: Duration
        var kind: Kind
    }

    /// A stop of a worker at a call to the store.
    struct Trip: Sendable {
        var machine: Int
        var call: OutboxCall
        /// The number of the machine's call, from 1.
        var number: Int
        var isAfter: Bool
        var stop: Stop

        /// How long the worker stops.
        enum Stop: Sendable {
            case forever
            case time(Duration)
            /// Until others declare it dead and have then written this often.
            case takeover(writes: Int)

            /// Whether the worker goes on later.
            var holdsUp: Bool { if case .forever = self { false } else { true } }
        }
    }

    /// Whether the outbox is in a file, with one worker at a time, or on a server.
    var isInFile = false
    /// One vendor, or two, of which the second is the second route.
    var vendors: [Vendor]
    var targetsPerRequest: Int
    /// The number of a worker's concurrent requests to lists.
    var concurrency: Int
    var poll: Duration
    var sales: [Sale]
    var machines: [Machine]
    var incidents: [Incident]
    var trips: [Trip]
    /// The probability of each loss in a bad network.
    var badness: Double

    init(drawnWith random: inout SplitMix) {
        vendors = Array(Vendor.all.shuffled(using: &random).prefix(random.chance(0.4) ? 2 : 1))
        targetsPerRequest = Int.random(in: 1...6, using: &random)
        concurrency = [1, 2, 4, 100].randomElement(using: &random) ?? 1
        poll = [.milliseconds(250), .seconds(1), .seconds(2)].randomElement(using: &random) ?? .seconds(1)
        machines = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let isSkewed = random.chance(0.4)
            return Machine(skew: isSkewed ? .seconds(Int.random(in: -4000...4000, using: &random)) : .zero)
        }
        sales = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            var sale = Sale(targets: Int.random(in: 1...24, using: &random), start: random.duration(0...20_000))
            if random.chance(0.3) { sale.unknown = Int.random(in: 1...4, using: &random) }
            if random.chance(0.2) { sale.malformed = 1 }
            if random.chance(0.2) { sale.repeated = Int.random(in: 1...3, using: &random) }
            sale.options.priority = CampaignOptions.Priority.allCases.randomElement(using: &random) ?? .normal
            if random.chance(0.25) { sale.options.afterUnknown = .resend }
            if random.chance(0.15) { sale.options.expiry = random.duration(1_000...120_000) }
            if random.chance(0.2) { sale.notBefore = sale.start + random.duration(1_000...40_000) }
            if vendors.count > 1 { sale.isRouted = random.chance(0.7) }
            if sale.isRouted {
                (sale.malformed, sale.repeated) = (0, 0)
            } else {
                sale.isSubmitted = random.chance(0.25)
            }
            sales.append(sale)
        }
        trips = []
        while random.chance(0.4), trips.count < 4 {
            let calls: [OutboxCall] = [
                .apply, .apply, .apply, .lease, .lease, .orphans, .endFinished, .renew, .plan,
            ]
            let call = calls.randomElement(using: &random) ?? .apply
            let stops: [Trip.Stop] = [
                .forever, .forever, .time(random.duration(500...90_000)), .time(random.duration(29_000...45_000)),
                .takeover(writes: 1), .takeover(writes: 2), .takeover(writes: Int.random(in: 1...6, using: &random)),
            ]
            trips.append(
                Trip(
                    machine: Int.random(in: 0..<machines.count, using: &random),
                    // In most worlds, a worker plans at most once.
                    call: call, number: call == .plan ? 1 : Int.random(in: 1...6, using: &random),
                    isAfter: random.chance(0.6), stop: stops.randomElement(using: &random) ?? .forever))
        }
        badness = Double.random(in: 0.02...0.4, using: &random)
        incidents = []
        for _ in 0..<(random.chance(0.15) ? 0 : Int.random(in: 1...8, using: &random)) {
            let (machine, sale) = (
                Int.random(in: 0..<machines.count, using: &random), Int.random(in: 0..<sales.count, using: &random)
            )
            let kinds: [Incident.Kind] = [
                .kill(machine), .kill(machine), .kill(machine), .stop(machine),
                .pause(machine, random.duration(1_000...90_000)),
                .setClock(machine, .seconds(Int.random(in: -200_000...200_000, using: &random))),
                .network(random.duration(500...30_000)), .network(random.duration(500...30_000)),
                .database(random.duration(500...30_000)),
                .pauseSale(sale), .resumeSale(sale), .cancelSale(sale), .resendSale(sale),
                .silence(Int.random(in: 0..<vendors.count, using: &random), random.duration(500...60_000)),
                .blackout(.seconds(random.chance(0.5) ? Int.random(in: 5...90, using: &random) : 100_000)),
            ]
            guard let kind = kinds.randomElement(using: &random) else { continue }
            // Most incidents happen while messages are being sent.
            let time = random.duration([0...400, 0...4_000, 0...60_000].randomElement(using: &random) ?? 0...400)
            incidents.append(Incident(time: time + sales[sale].start, kind: kind))
        }
    }

    var description: String {
        let sales = sales.map { sale in
            "\(sale.targets) targets at \(sale.start), \(sale.options.priority)"
                + (sale.unknown > 0 ? ", \(sale.unknown) unknown" : "")
                + (sale.malformed > 0 ? ", one malformed" : "")
                + (sale.repeated > 0 ? ", \(sale.repeated) repeated" : "")
                + (sale.options.afterUnknown == .resend ? ", resends" : "")
                + (sale.options.expiry.map { ", ends after \($0)" } ?? "")
                + (sale.notBefore.map { ", not before \($0)" } ?? "") + (sale.isSubmitted ? ", JSON" : "")
                + (sale.isRouted ? ", two ways" : "")
        }
        return """
            \(vendors), up to \(targetsPerRequest) targets a request, \(concurrency) requests at once, \
            \(machines.count) machines \(machines.map(\.skew)), losses \(badness)
            \(sales.joined(separator: "\n"))
            \(incidents.map { "\($0.time) \($0.kind)" }.joined(separator: "\n"))
            \(trips.map { "\($0)" }.joined(separator: "\n"))
            """
    }

    var smaller: [OutboxWorld] {
        var worlds: [OutboxWorld] = []
        func add(_ edit: (inout OutboxWorld) -> Void) {
            var world = self
            edit(&world)
            worlds.append(world)
        }
        for fewer in incidents.withoutOne { add { $0.incidents = fewer } }
        for fewer in trips.withoutOne { add { $0.trips = fewer } }
        if sales.count > 1 { add { $0.sales.removeLast() } }
        if vendors.count > 1, !sales.contains(where: \.isRouted) { add { $0.vendors.removeLast() } }
        if machines.count > 1 { add { $0.machines.removeLast() } }
        for index in sales.indices {
            if sales[index].targets > 1 { add { $0.sales[index].targets /= 2 } }
            if sales[index].unknown > 0 { add { $0.sales[index].unknown = 0 } }
            if sales[index].malformed > 0 { add { $0.sales[index].malformed = 0 } }
            if sales[index].repeated > 0 { add { $0.sales[index].repeated = 0 } }
            if sales[index].isRouted { add { $0.sales[index].isRouted = false } }
            if sales[index].isSubmitted { add { $0.sales[index].isSubmitted = false } }
        }
        for index in machines.indices where machines[index].skew != .zero { add { $0.machines[index].skew = .zero } }
        return worlds
    }

    func play(_ simulation: Simulation) async throws {
        let play = OutboxPlay(self, simulation)
        try await play.run()
    }
}
