import ArgumentParser
import PushAdapter
import PushBridge
import PushConformance
import PushLoopback
import PushSimulation
import PushSimulationServer

struct Conformance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the checks that every adapter must pass.",
        discussion: """
            In-process and over loopback, each check uses its own simulator. With --level live, only the checks that \
            change nothing run. They use the vendor, with the credentials of --config or of the environment.

            Exit status: 0 all passed, 1 a check failed.
            """)

    enum Level: String, ExpressibleByArgument, CaseIterable {
        case inProcess = "in-process"
        case loopback
        case live
    }

    @Argument(help: "The vendor; or --all.", completion: .vendors)
    var name: String?

    @Flag(help: "Check every vendor that this tool knows.")
    var all = false

    @Option(help: "How real the vendor is.")
    var level = Level.inProcess

    @Flag(help: "List the checks and run none.")
    var list = false

    @Option(help: "Run only checks whose name begins with this text, such as behavior.tags.")
    var only = ""

    @Option(help: "A JSON file with settings and credentials, for the live level; the environment wins.")
    var config: String?

    @Flag(help: "Print JSON for programs.")
    var json = false

    func run() async throws {
        let checks = ConformanceCheck.all.filter { $0.id.hasPrefix(only) }
        guard !checks.isEmpty else {
            throw PushError(.invalidArgument, "no check begins with \(Redaction.quoted(only)); --list shows all")
        }
        guard !list else { return printList(checks) }
        guard all != (name != nil) else {
            throw PushError(.invalidArgument, "name one vendor, or give --all for all of them")
        }
        let vendors = try name.map { (name) throws(PushError) in [try Vendor.named(name)] } ?? Vendor.all
        var reports: [ConformanceReport] = []
        for vendor in vendors { reports.append(try await run(checks, on: vendor)) }
        if json {
            Output.print(["passed": .bool(reports.allSatisfy(\.hasPassed)), "reports": .array(reports.map(\.json))])
        } else {
            Output.line(reports.map(\.table).joined(separator: "\n\n"))
        }
        guard reports.allSatisfy(\.hasPassed) else { throw ExitCode(1) }
    }

    private func run(_ checks: [ConformanceCheck], on vendor: Vendor) async throws(PushError) -> ConformanceReport {
        guard level == .live else {
            let link = level == .loopback ? ConformanceLink(.loopback, SimulationServer.withTransport) : .inProcess
            return await run(checks, on: vendor.harness, link, vendor)
        }
        let settings = try await Settings(file: config, vendor: vendor.id.rawValue)
        let transport = try await settings.makeTransport()
        return try await ending(by: await transport.shutdown()) { () async throws(PushError) in
            let shared = Unclosed(base: transport)
            let client = try await settings.makeClient(over: shared)
            let link = ConformanceLink(.live) { _, body in try await body("", shared) }
            let harness = LiveHarness(base: vendor.harness, provider: client.provider)
            return await run(checks, on: harness, link, vendor)
        }
    }

    private func run(
        _ checks: [ConformanceCheck], on harness: any ConformanceHarness, _ link: ConformanceLink, _ vendor: Vendor
    ) async -> ConformanceReport {
        let bar = ProgressBar(total: checks.count, isWanted: !json)
        let done = Locked(0)
        let report = await ConformanceReport.run(
            checks, on: harness, named: vendor.id.rawValue, through: link,
            onResult: { result in
                let count = done.withLock { done in
                    done += 1
                    return done
                }
                bar.show(count, "\(vendor.id): \(result.check.id)")
            })
        bar.finish()
        return report
    }

    private func printList(_ checks: [ConformanceCheck]) {
        guard !json else {
            return Output.print(
                .array(
                    checks.map { check in
                        [
                            "id": .string(check.id), "requirement": .string(check.requirement),
                            "needs": .array(check.needs.map { .string($0.rawValue) }),
                            "isSafeLive": .bool(check.isSafeLive),
                        ]
                    }))
        }
        Output.line(Tables.table(["CHECK", "WHAT MUST HOLD"], checks.map { [$0.id, $0.requirement] }))
    }
}

/// The harness for the real vendor: its simulator's harness with a real provider.
private struct LiveHarness: ConformanceHarness {
    let base: any ConformanceHarness
    let provider: any PushProvider

    func makeProvider(at origin: String) throws(PushError) -> any PushProvider { provider }
    func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator { base.makeSimulator(devices: devices) }
    func device(_ number: Int) -> VirtualDevice { base.device(number) }
    /// The real secrets are not available, so no check can search for them.
    var secrets: [String] { [] }
    var documentedErrors: [DocumentedError] { base.documentedErrors }
    func answer(_ error: DocumentedError) -> SimulatedResponse { base.answer(error) }
    var samples: ConformanceSamples { base.samples }
}

/// A transport that outlives each check's client.
private struct Unclosed: HTTPTransport {
    let base: any HTTPTransport
    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse { try await base.send(request) }
    func send(
        _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
    ) async throws(PushError) -> WireResponse { try await base.send(request, beforeWriting: mayLeave) }
    func retire(_ connection: Int) { base.retire(connection) }
    func retire(group: String) { base.retire(group: group) }
    func shutdown() async {}
}
