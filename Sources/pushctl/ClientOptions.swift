import ArgumentParser
import Configuration
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
        let vendor = try Vendor.named(vendor)
        let config = try await reader()
        let client = PushClient(
            try await vendor.makeProvider(config.scoped(to: ConfigKey([vendor.id.rawValue]))),
            transport: try CurlTransport(CurlConfiguration(reading: config)),
            configuration: try ClientConfiguration(reading: config))
        do throws(PushError) {
            let output = try await body(client)
            await client.shutdown()
            return output
        } catch {
            await client.shutdown()
            throw error
        }
    }

    private func reader() async throws(PushError) -> ConfigReader {
        let secrets = SecretsSpecifier<String, String>.dynamic { name, _ in name.hasSuffix("SECRET") }
        let environment = EnvironmentVariablesProvider(secretsSpecifier: secrets)
            .prefixKeys(with: ConfigKey(["pushbridge"]))
        guard let config else { return ConfigReader(provider: environment) }
        do {
            let place = ConfigReader(
                provider: InMemoryProvider(values: ["filePath": ConfigValue(.string(config), isSecret: false)]))
            let file = try await FileProvider<JSONSnapshot>(config: place)
            return ConfigReader(providers: [environment, file])
        } catch {
            // The library's own text may quote the file, which holds secrets.
            throw PushError(
                .misconfigured,
                "the file \(Redaction.quoted(config)) cannot be read as JSON settings; is it there, and an object?")
        }
    }
}
