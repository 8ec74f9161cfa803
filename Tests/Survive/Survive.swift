import ArgumentParser
import FoundationEssentials
import Glibc
import HostileServer
import PushAdapter
import PushClient
import PushCrypto

/// Calls all vendors through servers that lie, break and stall: directly, through a router and from an outbox. Looks
/// for a broken promise.
@main
struct Survive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "survive",
        abstract:
            "Calls hostile servers over both transports for a while, and ends with status 1 if a promise did not hold.",
        discussion: """
            The promises: an unkeyed message arrives at most once; what is called not applied was not carried out; what is \
            called accepted was said to be; what is called gone was said to be, of that very target; what a report calls \
            safe to send again is not delivered twice; a call ends by its deadline; descriptors, threads and memory do not \
            grow; no secret, no token and no device id is in any output.

            Rounds take turns. vendor: all vendors over all carriers, APNs over HTTP/2 only, by clients with and without \
            layers. router: people with bindings at several vendors; no phone gets a message twice. kills: an \
            outbox in a file, whose workers are killed; every target has its outcome. file: its file is moved, removed, \
            replaced or cut. rows: somebody else writes into its rows. clock: its clock jumps.
            """,
        subcommands: [Work.self])

    @Option(help: "How long to go on.")
    var seconds = 60

    @Option(
        help: "The seed of the faults; a random one without it. Threads take turns at them, so a run is like another.")
    var seed: UInt64?

    @Option(help: "Milliseconds after its deadline in which a call must have ended.")
    var slack = 500

    @Option(help: "Mutations of inputs for decoders, callbacks and files; 600 for each second without it.")
    var mutations: Int?

    @Option(
        help: """
            Only this carrier: libcurl over HTTP/1.1, libcurl without TLS, or HTTP2Transport. Handshakes and slow \
            lookups belong to http1 and http2; rounds other than those of one vendor to none.
            """)
    var only: Carrier?

    @Option(help: "Only rounds of this kind, and nothing else: vendor, router, kills, file, rows or clock.")
    var turn: Turn?

    func run() async throws {
        let seed = seed ?? UInt64.random(in: 1...999_999_999)
        let mutations = mutations ?? seconds * 600
        try Stalls.watch()
        Findings.say("seed \(seed), \(seconds) s, \(mutations) mutations")
        let clients = try Clients()
        let (dice, findings) = (Dice(seed: seed), Findings(secrets: clients.secrets))
        let certificate = try SelfSignedCertificate()
        let caFile = try FileManager.default.temporaryFile(certificate.certificate)
        let keyFile = try FileManager.default.temporaryFile(clients.keys)
        defer { for file in [caFile, keyFile] { unlink(file) } }

        if turn == nil {
            for carrier in [Carrier.http1, .http2] where only == nil || only == carrier {
                try await Handshakes(dice: dice, findings: findings, carrier: carrier, caFile: caFile).run()
                try await SlowLookups(
                    findings: findings, carrier: carrier, certificate: certificate, caFile: caFile,
                    slack: .milliseconds(slack)
                ).run()
            }
            await Fuzz(dice: dice, findings: findings).run(mutations)
        }

        // With only one carrier, only rounds with a single carrier run.
        let turns = turn.map { [$0] } ?? (only == nil ? Turn.order : [.vendor])
        let world = World(
            dice: dice, findings: findings, clients: clients, certificate: certificate, caFile: caFile,
            keyFile: keyFile, slack: .milliseconds(slack))
        // One minute goes through all turns once. The last calls of a round end up to four seconds later, those of most
        // rounds much sooner.
        let longest = Duration.milliseconds(min(5_000, max(1_000, seconds * 1_000 / Turn.order.count - 2_500)))
        var schedule = Schedule(only: only)
        let end = ContinuousClock.now + .seconds(seconds)
        // A whole run goes through all turns, however slow the machine is.
        let isWhole = turn == nil && only == nil
        var (number, usage) = (0, [Resources]())
        while ContinuousClock.now < end || isWhole && number < turns.count {
            let time = min(longest, max(.seconds(1), end - ContinuousClock.now))
            switch turns[number % turns.count] {
            case .vendor:
                let (kind, carrier) = schedule.next()
                try await Round(kind, carrier, in: world).run(for: time)
            case .router: try await RouterRound(in: world).run(for: time)
            case .kills:
                var kills = 0
                for _ in 0..<3 where kills == 0 {
                    kills = try await OutboxRound(
                        "whose workers are killed", vendors: dice.happens(50) ? 2 : 1, in: world
                    ).kill(for: time / 2)
                }
            case .file: try await FileRound(world: world).run()
            case .rows: try await RowRound(world: world).run()
            case .clock: try await ClockRound(world: world).run(for: time / 2)
            }
            usage.append(await Self.settled())
            number += 1
            if number % 6 == 0 {
                let (calls, violations) = findings.state.withLock { ($0.calls, $0.violations.count) }
                Findings.say("\(number) rounds, \(calls) calls, \(violations) violations; \(usage[number - 1])")
            }
        }
        Self.checkGrowth(usage, findings)
        if isWhole { try await Self.checkCoverage(of: world, longest) }
        Self.checkAnswers(findings)
        Findings.say("the process was held up for \(Stalls.total)")
        print(findings.table)
        let violations = findings.state.withLock { $0.violations }
        guard violations.isEmpty else {
            Findings.say("\(violations.count) violations with seed \(seed)")
            throw ExitCode(1)
        }
    }

    /// The client must believe complete responses, except for a few that meet the end of a connection, a cancellation
    /// or a late thread.
    private static func checkAnswers(_ findings: Findings) {
        for (carrier, tally) in findings.state.withLock({ $0.tallies }) {
            if tally.unbelieved > 5 + tally.honest / 50 {
                findings.violate(
                    "\(carrier.text): \(tally.unbelieved) of \(tally.honest) whole answers were not believed")
            }
            // libcurl resets streams that have ended.
            if carrier == .http2, tally.resetsOfFinished > 5 + tally.finished / 20 {
                findings.violate(
                    "\(carrier.text): \(tally.resetsOfFinished) of \(tally.finished) finished streams were reset")
            }
        }
    }

    /// A promise holds trivially if nothing was sent. In a minute a vendor has one round or two, and a refusal of the
    /// credentials can take a whole round, so what has not happened yet gets more rounds.
    private static func checkCoverage(of world: World, _ longest: Duration) async throws {
        func attempt(_ what: String, until isCovered: () -> Bool, _ round: () async throws -> Void) async throws {
            for _ in 0..<20 where !isCovered() {
                Findings.say("\(what); one more round")
                try await round()
            }
            if !isCovered() { world.findings.violate(what) }
        }
        func look(for event: String, _ round: () async throws -> Void) async throws {
            func isCovered() -> Bool { world.findings.state.withLock { $0.outcomes[event, default: 0] > 0 } }
            try await attempt("there were none: \(event)", until: isCovered, round)
        }
        for kind in HostileVendor.Kind.allCases {
            let carriers = Carrier.turns.filter { $0.kinds.contains(kind) }
            func isCovered() -> Bool { world.findings.state.withLock { $0.accepted[kind, default: 0] > 0 } }
            try await attempt("no message was accepted by \(kind.rawValue)", until: isCovered) {
                try await Round(kind, world.dice.pick(carriers), in: world).run(for: longest)
            }
        }
        for event in ["access tokens", "targets that were gone"] {
            try await look(for: event) { try await Round(.fcm, .http2, in: world).run(for: longest) }
        }
        for event in ["workers killed", "campaign: accepted"] {
            try await look(for: event) {
                _ = try await OutboxRound("whose workers are killed", in: world).kill(for: longest / 2)
            }
        }
    }

    /// The resources of the process after the last connections and threads have ended.
    private static func settled() async -> Resources {
        var last = Resources.now
        for _ in 0..<20 {
            try? await Task.sleep(for: .milliseconds(50))
            let now = Resources.now
            if now.threads == last.threads, now.descriptors == last.descriptors { return now }
            last = now
        }
        return last
    }

    /// After the first rounds, nothing may grow: each round must end with the resources that it began with.
    private static func checkGrowth(_ usage: [Resources], _ findings: Findings) {
        guard usage.count >= 6 else { return }
        let (early, late) = (usage[2..<max(3, usage.count / 3)], usage[(usage.count * 2 / 3)...])
        func middle(_ list: ArraySlice<Resources>, _ value: (Resources) -> Int) -> Int {
            list.map(value).sorted()[list.count / 2]
        }
        func check(_ name: String, _ value: (Resources) -> Int, allowed: Int) {
            let (before, after) = (middle(early, value), middle(late, value))
            if after > before + allowed { findings.violate("\(name) grew from \(before) to \(after)") }
        }
        check("descriptors", \.descriptors, allowed: 4)
        check("threads", \.threads, allowed: 4)
        // The size of a round's facts and logs varies.
        check("memory in MiB", \.allocatedMiB, allowed: 16)
        if let last = usage.last { Findings.say("at the end \(last)") }
    }
}

extension Carrier: ExpressibleByArgument {}

extension FileManager {
    /// The path of a new file with this text.
    func temporaryFile(_ text: String) throws -> String {
        let path = temporaryDirectory.appending(path: "survive-\(UUID().uuidString).pem").path
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }
}
