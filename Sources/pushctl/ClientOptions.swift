import ArgumentParser
import PushBridge

/// What every command that talks to a vendor takes.
struct ClientOptions: ParsableArguments {
    @Option(help: "The vendor.")
    var vendor = "jpush"

    @Option(help: "A JSON file with settings and credentials; the environment wins.")
    var config: String?

    @Option(
        name: .customLong("accept"),
        help: "An emulation whose losses you accept, such as tags.replace.clearing. Repeatable.")
    var losses: [String] = []

    @Flag(help: "Print JSON for programs.")
    var json = false

    /// Refuses what is no emulation that loses something: a misspelt name would accept nothing.
    private func check(_ losses: [String], _ capabilities: Capabilities) throws(PushError) {
        let lossy = capabilities.support.filter { _, support in
            if case .emulated(let recipe) = support { recipe.fidelity == .lossy } else { false }
        }.keys.map(\.rawValue).sorted()
        guard let unknown = losses.first(where: { !lossy.contains($0) }) else { return }
        throw PushError(
            .invalidArgument,
            "--accept \(Redaction.quoted(unknown)): \(vendor) has "
                + (lossy.isEmpty ? "nothing to accept" : "to accept \(lossy.joined(separator: ", "))"))
    }

    /// Runs a body with a client, and shuts it down on every way out.
    func withClient<Output>(_ body: (PushClient) async throws(PushError) -> Output) async throws(PushError) -> Output {
        let settings = try await Settings(file: config)
        var configuration = try ClientConfiguration(reading: settings.reader)
        configuration.acceptedLosses = Set(losses.map { Feature($0) })
        let client = PushClient(
            try await settings.makeProvider(of: try Vendor.named(vendor)), transport: try settings.makeTransport(),
            configuration: configuration)
        do throws(PushError) {
            try check(losses, client.capabilities)
            let output = try await body(client)
            await client.shutdown()
            return output
        } catch {
            await client.shutdown()
            throw error
        }
    }
}
