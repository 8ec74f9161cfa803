public import FoundationEssentials
import PushAdapter
public import PushSimulation

/// VPush's server, as documents of 2020 to 2026 describe it: tokens, single sends, lists, tags,
/// everyone.
///
/// It checks a request in this order: path, token, app, rate, fields, class, hour, targets, quota. The vendor publishes
/// no order. A list takes two calls: one stores the message, the other names the targets. The adapter uses neither.
/// Live cards, timed display, recalls and the newer receipts are missing, because no document shows their form;
/// ``reason(for:on:)`` has the codes of those receipts.
public actor VivoSimulator: VendorSimulator {
    /// `vivo`, the same as the adapter's provider id.
    public nonisolated let vendor = "vivo"
    nonisolated let settings: VivoSimulatorSettings
    /// By app id.
    let apps: [Int: VivoApp]
    /// The devices of all apps, by their regIds.
    public var devices: [String: SimulatedDevice] = [:]
    var records: [String: DeviceRecord] = [:]
    /// By task id.
    var pushes: [String: Push] = [:]
    /// Messages for lists, by task id.
    var stored: [String: Push] = [:]
    /// The task of each request id that an app used.
    var repeats: [String: String] = [:]
    var tags: [Int: Set<String>]
    var counts: DayCounts
    /// The day on which a quota is lowered.
    var loweredDays: [String: Int] = [:]
    var access = Access()
    /// By address and task, of deliveries only.
    var receipts = ReceiptQueue<[String: JSONValue]>([:])
    /// When the first message that waits is over.
    var firstExpiry = Date.distantFuture
    var rates: [Int: RateWindow] = [:]
    private var lastNumber = 0

    /// Creates the server with these apps. Of two apps with one id, the last one counts.
    /// - Parameters:
    ///   - apps: apps with their devices.
    ///   - settings: answers to open questions.
    public init(_ apps: [VivoApp], settings: VivoSimulatorSettings = VivoSimulatorSettings()) {
        self.settings = settings
        self.apps = Dictionary(apps.map { ($0.appID, $0) }, uniquingKeysWith: { _, last in last })
        tags = self.apps.mapValues(\.tags)
        counts = DayCounts(settings.day)
        for app in apps {
            for device in app.devices {
                devices[device.id] = SimulatedDevice(device)
                devices[device.id]?.alias = app.aliases[device.id]
                records[device.id] = DeviceRecord(owner: app.appID, alias: app.aliases[device.id])
            }
        }
    }

    // MARK: VendorSimulator

    /// All calls as `push`.
    public nonisolated func addresses(at origin: String) -> [String: String] { ["origin": origin, "push": origin] }

    private static let routes: SimulatedRoutes<Void, VivoSimulator, Refusal> = [
        .post("/message/auth", ()) { try $0.makeToken($1) },
        .post("/message/send", ()) { try $0.sendOne($1) },
        .post("/message/saveListPayload", ()) { try $0.store($1) },
        .post("/message/pushToList", ()) { try $0.sendList($1) },
        .post("/message/all", ()) { try $0.sendAll($1) },
        .post("/message/tagPush", ()) { try $0.sendTags($1) },
        .get("/report/getStatistics", ()) { try $0.readStatistics($1) },
        .post("/tag/add", ()) { try $0.addTag($1) },
        .post("/tag/addMembers", ()) { try $0.changeMembers($1, isJoining: true) },
        .post("/tag/removeMembers", ()) { try $0.changeMembers($1, isJoining: false) },
    ]

    /// Settles, then answers as the vendor does. An unknown path and a wrong method get 404.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        settle(at: now)
        do throws(Refusal) {
            guard let match = Self.routes.match(request), match.takesMethod else { throw .unknownPath }
            return try match.answer(request, by: self, at: now)
        } catch {
            return error.response
        }
    }

    /// 10072. Ignores `reset`, because the vendor sends no time.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        Refusal.rate.response
    }

    /// The status without a code, or a gateway's page.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        .page(status)
    }

    // MARK: Controls

    /// Removes the app from a phone, or puts it back.
    public func setGone(_ isGone: Bool, _ device: String) { records[device]?.isGone = isGone }

    /// Switches notifications off or on.
    public func setPushOff(_ isOff: Bool, _ device: String) { records[device]?.isPushOff = isOff }

    /// Gives a phone an alias, as the SDK on the phone does. The newest phone keeps it.
    public func setAlias(_ alias: String, of device: String) {
        guard let owner = records[device]?.owner else { return }
        for (id, record) in records where record.owner == owner && record.alias == alias { name(id, nil) }
        name(device, alias)
    }

    /// Ends every token so far early.
    public func endTokens() { access.endTokens() }

    /// The code of the newer receipts for a message that a device did not show; nil if it showed it, or waits for it.
    public func reason(for task: String, on device: String) -> Int? { records[device]?.reasons[task]?.rawValue }

    /// The calls of an app today that came again after a quota of the day was used.
    public func callsAfterQuota(of app: Int, at now: Date) -> Int {
        Quota.allCases.reduce(0) { $0 + max(0, counts.count(of: $1.refused(app), now) - 1) }
    }

    // MARK: Steps

    /// A new id of a message.
    func newTask() -> String {
        lastNumber += 1
        return String(700_000_000 + lastNumber)
    }

    private func name(_ device: String, _ alias: String?) {
        records[device]?.alias = alias
        devices[device]?.alias = alias
    }

    private func makeToken(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        guard let object = call.request.object else { throw .broken }
        return .accepted(["authToken": .string(try access.makeToken(object, of: apps, at: call.now))])
    }

    /// The fields of a call, and the app of its token.
    func open(_ call: SimulatedCall) throws(Refusal) -> (app: VivoApp, fields: Fields) {
        guard let app = apps[try access.app(call.request, at: call.now)] else { throw .token }
        guard let object = call.request.object else { throw .broken }
        let fields = Fields(object, .byField)
        if let id = fields["appId"], id != JSONValue(app.appID) { throw .foreignApp }
        return (app, fields)
    }

    /// Counts a send of an app.
    func takeRate(_ app: VivoApp, _ now: Date) throws(Refusal) {
        guard rates[app.appID, default: RateWindow(seconds: 1)].take(app.requestsPerSecond, now) else { throw .rate }
    }
}
