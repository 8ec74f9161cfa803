public import FoundationEssentials
import PushAdapter
public import PushSimulation

/// MiPush's server, as documented in 2026: messages, topics, schedules, receipts.
///
/// It checks a request in this order: path, secret, package, rate, fields, channel, template, targets, quota. The
/// vendor publishes no order. Recalls of the third version, statistics, channels and pictures are missing: the
/// documents do not describe their parameters.
public actor XiaomiSimulator: VendorSimulator {
    /// `xiaomi`, the same as the adapter's provider id.
    public nonisolated let vendor = "xiaomi"
    nonisolated let settings: XiaomiSimulatorSettings
    /// By package name.
    let apps: [String: XiaomiApp]
    /// The devices of all apps, by their regids. Topics are their tags.
    public var devices: [String: SimulatedDevice] = [:]
    var records: [String: DeviceRecord] = [:]
    /// The messages of sends and fired schedules, by id.
    var pushes: [String: Push] = [:]
    /// The scheduled messages by id.
    var jobs: [String: Push] = [:]
    var counts: DayCounts
    var receipts: ReceiptLine
    /// When the first message that waits is over.
    var firstExpiry = Date.distantFuture
    var rates: [String: RateWindow] = [:]
    private var reads: [String: RateWindow] = [:]
    private var lastNumber = 0

    /// Creates the server with these apps. Of two apps with one package, the last one counts.
    /// - Parameters:
    ///   - apps: apps with their devices.
    ///   - settings: answers to open questions.
    public init(_ apps: [XiaomiApp], settings: XiaomiSimulatorSettings = XiaomiSimulatorSettings()) {
        self.settings = settings
        self.apps = Dictionary(apps.map { ($0.packageName, $0) }, uniquingKeysWith: { _, last in last })
        counts = DayCounts(settings.day)
        receipts = ReceiptLine(endingStatuses: settings.endingStatuses)
        for app in apps {
            for device in app.devices {
                devices[device.id] = SimulatedDevice(device)
                records[device.id] = DeviceRecord(owner: app.packageName, aliases: app.aliases[device.id] ?? [])
                devices[device.id]?.alias = app.aliases[device.id]?.last
                devices[device.id]?.accounts = Set((app.accounts[device.id] ?? []).map { Account(name: $0) })
            }
        }
    }

    // MARK: VendorSimulator

    /// All calls as `push`.
    public nonisolated func addresses(at origin: String) -> [String: String] { ["origin": origin, "push": origin] }

    /// Whether a call needs the package.
    private static let routes: SimulatedRoutes<Bool, XiaomiSimulator, Refusal> = [
        .post("/v2|v3|v4/message/regid", true) { try $0.send($1, to: .regIDs) },
        .post("/v2|v3|v4/message/alias", true) { try $0.send($1, to: .aliases) },
        .post("/v2|v3/message/user_account", true) { try $0.send($1, to: .accounts) },
        .post("/v2|v3/message/topic", true) { try $0.send($1, to: .topic) },
        .post("/v2|v3/message/multi_topic", true) { try $0.send($1, to: .topics) },
        .post("/v2|v3/message/all", true) { try $0.send($1, to: .everyone) },
        .post("/v2/multi_messages/regids", false) { try $0.sendMany($1, to: .regIDs) },
        .post("/v2/multi_messages/aliases", false) { try $0.sendMany($1, to: .aliases) },
        .post("/v2/multi_messages/user_accounts", false) { try $0.sendMany($1, to: .accounts) },
        .post("/v2/topic/subscribe", true) { try $0.changeTopic($1, isJoining: true, byAlias: false) },
        .post("/v2/topic/unsubscribe", true) { try $0.changeTopic($1, isJoining: false, byAlias: false) },
        .post("/v2/topic/subscribe/alias", true) { try $0.changeTopic($1, isJoining: true, byAlias: true) },
        .post("/v2/topic/unsubscribe/alias", true) { try $0.changeTopic($1, isJoining: false, byAlias: true) },
        .get("/v1/topic/all", false) { try $0.list($1) { device, _ in device.tags.sorted() } },
        .get("/v1/alias/all", false) { try $0.list($1) { $1.aliases } },
        .get("/v1/account/all", false) { try $0.list($1) { device, _ in device.accounts.map(\.name).sorted() } },
        .get("/v1/trace/quota/get", false) { try $0.readQuota($1) },
        .any("/v2/schedule_job/exist", false) { try $0.findJob($1) },
        .any("/v2|v3/schedule_job/delete", false) { try $0.deleteJob($1) },
        .post("/v1|v2/message/{target}/revoke", false) { try $0.recallOld($1) },
    ]

    /// Settles, then answers as the vendor does. An unknown path and a wrong method get 404.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        settle(at: now)
        do throws(Refusal) {
            guard let match = Self.routes.match(request), match.takesMethod else { throw .unknownPath }
            try checkPackage(request, app(request), isNeeded: match.kind)
            var response = try match.answer(request, by: self, at: now)
            if settings.namesHosts, let name = HTTPField.Name("X-PUSH-HOST-LIST") {
                response.headers[name] = "api.xmpush.xiaomi.com"
            }
            return response
        } catch {
            return error.response(newID("Xdm"), alwaysAs: settings.errorStatus)
        }
    }

    /// 200002. Ignores `reset`, because the vendor sends no time.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        Refusal.rate.response("Xdm0", alwaysAs: settings.errorStatus)
    }

    /// 10001 with the status, or a gateway's page.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        .gateway(status) ?? Refusal.system(status).response("Xdm0")
    }

    // MARK: Controls

    /// Removes the app from a phone, or puts it back. Sends accept its regid; only a receipt tells.
    public func setGone(_ isGone: Bool, _ device: String, at now: Date) { records[device]?.isGone = isGone }

    /// Switches push off or on in the app.
    public func setPushOff(_ isOff: Bool, _ device: String) { records[device]?.isPushOff = isOff }

    /// Subscribes a user to a channel, on the phone, or ends the subscription.
    public func setConsent(_ isGiven: Bool, to channel: String, _ device: String) {
        if isGiven { records[device]?.consents.insert(channel) } else { records[device]?.consents.remove(channel) }
    }

    /// A phone's `locale`, `model`, `app_version` or `connpt`, by which messages filter.
    public func setTrait(_ name: String, _ value: String?, of device: String) { records[device]?.traits[name] = value }

    /// Adds an alias, as the SDK on the phone does. The sixteenth replaces the oldest.
    public func addAlias(_ alias: String, to device: String) {
        guard var aliases = records[device]?.aliases.filter({ $0 != alias }) else { return }
        aliases.append(alias)
        records[device]?.aliases = aliases.suffix(15)
        devices[device]?.alias = alias
    }

    // MARK: Steps

    /// A new id of a message or a trace.
    func newID(_ prefix: String) -> String {
        lastNumber += 1
        return prefix + String(100_000_000 + lastNumber, radix: 36)
    }

    /// The app of the secret. The word before it is in lower case.
    func app(_ request: SimulatedRequest) throws(Refusal) -> XiaomiApp {
        let parts = (request.headers[.authorization] ?? "").split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0] == "key",
            let app = apps.values.first(where: { $0.secret == Secret(String(parts[1])) })
        else { throw .secret }
        return app
    }

    /// Checks that the package is the app's. A list names several packages of an app; here an app has one.
    private func checkPackage(_ request: SimulatedRequest, _ app: XiaomiApp, isNeeded: Bool) throws(Refusal) {
        let form = try Form(request)
        let packages = isNeeded ? try form.need("restricted_package_name") : form["restricted_package_name"]
        guard packages?.split(separator: ",").allSatisfy({ $0 == app.packageName }) ?? true else { throw .package }
    }

    /// Counts a send of an app.
    func takeRate(_ app: XiaomiApp, _ now: Date) throws(Refusal) {
        guard rates[app.packageName, default: RateWindow(seconds: 1)].take(app.requestsPerSecond, now) else {
            throw .rate
        }
    }

    /// The day's quota, once a second. No source shows the fields.
    private func readQuota(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let package = try app(call.request).packageName
        guard reads[package, default: RateWindow(seconds: 1)].take(1, call.now) else { throw .reads }
        return .accepted(newID("Xdm"), [:])
    }
}
