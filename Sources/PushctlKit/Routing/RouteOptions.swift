import ArgumentParser
import FoundationEssentials
import PushBridge
import PushRouter
import PushRouterSettings

#if SQLite
    import PushRouterSQLite
#endif

/// Where the bindings are: in a file or in a database.
struct BindingOptions: ParsableArguments {
    @Option(help: "A file with a binding in each line, as JSON; it is only read.")
    var bindings: String?

    @Option(help: "A database of bindings, made if it is not there; needs a pushctl with the trait SQLite.")
    var database: String?

    /// Nil if the bindings were not named.
    var place: BindingPlace? { database.map { .database($0) } ?? bindings.map { .file($0) } }

    func validate() throws {
        guard bindings == nil || database == nil else {
            throw ValidationError("Give the bindings by --bindings or by --database, not by both.")
        }
        guard database.map(Input.isConnectionString) != true else {
            throw ValidationError("--database takes the path of a file; one with a = starts with / or ./.")
        }
    }
}

enum BindingPlace {
    case file(String)
    case database(String)

    func store() throws(PushError) -> any BindingStore {
        let path: String
        switch self {
        case .file(let file): return MemoryBindingStore(try Self.read(file))
        case .database(let database): path = database
        }
        #if SQLite
            return try SQLiteBindingStore(path: path)
        #else
            throw PushError(
                .unsupported,
                "this pushctl has no databases: build it with the trait SQLite, or give --bindings FILE")
        #endif
    }

    /// Binds all bindings of a file in the database.
    func bindAll(of file: String) async throws -> Int {
        let bindings = try Self.read(file)
        #if SQLite
            guard case .database(let path) = self else { throw Self.noDatabase }
            try await SQLiteBindingStore(path: path).bind(bindings)
            return bindings.count
        #else
            throw Self.noDatabase
        #endif
    }

    private static var noDatabase: PushError {
        PushError(.invalidArgument, "--import writes to a database; give --database FILE")
    }

    private static func read(_ path: String) throws(PushError) -> [Binding] {
        let reader = try LineReader(path)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        var bindings: [Binding] = []
        while let line = try reader.next() {
            do {
                guard !line.isCut else {
                    throw PushError(.tooLong, "it is longer than \(LineReader.longest) bytes")
                }
                bindings.append(try decoder.decode(Binding.self, from: Data(line.bytes)))
            } catch {
                // The decoder's own text may quote a token.
                throw PushError(
                    .invalidArgument,
                    "line \(line.number) of \(Input.quoted(path)) is no binding; write one such as "
                        + #"{"user": "u-1", "installation": "i-1", "route": "jpush", "device": "...", "#
                        + #""platform": "android", "boundAt": "2026-11-23T10:00:00Z"}"#)
            }
        }
        return bindings
    }
}

/// The options of every command about several vendors.
struct RouteOptions: ParsableArguments {
    @Option(help: "A JSON file with the routes, their vendors' settings and the routing; the environment wins.")
    var config: String?

    @OptionGroup var places: BindingOptions

    @Flag(help: "Print JSON for programs.")
    var json = false

    func validate() throws {
        guard places.place != nil else { throw ValidationError("Give the bindings by --bindings or by --database.") }
    }

    func store() throws(PushError) -> any BindingStore { try place.store() }

    /// Parsing has made sure that there is one.
    var place: BindingPlace { places.place ?? .file("") }

    /// Runs a body with the router of the settings, and always shuts its clients down.
    func withRouter<Output>(_ body: (PushRouter) async throws -> Output) async throws -> Output {
        let settings = try await Settings(file: config, vendor: nil, isRouter: true)
        let router = try await settings.makeRouter(bindings: try store())
        return try await ending(by: await router.shutdownClients()) { try await body(router) }
    }
}

/// The recipients of a routed message.
struct RouteRecipients: ParsableArguments {
    @Option(name: .customLong("user"), help: "A user. Repeatable.")
    var users: [String] = []

    @Option(name: .customLong("users"), help: "A file with a user in each line; - for standard input.")
    var userFile: String?

    @Option(name: .customLong("installation"), help: "An installation. Repeatable.")
    var installations: [String] = []

    func validate() throws {
        guard [!users.isEmpty, userFile != nil, !installations.isEmpty].count(where: { $0 }) == 1 else {
            throw ValidationError("Give the recipients by --user, by --users or by --installation.")
        }
    }

    /// Calls a body with each plan: one plan, or for a file of users, one plan per some thousands of users.
    func plans(of message: Message, _ router: PushRouter, _ body: (RoutePlan) async throws -> Void) async throws {
        if let userFile {
            let lines = try LineFile(userFile)
            for try await plan in router.plans(message, to: lines.map { UserID($0.rawValue) }) { try await body(plan) }
        } else {
            let recipients: Recipients =
                users.isEmpty
                ? .installations(installations.map { InstallationID($0) }) : .users(users.map { UserID($0) })
            try await body(try await router.plan(message, to: recipients))
        }
    }
}
