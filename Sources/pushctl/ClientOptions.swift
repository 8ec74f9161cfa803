import ArgumentParser
import PushBridge

/// What every command that talks to a vendor takes.
struct ClientOptions: ParsableArguments {
    @Option(help: "The vendor.")
    var vendor = "jpush"

    @Option(help: "A JSON file with settings and credentials; the environment wins.")
    var config: String?

    @Flag(help: "Print JSON for programs.")
    var json = false

    /// Runs a body with a client, and shuts it down on every way out.
    func withClient<Output>(_ body: (PushClient) async throws(PushError) -> Output) async throws(PushError) -> Output {
        let settings = try await Settings(file: config)
        let client = PushClient(
            try await settings.makeProvider(of: try Vendor.named(vendor)), transport: try settings.makeTransport(),
            configuration: try ClientConfiguration(reading: settings.reader))
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
