public import ArgumentParser
import PushBridge
public import PushOutbox
import PushRouter

#if SQLite
    import PushOutboxSQLite
#endif

/// The option of every command about an outbox.
struct OutboxOptions: ParsableArguments {
    @Option(help: "The file of the outbox, made if it is not there; needs a pushctl with the trait SQLite.")
    var store: String

    @Flag(help: "Print JSON for programs.")
    var json = false

    /// The outbox, to watch and to operate.
    func outbox() throws(PushError) -> PushOutbox { PushOutbox(try makeStore(), routes: [:]) }

    /// Runs a body with the outbox and the clients of the settings, and always shuts the clients down.
    func withOutbox(
        config: String?, _ settings: OutboxSettings = OutboxSettings(), _ body: (PushOutbox) async throws -> Void
    ) async throws {
        let store = try makeStore()
        let router = try await Settings(file: config, vendor: nil, isRouter: true)
            .makeRouter(bindings: MemoryBindingStore())
        do {
            try await body(PushOutbox(store, routes: router.routes, settings: settings))
            await router.shutdownClients()
        } catch {
            await router.shutdownClients()
            throw error
        }
    }

    private func makeStore() throws(PushError) -> any OutboxStore {
        #if SQLite
            return try SQLiteOutboxStore(path: store)
        #else
            throw PushError(.unsupported, "this pushctl has no outbox: build it with --traits SQLite")
        #endif
    }
}

extension CampaignOptions.Priority: ExpressibleByArgument {
    public init?(argument: String) {
        guard let priority = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
        self = priority
    }

    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
}

extension CampaignOptions.AfterUnknown: ExpressibleByArgument {}
