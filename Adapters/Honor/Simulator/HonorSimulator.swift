public import FoundationEssentials
import PushAdapter
import PushCrypto
public import PushSimulation

/// Honor Push's server, as public clients and third parties describe it: sends to tokens, and access tokens.
///
/// **A draft.** The vendor's own page was not read. The hosts, header fields and fields are those on which four public
/// clients agree; the codes are of one third party's table. So the simulator proves one reading of them, and its
/// settings have the other readings. Receipts are missing, because no source shows their form: tests read
/// ``results(of:)`` instead.
///
/// It checks a request in this order: path, timestamp, bearer, app, JSON, tokens, size, fields, class, content, right,
/// test messages, rate, push tokens. No source shows an order.
public actor HonorSimulator: VendorSimulator {
    /// `honor`, the same as the adapter's provider id.
    public nonisolated let vendor = "honor"
    nonisolated let settings: HonorSimulatorSettings
    /// By app id.
    var apps: [String: HonorApp]
    /// The devices of all apps, by their push tokens.
    public var devices: [String: SimulatedDevice] = [:]
    var homes: [String: Home] = [:]
    var outcomes: [String: [String: Int]] = [:]
    var counts: DayCounts
    var rates: [String: RateWindow] = [:]
    /// By the digest of the token.
    var accessTokens: [[UInt8]: (client: String, end: Date)] = [:]
    /// The number of sends that at least one token got.
    public internal(set) var sendCount = 0
    /// The number of access tokens issued.
    public internal(set) var exchangeCount = 0

    /// Creates the server with these apps. Of two apps with one id, the last one counts.
    /// - Parameters:
    ///   - apps: apps with their devices.
    ///   - settings: answers to open questions.
    public init(_ apps: [HonorApp], settings: HonorSimulatorSettings = HonorSimulatorSettings()) {
        self.settings = settings
        self.apps = Dictionary(apps.map { ($0.appID, $0) }, uniquingKeysWith: { _, last in last })
        counts = DayCounts(CalendarDay(utcOffset: .seconds(settings.hoursAhead * 3600)))
        for app in apps {
            for device in app.devices {
                devices[device.id] = SimulatedDevice(device)
                homes[device.id] = Home(owner: app.appID)
            }
        }
    }

    // MARK: VendorSimulator

    /// Sends as `push`, the token endpoint as `token`.
    public nonisolated func addresses(at origin: String) -> [String: String] {
        ["origin": origin, "push": origin, "token": origin + "/auth/token"]
    }

    /// Whether a call gets access tokens.
    private static let routes: SimulatedRoutes<Bool, HonorSimulator, Refusal> = [
        .post("/auth/token", true) { try $0.exchange($1) },
        .post("/api/v1/{app}/sendMessage", false) { try $0.send($1) },
    ]

    /// Answers as the vendor does. An unknown path and a wrong method get 404.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        do throws(Refusal) {
            guard let match = Self.routes.match(request), match.takesMethod else { throw .unknownPath }
            return try match.answer(request, by: self, at: now)
        } catch {
            return error.response(settings)
        }
    }

    /// 503. Ignores `reset`, because no source shows a time.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        Refusal.busy.response(settings)
    }

    /// 500 with its code, or a gateway's page; no body from the token endpoint.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        if let page = SimulatedResponse.gateway(status) { return page }
        let isExchange = Self.routes.match(request)?.kind == true
        guard status == 500, !isExchange else { return SimulatedResponse(status: status) }
        return Refusal.failed.response(settings)
    }

    // MARK: Controls

    /// Changes an app: its rights, secret, quotas.
    public func change(_ app: String, _ edit: @Sendable (inout HonorApp) -> Void) {
        if let old = apps[app] {
            var new = old
            edit(&new)
            apps[app] = new
        }
    }

    /// Ends every access token before its time.
    public func endTokens() { for token in accessTokens.keys { accessTokens[token]?.end = .distantPast } }

    /// Whether a push token is dead: responses list it in `expireTokens`.
    public func setDead(_ isDead: Bool, _ token: String) { homes[token]?.isDead = isDead }

    /// Whether responses list a push token in `failTokens`, which give no reason.
    public func setRefused(_ isRefused: Bool, _ token: String) { homes[token]?.isRefused = isRefused }

    /// The code that a receipt has for a device to which nothing is delivered: 3 for a removed app, 4 for a token of
    /// another installation, 5 for notifications that are off. Nil delivers.
    public func setResult(_ code: Int?, of token: String) { homes[token]?.result = code }

    /// The codes of receipts by push token, for the message of a request: 2 for a notification that arrived, 1 for a
    /// pass-through, 9 for one over the quota.
    public func results(of requestID: String) -> [String: Int] { outcomes[requestID] ?? [:] }

    // MARK: Steps

    /// The app of the path, if the caller may send for it.
    func app(_ call: SimulatedCall) throws(Refusal) -> HonorApp {
        try checkTimestamp(call)
        guard let text = call.request.credential("Bearer"), let token = accessTokens[Self.digest(text)] else {
            throw .unauthorized
        }
        guard token.end > call.now else { throw settings.endedTokenCode == 401 ? .unauthorized : .endedToken }
        guard let app = apps[call["app"]] else { throw .unknownApp }
        guard app.clientID == token.client else { throw .unauthorized }
        return app
    }

    /// Milliseconds, or seconds as one client sends.
    private func checkTimestamp(_ call: SimulatedCall) throws(Refusal) {
        guard let name = HTTPField.Name("timestamp"), let text = call.request.headers[name] else {
            throw .noTimestamp
        }
        guard let number = Int(text), number > 0 else { throw .timestamp }
        let time = Double(number) / (number < 100_000_000_000 ? 1 : 1000)
        guard abs(call.now.timeIntervalSince1970 - time) < settings.clockTolerance else { throw .timestamp }
    }

    static func digest(_ text: String) -> [UInt8] { Digests.sha256(Array(text.utf8)) }
}

/// The vendor's record of a push token.
struct Home {
    /// The app that the token belongs to.
    var owner: String
    var isDead = false
    var isRefused = false
    /// The code in receipts of a device that gets nothing; nil delivers.
    var result: Int?
    /// The messages that wait for the device, oldest first.
    var waiting: [(id: String, message: HonorMessage, until: Date)] = []
}
