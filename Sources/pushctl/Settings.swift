import Configuration
import PushBridge

/// Settings and credentials from the environment and from a JSON file; the environment wins.
struct Settings: Sendable {
    let reader: ConfigReader

    init(file: String?) async throws(PushError) {
        let secrets = SecretsSpecifier<String, String>.dynamic { name, _ in
            name.hasSuffix("SECRET") || name.hasSuffix("SECRET_KEY")
        }
        let environment = EnvironmentVariablesProvider(secretsSpecifier: secrets)
            .prefixKeys(with: ConfigKey(["pushbridge"]))
        guard let file else {
            reader = ConfigReader(provider: environment)
            return
        }
        do {
            let place = ConfigReader(
                provider: InMemoryProvider(values: ["filePath": ConfigValue(.string(file), isSecret: false)]))
            let snapshot = try await FileProvider<JSONSnapshot>(config: place)
            reader = ConfigReader(providers: [environment, snapshot])
        } catch {
            // The library's own text may quote the file, which holds secrets.
            throw PushError(
                .misconfigured,
                "the file \(Redaction.quoted(file)) cannot be read as JSON settings; is it there, and an object?")
        }
    }

    func makeProvider(of vendor: Vendor) async throws(PushError) -> any PushProvider {
        try await vendor.makeProvider(reader.scoped(to: ConfigKey([vendor.id.rawValue])))
    }

    func makeTransport() throws(PushError) -> CurlTransport { try CurlTransport(CurlConfiguration(reading: reader)) }
}
