public import ArgumentParser
import Glibc
import PushBridge
public import PushOutbox
import PushRouter
import PushRouterSettings

#if SQLite
    import PushOutboxSQLite
#endif
#if PostgreSQL
    import PushOutboxPostgres
#endif

/// The options of every command about an outbox.
struct OutboxOptions: ParsableArguments {
    private static let variable = "PUSHBRIDGE_OUTBOX_STORE"

    @Option(
        help: """
            The file of the outbox, or a database such as postgresql://shop@db.example.com/shop or "host=db.example.com \
            user=shop", whose password belongs in ~/.pgpass; by default the environment's PUSHBRIDGE_OUTBOX_STORE. Needs the \
            trait SQLite or PostgreSQL.
            """)
    var store: String?

    @Flag(help: "Print JSON for programs.")
    var json = false

    private var path: String? { store ?? getenv(Self.variable).map { String(cString: $0) } }

    func validate() throws {
        guard path?.isEmpty == false else {
            throw ValidationError("Give the file of the outbox by --store, or set \(Self.variable).")
        }
    }

    /// The outbox, to watch and to operate. Refuses a missing file, because a new one would look like an empty outbox.
    func outbox() async throws(PushError) -> PushOutbox {
        let path = path ?? ""
        guard isDatabase || access(path, F_OK) == 0 else {
            throw PushError(
                .invalidArgument,
                "there is no outbox \(Input.quoted(path)); is the name right? pushctl outbox enqueue creates it")
        }
        return PushOutbox(try await makeStore(), routes: [:])
    }

    /// The outbox, with its tables migrated to the current version. Creates a missing file.
    func migratedOutbox() async throws(PushError) -> PushOutbox {
        #if PostgreSQL
            if isDatabase { try await PostgresOutboxStore.migrate(path ?? "") }
        #endif
        return PushOutbox(try await makeStore(), routes: [:])
    }

    /// Runs a body with the outbox, and with the router of the settings, whose clients send for it. Creates a missing
    /// file, and always shuts the clients down.
    /// - Parameters:
    ///   - bindings: by default none.
    ///   - settings: makes the outbox's settings.
    func withOutbox<Output>(
        config: String?, _ bindings: BindingPlace? = nil,
        _ settings: (PushRouter) -> OutboxSettings = { _ in OutboxSettings() },
        _ body: (PushOutbox, PushRouter) async throws -> Output
    ) async throws -> Output {
        let store: any BindingStore = try bindings?.store() ?? MemoryBindingStore()
        let router = try await Settings(file: config, vendor: nil, isRouter: true).makeRouter(bindings: store)
        return try await ending(by: await router.shutdownClients()) {
            let outbox = PushOutbox(try await makeStore(), routes: router.routes, settings: settings(router))
            return try await body(outbox, router)
        }
    }

    private var isDatabase: Bool { Input.isConnectionString(path ?? "") }

    private func makeStore() async throws(PushError) -> any OutboxStore {
        #if PostgreSQL
            if isDatabase { return try await PostgresOutboxStore(path ?? "") }
        #endif
        guard !isDatabase else {
            throw PushError(.unsupported, "this pushctl knows no database; build it with the trait PostgreSQL")
        }
        #if SQLite
            return try SQLiteOutboxStore(path: path ?? "")
        #else
            throw PushError(.unsupported, "this pushctl has no outbox in a file; build it with the trait SQLite")
        #endif
    }
}

extension CampaignOptions.Priority: ExpressibleByArgument {
    public init?(argument: String) {
        guard let priority = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
        self = priority
    }

    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
    public static var allValueDescriptions: [String: String] {
        [
            "urgent": "a person waits for it, such as for a sign-in code",
            "normal": "news about a customer's order",
            "bulk": "lists of millions, which leave a tenth of the vendor's quotas to other messages",
        ]
    }
}

extension CampaignOptions.AfterUnknown: ExpressibleByArgument {
    public static var allValueStrings: [String] { [Self.report, .resend].map(\.rawValue) }
}
