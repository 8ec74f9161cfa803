import ArgumentParser
import PushBridge

/// What every command that talks to a vendor takes.
struct ClientOptions: ParsableArguments {
    @Option(help: "The vendor; the configuration's without it, or jpush.")
    var vendor: String?

    @Option(help: "A JSON file with settings and credentials; the environment wins.")
    var config: String?

    @Option(
        name: .customLong("accept"),
        help: "An emulation whose losses you accept, such as tags.replace.clearing. Repeatable.")
    var losses: [String] = []

    @Flag(help: "Print JSON for programs.")
    var json = false

    /// Refuses what is no emulation that loses something: a misspelt name would accept nothing.
    private func check(_ losses: [String], _ client: PushClient) throws(PushError) {
        let lossy = client.capabilities.lossyEmulations.map(\.rawValue)
        guard let unknown = losses.first(where: { !lossy.contains($0) }) else { return }
        throw PushError(
            .invalidArgument,
            "--accept \(Redaction.quoted(unknown)): \(client.provider.id) has "
                + (lossy.isEmpty ? "nothing to accept" : "to accept \(lossy.joined(separator: ", "))"))
    }

    /// Runs a body with a client, and shuts it down on every way out.
    func withClient<Output>(_ body: (PushClient) async throws(PushError) -> Output) async throws(PushError) -> Output {
        let settings = try await Settings(file: config, vendor: vendor)
        let client = try await settings.makeClient { $0.acceptedLosses.formUnion(losses.map { Feature($0) }) }
        do throws(PushError) {
            try check(losses, client)
            let output = try await body(client)
            await client.shutdown()
            return output
        } catch {
            await client.shutdown()
            throw error
        }
    }
}
