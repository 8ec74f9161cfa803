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

    /// Runs a body with a client, and shuts it down on every way out.
    func withClient<Output>(_ body: (PushClient) async throws(PushError) -> Output) async throws(PushError) -> Output {
        let settings = try await Settings(file: config)
        var configuration = try ClientConfiguration(reading: settings.reader)
        configuration.acceptedLosses = Set(losses.map { Feature($0) })
        let client = PushClient(
            try await settings.makeProvider(of: try Vendor.named(vendor)), transport: try settings.makeTransport(),
            configuration: configuration)
        do throws(PushError) {
            let output = try await body(client)
            await client.shutdown()
            return output
        } catch {
            await client.shutdown()
            throw error
        }
    }
}
