import ArgumentParser
import Foundation
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import PushSimulationServer

/// Kills an outbox worker repeatedly while it sends, and counts the messages that each phone got.
@main
struct Kills: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kills",
        abstract: "Kills workers of an outbox at random moments, and ends with status 1 if a promise did not hold.",
        discussion: """
            The promises: no phone gets a message twice; who is reported as accepted has got it; every target has its \
            outcome; with idempotency keys none is unknown; without them no more are unknown than were on their way. A file has one worker at a time. On PostgreSQL there are two, \
            and some are stopped for longer than their life instead of killed, and then go on.
            """,
        subcommands: [Work.self])

    @Option(help: "Kills for each vendor on each engine.")
    var kills = 100

    @Option(help: "Only this vendor.")
    var vendor: KilledVendor?

    @Option(help: "Only this engine: file or postgresql.")
    var engine: Engine?

    @Option(help: "The seed of the moments; a random one without it.")
    var seed: UInt64?

    func run() async throws {
        let seed = seed ?? UInt64.random(in: 1...999_999_999)
        say(
            "seed \(seed), \(kills) kills for each vendor on each engine, \(Campaigns.devices) targets in each campaign"
        )
        var isBroken = false
        for engine in Engine.allCases where self.engine == nil || self.engine == engine {
            for vendor in vendor.map({ [$0] }) ?? KilledVendor.all {
                var round = Round(vendor: vendor, engine: engine, kills: kills, random: SplitMix(seed: seed))
                let result = try await round.run()
                say(result.line)
                for violation in result.violations.prefix(20) { say("  VIOLATION \(violation)") }
                isBroken = isBroken || !result.violations.isEmpty
            }
        }
        if isBroken { throw ExitCode(1) }
    }
}

/// Prints a line at once, even if the output is a file.
private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// The campaigns of a round. Their slices are small, so that there are many points between them at which to kill.
enum Campaigns {
    static let devices = 1_500
    /// The limit for vendors that take many targets per request.
    static let perRequest = 20

    static func name(_ number: Int) -> CampaignName { CampaignName("campaign-\(number)") }
    /// With a title and a class, which some vendors demand.
    static func message(_ number: Int) -> Message {
        Message(
            notification: Notification(title: "Kills", body: "campaign-\(number)"),
            messageClass: MessageClass(.service, .subscription))
    }
}

/// The worker that is killed. It enqueues the campaign if necessary, and works until the campaign has ended.
struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "work", shouldDisplay: false)

    private static let longest = Duration.seconds(90)

    @Argument var vendor: KilledVendor
    @Argument var access: String
    @Argument var engine: Engine
    @Argument var store: String
    @Argument var campaign: Int

    func run() async throws {
        let client = try Access(contentsOf: access).client(of: vendor)
        var settings = OutboxSettings()
        settings.renewal = Engine.renewal
        let outbox = PushOutbox(try await engine.open(store, of: vendor), routes: ["route": client], settings: settings)
        let name = Campaigns.name(campaign)
        let end = ContinuousClock.now + Self.longest
        try await enqueue(outbox, until: end)
        let worker = Task { try await outbox.run() }
        while case let state = try await outbox.progress(now: name).state, !state.isEnded {
            // Gives up if the killer process is gone.
            guard ContinuousClock.now < end else { throw ExitCode(3) }
            try await Task.sleep(for: .milliseconds(50))
        }
        worker.cancel()
        try await worker.value
        await client.shutdown()
    }

    /// Enqueues the campaign, or waits while another worker enqueues it.
    private func enqueue(_ outbox: PushOutbox, until end: ContinuousClock.Instant) async throws {
        let devices = (0..<Campaigns.devices).map(vendor.device)
        while true {
            do throws(PushError) {
                return try await outbox.enqueue(
                    Campaigns.message(campaign), to: [.audience(.devices(devices), at: "route")],
                    as: Campaigns.name(campaign))
            } catch {
                guard error.kind == .invalidState || error.kind == .busy, ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}
