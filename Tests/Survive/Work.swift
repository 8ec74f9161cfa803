import ArgumentParser
import FoundationEssentials
import Glibc
import PushAdapter
import PushClient
import PushOutbox
import PushOutboxSQLite

/// The worker of an outbox, which may be killed. It enqueues the campaign if necessary, and works until the campaign
/// has ended.
struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "work", shouldDisplay: false)
    /// The status of a worker that ended with an error.
    static let failed: Int32 = 4
    /// How much faster the times of an outbox run.
    static let speed = 10
    private static let longest = Duration.seconds(150)

    @Argument var caFile: String
    @Argument var keyFile: String
    @Argument var store: String
    @Argument var first: Int
    @Argument var count: Int
    @Argument var resends: Bool
    /// How far its clock is ahead, in seconds.
    @Argument var ahead: Int
    /// The time from the machine's start until its date began to run faster, in milliseconds.
    @Argument var since: Int
    @Option var place: [Place]

    func run() async throws {
        do throws(PushError) {
            try await work()
        } catch {
            Self.say("\(error)")
            var dumped = ""
            dump(error, to: &dumped)
            Self.say(dumped)
            throw ExitCode(Self.failed)
        }
    }

    private func work() async throws(PushError) {
        let plan = CampaignPlan(kinds: place.map(\.kind), first: first, count: count, resends: resends)
        let clock = SetClock(ahead: Double(ahead), pace: plan.pace, since: .milliseconds(since))
        let clients = try Self.clients(keyFile)
        var routes: [RouteName: PushClient] = [:]
        for (place, route) in zip(place, plan.routes) {
            routes[route] = try Self.client(place, caFile, clients, clock)
        }
        let outbox = PushOutbox(
            try SQLiteOutboxStore(path: store), routes: routes, settings: Self.settings,
            clock: SetClock(following: clock, speed: Self.speed))
        let end = ContinuousClock.now + Self.longest
        try await plan.enqueue(outbox)
        let failure = Locked<PushError?>(nil)
        let worker = Task {
            do throws(PushError) { try await outbox.run() } catch { failure.withLock { $0 = error } }
        }
        while true {
            if let failure = failure.withLock({ $0 }) { throw failure }
            let progress = try await outbox.progress(now: plan.name)
            if progress.state.isEnded { break }
            // A person would look for the reason. Here it is a fault of the vendor, or of the process that killed the
            // worker.
            if progress.needsPerson { try? await outbox.resume(plan.name) }
            // Gives up if the process that should kill this one is gone.
            guard ContinuousClock.now < end else { throw PushError(.timeout, "the campaign does not end") }
            try? await Task.sleep(for: .milliseconds(20))
        }
        await readAll(outbox)
        worker.cancel()
        await worker.value
        for client in routes.values { await client.shutdown() }
    }

    /// Reads the reports of all campaigns, even of those with foreign rows.
    private func readAll(_ outbox: PushOutbox) async {
        guard let campaigns = try? await outbox.campaigns(in: Set(Campaign.State.allCases)) else { return }
        for campaign in campaigns {
            do {
                let report = try await outbox.report(of: campaign.name)
                var count = 0
                for try await _ in report.exceptions { count += 1 }
                Self.say("\(report.progress), \(count) exceptions")
            } catch {
                Self.say("\(error)")
            }
        }
    }

    private static func clients(_ keyFile: String) throws(PushError) -> Clients {
        do {
            return try Clients(keys: String(contentsOf: URL(filePath: keyFile), encoding: .utf8))
        } catch {
            throw PushError(.misconfigured, "the keys cannot be read")
        }
    }

    static func client(
        _ place: Place, _ caFile: String, _ clients: Clients, _ clock: SetClock
    ) throws(PushError) -> PushClient {
        var configuration = Clients.configuration(place.kind)
        configuration.clock = clock
        do {
            return try clients.client(
                of: place.kind, at: place.origin, try place.carrier.transport(trusting: caFile), sliceSize: 5,
                configuration)
        } catch {
            throw (error as? PushError) ?? PushError(.invalidState, "no client can be made")
        }
    }

    static var settings: OutboxSettings {
        var settings = OutboxSettings()
        settings.drain = .seconds(10)
        // Few slices at a time, so that a campaign takes a while.
        settings.slicesInFlight = 4
        settings.onEvent = { say("\($0)") }
        return settings
    }

    /// Writes at once, because the process may be killed.
    private static func say(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        write(STDOUT_FILENO, bytes, bytes.count)
    }
}

/// The address of a hostile vendor, for another process.
struct Place: ExpressibleByArgument {
    let kind: HostileVendor.Kind
    let carrier: Carrier
    let origin: String

    init(_ site: Site) { (kind, carrier, origin) = (site.vendor.kind, site.carrier, site.origin) }

    init?(argument: String) {
        let parts = argument.split(separator: "|").map(String.init)
        guard parts.count == 3, let kind = HostileVendor.Kind(rawValue: parts[0]),
            let carrier = Carrier(rawValue: parts[1])
        else { return nil }
        (self.kind, self.carrier, origin) = (kind, carrier, parts[2])
    }

    var text: String { "\(kind.rawValue)|\(carrier.rawValue)|\(origin)" }
}
