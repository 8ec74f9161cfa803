import ArgumentParser
import PushAdapter
import PushBridge
import PushConformance
import PushSimulation

/// The options of every command that talks to a vendor.
struct ClientOptions: ParsableArguments {
    @Option(help: "The vendor; by default the configuration's, or jpush.", completion: .vendors)
    var vendor: String?

    @Option(help: "A JSON file with settings and credentials; the environment wins.")
    var config: String?

    @Option(
        name: .customLong("accept"),
        help: "An emulation whose losses you accept, such as tags.replace. Repeatable.", completion: .features)
    var losses: [String] = []

    @Flag(help: "Print JSON for programs.")
    var json = false

    /// Refuses names that are not lossy emulations: a misspelled name would accept nothing.
    private func check(_ losses: [String], _ client: PushClient) throws(PushError) {
        let lossy = client.acceptableLosses.map(\.rawValue)
        guard let unknown = losses.first(where: { !lossy.contains($0) }) else { return }
        throw PushError(
            .invalidArgument,
            "--accept \(Redaction.quoted(unknown)): \(client.provider.id) has "
                + (lossy.isEmpty ? "no lossy emulations" : "the lossy emulations \(lossy.joined(separator: ", "))"))
    }

    /// Runs a body with a client that sends nothing. Where the settings have nothing of the vendor's app, its client has
    /// made-up credentials, and the body gets the vendor's name.
    func withPlanningClient<Output>(
        _ body: (PushClient, _ withoutSettings: ProviderID?) async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        let settings = try await Settings(file: config, vendor: vendor)
        guard let vendor = try await settings.unsetVendor() else {
            return try await withClient { (client) async throws(PushError) in try await body(client, nil) }
        }
        let provider = Elsewhere(
            base: try vendor.harness.makeProvider(at: InProcessTransport.origin),
            dataCenter: vendor.type.dataCenters.standard)
        var configuration = ClientConfiguration()
        configuration.acceptedLosses = Set(losses.map { Feature($0) })
        return try await vendor.withClient(of: provider, configuration: configuration) {
            (client) async throws(PushError) in
            try check(losses, client)
            return try await body(client, vendor.id)
        }
    }

    /// Runs a body with a client, and always shuts the client down.
    func withClient<Output>(_ body: (PushClient) async throws(PushError) -> Output) async throws(PushError) -> Output {
        let settings = try await Settings(file: config, vendor: vendor)
        let client = try await settings.makeClient { $0.acceptedLosses.formUnion(losses.map { Feature($0) }) }
        return try await ending(by: await client.shutdown()) { () async throws(PushError) in
            try check(losses, client)
            return try await body(client)
        }
    }
}

/// The device of a command, and its client.
struct DeviceOptions: ParsableArguments {
    @Argument(help: "The device id, as the vendor knows it.") var device: String
    @OptionGroup var client: ClientOptions
}
