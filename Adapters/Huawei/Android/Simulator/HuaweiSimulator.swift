public import FoundationEssentials
import HuaweiSimulation
import PushAdapter
import PushCrypto
public import PushSimulation

/// Push Kit's server for Android, versions 1 and 2, as documented in 2025: messages, topics, access tokens, receipts.
///
/// It checks a request in this order: path, bearer, token, app or project, Push Kit switched on, JSON, one target,
/// number of tokens, size, time to live, collapse key, fields, right for urgency, topics, rate, push tokens. The vendor
/// publishes no order.
public actor HuaweiSimulator: VendorSimulator {
    /// `huawei`, the same as the adapter's provider id.
    public nonisolated let vendor = "huawei"
    nonisolated let settings: HuaweiSimulatorSettings
    var apps: [String: HuaweiApp]
    var state: Deliveries
    /// The topics of each device, with the time of subscription.
    var topics: [String: [String: Date]] = [:]
    /// When each send to a topic stops counting as a task, by app.
    var tasks: [String: [Date]] = [:]
    var rates: [String: RateWindow] = [:]
    /// By the digest of the token.
    var accessTokens: [[UInt8]: (client: String, end: Date)] = [:]
    var exchanges: [String: RateWindow] = [:]
    private var keyring = Keyring()
    /// The number of sends that were accepted, in whole or in part, without dry runs.
    public internal(set) var sendCount = 0
    /// The number of access tokens issued.
    public internal(set) var exchangeCount = 0

    /// - Parameters:
    ///   - apps: apps with their devices.
    ///   - settings: receipts, and answers to open questions.
    public init(_ apps: [HuaweiApp], settings: HuaweiSimulatorSettings = HuaweiSimulatorSettings()) {
        self.settings = settings
        self.apps = Dictionary(apps.map { ($0.clientID, $0) }, uniquingKeysWith: { _, last in last })
        state = Deliveries(settings.receiptLine, hoursAhead: settings.hoursAhead)
        for app in apps {
            for device in app.devices { state.install(device, owner: app.clientID) }
        }
    }

    // MARK: VendorSimulator

    /// Messages and topics as `push`, the token endpoint as `token_uri`.
    public nonisolated func addresses(at origin: String) -> [String: String] {
        ["origin": origin, "push": origin, "token_uri": origin + "/oauth2/v3/token"]
    }

    /// Whether a call gets access tokens.
    private static let routes: SimulatedRoutes<Bool, HuaweiSimulator, Refusal> = [
        .post("/oauth2/v3/token", true) { try $0.exchange($1) },
        .post("/v1/{client}/messages:send", false) { try $0.send($1) },
        .post("/v2/{project}/messages:send", false) { try $0.send($1) },
        .post("/v1/{client}/topic:subscribe", false) { try $0.changeTopic($1, isJoining: true) },
        .post("/v1/{client}/topic:unsubscribe", false) { try $0.changeTopic($1, isJoining: false) },
        .post("/v1/{client}/topic:list", false) { try $0.listTopics($1) },
    ]

    /// Answers as the vendor does. An unknown path gets 404, and so does a method other than POST, except at the token
    /// endpoint: 405.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        do throws(Refusal) {
            guard let match = Self.routes.match(request) else { throw .unknownPath }
            guard match.takesMethod else { throw match.kind ? .wrongMethod : .unknownPath }
            return try match.answer(request, by: self, at: now)
        } catch {
            return error.answer(state.newRequestID(now), alwaysOK: settings.alwaysAnswers200)
        }
    }

    /// 503 without a body. Ignores `reset`, because the vendor sends no time.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        Refusal.busy.response("")
    }

    /// 81000001 with the status, or a gateway's page; no body from the token endpoint.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        let isExchange = Self.routes.match(request)?.kind == true && status != 502
        return isExchange ? SimulatedResponse(status: status) : Refusal.failed(status, "0")
    }

    // MARK: Controls

    /// Changes an app: its rights, keys, quotas.
    public func change(_ client: String, _ edit: @Sendable (inout HuaweiApp) -> Void) {
        if let old = apps[client] {
            var new = old
            edit(&new)
            apps[client] = new
        }
    }

    /// Ends every access token, and every signed token that callers have used so far, before its time.
    public func endTokens() {
        for token in accessTokens.keys { accessTokens[token]?.end = .distantPast }
        keyring.endTokens()
    }

    /// Whether the vendor refuses a push token in every response, without a reason: it is dead.
    public func setDead(_ isDead: Bool, _ token: String) { state.homes[token]?.refusal = isDead ? "dead" : nil }

    /// The result that receipts have for a device to which nothing is delivered: 2 for a removed app, 5 for a token of
    /// another installation, 201 for messages that the vendor holds back. Nil delivers, and releases those.
    public func setResult(_ result: Int?, of token: String, at now: Date) {
        state.homes[token]?.result = result
        state.deliverWaiting(to: token, at: now)
    }

    /// Removes the app from a device, or puts it back.
    public func setGone(_ isGone: Bool, _ device: String, at now: Date) {
        setResult(isGone ? 2 : nil, of: device, at: now)
    }

    // MARK: Steps

    /// The app that the path names, if the caller may send for it.
    func app(_ call: SimulatedCall) throws(Refusal) -> HuaweiApp {
        guard let text = call.request.credential("Bearer") else { throw .unauthorized }
        let (client, project) = (call["client"], call["project"])
        // Version 2 names a project; which of its apps sends is not documented.
        let named = client.isEmpty ? apps.values.filter { $0.projectID == project } : [apps[client]].compactMap { $0 }
        let allowed: HuaweiApp?
        if text.split(separator: ".", omittingEmptySubsequences: false).count == 3 {
            let accounts = apps.values.map {
                Keyring.Account(project: $0.projectID, issuer: $0.subAccount, keys: $0.keys)
            }
            let owner = try keyring.project(of: text, among: accounts, skew: settings.clockSkew, at: call.now)
            allowed = named.filter { $0.projectID == owner }.min { $0.clientID < $1.clientID }
        } else {
            guard let token = accessTokens[Self.digest(text)] else { throw .unauthorized }
            guard token.end > call.now else { throw .endedToken }
            allowed = named.first { $0.clientID == token.client }
        }
        guard let app = allowed else { throw .unauthorized }
        guard app.isPushOn else { throw .pushOff }
        guard !app.isPunished else { throw .punished }
        return app
    }

    static func digest(_ text: String) -> [UInt8] { Digests.sha256(Array(text.utf8)) }
}
