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
        /// Whether it names the phones by their aliases.
        var isByAlias = false
        /// Whether each phone has a second route, at the other vendor.
        var isRouted = false
        /// Whether a router finds these routes in the bindings of users.
        var isToUsers = false
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

    /// An event at a call of a worker to the store.
    struct Trip: Sendable {
        enum Step: Sendable, Hashable {
            case call(OutboxCall)
            /// A call that writes outcomes of an attempt or of a recovery.
            case outcome
        }

        /// Nil for the machine that happens to make the call.
        var machine: Int?
        var step: Step
        /// The number of the call, from 1: of the machine's calls, or of all.
        var number: Int
        var isAfter: Bool
        var event: Event

        enum Event: Sendable {
            /// The worker is killed.
            case kill
            case pause(Duration)
            /// It stops until others declare it dead and have then written this often; with 0, until they have found its
            /// slices.
            case takeover(writes: Int)
            /// The worker stops, and all campaigns are cancelled meanwhile.
            case cancelled(Duration)
            /// All machines are off for a long time.
            case night(Duration)
            /// The machine's clock is set.
            case setClock(Duration)

            /// Whether the worker goes on later.
            var holdsUp: Bool {
                switch self {
                case .pause, .takeover, .cancelled: true
                default: false
                }
            }
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
    /// Replaces all of the vendor's quotas, and the workers share it.
    var quota: Quota?
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
        if vendors.count == 1, random.chance(0.25) {
            quota = Quota(
                Int.random(in: 2...10, using: &random), per: random.duration(500...5_000), source: "a small world")
        }
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
                sale.isByAlias = !sale.isSubmitted && vendors[0].takesAliases && random.chance(0.4)
            }
            if sale.isByAlias { (sale.unknown, sale.malformed) = (0, 0) }
            sales.append(sale)
        }
        trips = []
        while random.chance(0.4), trips.count < 4 {
            let steps: [Trip.Step] = [
                .call(.apply), .call(.apply), .outcome, .outcome, .call(.lease), .call(.lease), .call(.orphans),
                .call(.endFinished), .call(.renew),
            ]
            let events: [Trip.Event] = [
                .kill, .kill, .pause(random.duration(500...90_000)), .pause(random.duration(29_000...45_000)),
                .takeover(writes: 1), .takeover(writes: 2), .takeover(writes: Int.random(in: 1...6, using: &random)),
            ]
            let isOfAny = random.chance(0.3)
            trips.append(
                Trip(
                    machine: isOfAny ? nil : Int.random(in: 0..<machines.count, using: &random),
                    step: steps.randomElement(using: &random) ?? .outcome,
                    number: Int.random(in: 1...6, using: &random), isAfter: random.chance(0.6),
                    event: events.randomElement(using: &random) ?? .kill))
        }
        if sales.contains(where: \.isSubmitted), random.chance(0.5) { trips.append(Self.latePlanner(&random)) }
        if machines.count > 1, random.chance(0.15) { trips.append(Self.lateOutcome(&random)) }
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
        for index in sales.indices where sales[index].isRouted { sales[index].isToUsers = random.chance(0.5) }
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
                + (sale.isByAlias ? ", by alias" : "")
                + (sale.isRouted ? ", two ways" : "") + (sale.isToUsers ? ", to users" : "")
        }
        return """
            \(isInFile ? "in a file, " : "")\(vendors), up to \(targetsPerRequest) targets a request, \(concurrency) requests at once, \
            \(machines.count) machines \(machines.map(\.skew)), losses \(badness), \
            \(quota.map { "\($0.limit) each \($0.seconds) seconds" } ?? "no quota")
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
        if quota != nil { add { $0.quota = nil } }
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
            if sales[index].isToUsers { add { $0.sales[index].isToUsers = false } }
            if sales[index].isRouted {
                add { ($0.sales[index].isRouted, $0.sales[index].isToUsers) = (false, false) }
            }
            if sales[index].isSubmitted { add { $0.sales[index].isSubmitted = false } }
            if sales[index].isByAlias { add { $0.sales[index].isByAlias = false } }
        }
        for index in machines.indices where machines[index].skew != .zero { add { $0.machines[index].skew = .zero } }
        return worlds
    }

    func play(_ simulation: Simulation) async throws {
        let play = OutboxPlay(self, simulation)
        try await play.run()
    }
}
