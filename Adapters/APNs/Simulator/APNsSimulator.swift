public import FoundationEssentials
public import PushAdapter
import PushCrypto
public import PushSimulation

/// One environment of the Apple Push Notification service, as documented in 2026: pushes to device tokens, broadcasts
/// to channels, and channel management.
///
/// It checks a push in this order: certificate, method, path, header fields given twice, provider token, `apns-id`,
/// topic, push type, priority, expiration, collapse id, payload, device token. Apple only says that authentication
/// comes before the device token.
public actor APNsSimulator: VendorSimulator {
    /// `apns`, the same as the adapter's provider id.
    public nonisolated let vendor = "apns"
    nonisolated let settings: APNsSimulatorSettings
    nonisolated let environment: AppEnvironment
    let certificates: [[UInt8]: APNsCertificate]
    let channelIDs = ChannelIDs()
    /// By bundle id.
    var apps: [String: AppState]
    /// By key id.
    var signers: [String: APNsSigner]
    var table: DeviceTable
    /// The open connections, by number.
    var connections: [Int: ConnectionState] = [:]
    /// Provider tokens with a verified signature, by digest.
    var checkedTokens: [[UInt8]: ProviderToken] = [:]
    /// The provider tokens in use on any connection, by key id.
    var tokensInUse: [String: TokenUse] = [:]
    /// The number of accepted pushes to device tokens, including pushes lost to dead tokens.
    public internal(set) var sendCount = 0
    /// The number of accepted broadcasts.
    public internal(set) var broadcastCount = 0
    private var lastNumber = 0

    /// - Parameters:
    ///   - apps: apps with their device tokens. Tokens of the other environment are unknown here.
    ///   - signers: the keys for provider tokens.
    ///   - certificates: the certificates of clients without a provider token.
    ///   - environment: the environment that these hosts serve.
    ///   - settings: limits, and answers to open questions.
    public init(
        apps: [APNsApp], signers: [APNsSigner], certificates: [APNsCertificate] = [],
        environment: AppEnvironment = .production, settings: APNsSimulatorSettings = APNsSimulatorSettings()
    ) {
        self.settings = settings
        self.environment = environment
        self.apps = Dictionary(apps.map { ($0.bundleID, AppState($0)) }, uniquingKeysWith: { _, last in last })
        self.signers = Dictionary(signers.map { ($0.keyID, $0) }, uniquingKeysWith: { _, last in last })
        self.certificates = Dictionary(certificates.map { ($0.der, $0) }, uniquingKeysWith: { _, last in last })
        var table = DeviceTable()
        for app in apps {
            for registration in app.registrations { table.add(registration, to: app.bundleID) }
        }
        self.table = table
    }

    // MARK: VendorSimulator

    /// Pushes as `apns`, broadcasts as `broadcast` and channel management as `channels`, each with its version.
    public nonisolated func addresses(at origin: String) -> [String: String] {
        ["origin": origin, "apns": origin + "/3", "broadcast": origin + "/4", "channels": origin + "/1"]
    }

    /// Answers as Apple does. A request without a connection counts as the first one on a new connection.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        let family = Family(path: request.path)
        let id = Self.id(for: request, family)
        var connection = state(of: request.connection)
        var response: SimulatedResponse
        var refusal: Refusal?
        do throws(Refusal) {
            response = try answer(request, family, id, &connection, now)
        } catch {
            refusal = error
            response = error.response(hasContentType: settings.writesContentType)
        }
        response.set(family.idHeader, id)
        let signals = connection.signals(after: refusal, settings)
        if let number = request.connection?.id {
            response.signals = signals
            connections[number] = connection
        }
        return response
    }

    /// 429 `TooManyRequests`. Apple sends no wait time, so `reset` is ignored.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        response(to: .tooManyRequests, request)
    }

    /// `ServiceUnavailable` or `Shutdown` for status 503, and `InternalServerError` for any other.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        response(to: .failure(status, Family(path: request.path), settings), request)
    }

    // MARK: Steps

    private func answer(
        _ request: SimulatedRequest, _ family: Family, _ id: String, _ connection: inout ConnectionState, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        switch connection.identity {
        case .none, .known: break
        case .invalid: throw .badCertificate
        case .foreign: throw .badCertificateEnvironment
        }
        let isServed = family.isServed(at: request.host, in: environment, settings)
        switch try Call(request, family, isServed: isServed) {
        case .push(let token):
            guard !Header.ofPushes.contains(where: request.hasTwice) else { throw .duplicateHeaders }
            let caller = try authenticate(request, &connection, now)
            return try push(request, to: token, by: caller, id, now)
        case .app(let app, let action):
            if case .known = connection.identity, !settings.acceptsCertificatesForChannels {
                throw .missingProviderToken
            }
            let caller = try authenticate(request, &connection, now)
            try checkChannels(of: app, request, caller)
            switch action {
            case .broadcast: return try broadcast(request, app, id, now)
            case .create: return try createChannel(request.body, app)
            case .read: return try readChannel(request, app)
            case .delete: return try deleteChannel(request, app)
            case .list: return listChannels(app)
            }
        }
    }

    private nonisolated func response(to refusal: Refusal, _ request: SimulatedRequest) -> SimulatedResponse {
        let family = Family(path: request.path)
        var response = refusal.response(hasContentType: settings.writesContentType)
        // The id depends only on the request, so a repeated request gets the same id.
        let given = request.value(of: family.idHeader).flatMap { Rules.isUUID($0) ? $0 : nil }
        response.set(family.idHeader, given ?? Rules.id(of: Digests.sha256(Array(request.path.utf8))))
        return response
    }

    /// The id that the client sent, or a new one.
    private static func id(for request: SimulatedRequest, _ family: Family) -> String {
        guard let id = request.value(of: family.idHeader), Rules.isUUID(id) else { return Rules.newID() }
        return id
    }

    /// The next number, greater than all before.
    func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
