public import FoundationEssentials
import PushAdapter
public import PushSimulation

/// OPPO PUSH's server for one region, as documented in 2025: messages to one target and in batches, broadcasts, aliases,
/// tags and receipts.
///
/// It checks a request in this order: path, method, form, token, fields, rights and class, rate, quota, target. The
/// vendor publishes no order. A fault of a message refuses the whole batch, and a wrong target only its row. Broadcasts
/// at a later time, uploads of pictures and the list of invalid ids are missing. The quota of the feedback host is
/// empty, because no source shows its fields.
public actor OPPOSimulator: VendorSimulator {
    /// `oppo`, the same as the adapter's provider id.
    public nonisolated let vendor = "oppo"
    nonisolated let settings: OPPOSimulatorSettings
    nonisolated let region: OPPORegion
    /// By app key.
    var apps: [String: OPPOApp]
    /// The devices of all apps, by their registration ids.
    public var devices: [String: SimulatedDevice] = [:]
    var records: [String: DeviceRecord] = [:]
    /// The messages that have waited for a phone, by task.
    var pushes: [String: Push] = [:]
    /// The messages that wait for a broadcast, by id.
    var stored: [String: (app: String, message: OPPOMessage, lane: Push.Lane)] = [:]
    /// The first messages with ids of the caller, and when they came.
    var firsts: [RepeatKey: (id: String, date: Date)] = [:]
    var counts: DayCounts
    var rates: [String: RateWindow] = [:]
    var receipts = ReceiptQueue(ReceiptRows())
    /// When the first message that waits is over.
    var firstExpiry = Date.distantFuture
    /// The key of a token's app, and when the token ends.
    var tokens: [String: (app: String, end: Date)] = [:]
    /// The number of tokens issued.
    public internal(set) var tokenCount = 0
    private var lastNumber = 0

    /// Creates the server with these apps. Of two apps with one key, the last one counts.
    /// - Parameters:
    ///   - apps: apps with their devices.
    ///   - region: the phones that it serves. It refuses ids of the other region.
    ///   - settings: answers to open questions.
    public init(
        _ apps: [OPPOApp], region: OPPORegion = .china, settings: OPPOSimulatorSettings = OPPOSimulatorSettings()
    ) {
        (self.settings, self.region) = (settings, region)
        self.apps = Dictionary(apps.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
        counts = DayCounts(settings.day)
        for app in apps {
            for device in app.devices {
                devices[device.id] = SimulatedDevice(device)
                devices[device.id]?.alias = app.aliases[device.id]
                records[device.id] = DeviceRecord(owner: app.key)
            }
        }
    }

    // MARK: VendorSimulator

    /// Messages as `push`, aliases and tags as `device`, the quota as `feedback`.
    public nonisolated func addresses(at origin: String) -> [String: String] {
        ["origin": origin, "push": origin, "device": origin, "feedback": origin]
    }

    private static let messages = "/server/v1/message/notification"
    private static let routes: SimulatedRoutes<Void, OPPOSimulator, Refusal> = [
        .post("/server/v1/auth", ()) { try $0.issueToken($1) },
        .post(messages + "/unicast", ()) { try $0.send($1) },
        .post(messages + "/unicast_batch", ()) { try $0.sendBatch($1) },
        .post(messages + "/save_message_content", ()) { try $0.store($1) },
        .post(messages + "/broadcast", ()) { try $0.broadcast($1) },
        .get("/server/v1/feedback/fetch_push_permit", ()) { try $0.readQuota($1) },
        .post("/server/v1/device/set_alias", ()) { try $0.setAlias($1) },
        .post("/server/v1/device/delete_alias", ()) { try $0.deleteAlias($1) },
        .post("/server/v1/device/subscribe_tags|add_tags", ()) { try $0.changeTags($1, isAdding: true) },
        .post("/server/v1/device/unsubscribe_tags", ()) { try $0.changeTags($1, isAdding: false) },
    ]

    /// Answers as the vendor does. An unknown path gets 404.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        settle(at: now)
        do throws(Refusal) {
            guard let match = Self.routes.match(request) else { throw .unknownPath }
            guard match.takesMethod else { throw .method }
            return try match.answer(request, by: self, at: now)
        } catch {
            return error.response
        }
    }

    /// The code of the settings. Ignores `reset`, because the vendor sends no time.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        Refusal.rate(settings.rateCode).response
    }

    /// -1 with the status, or a gateway's page.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        .gateway(status) ?? Refusal.unavailable(status).response
    }

    // MARK: Controls

    /// Changes an app: its rights, templates, quotas.
    public func change(_ key: String, _ edit: @Sendable (inout OPPOApp) -> Void) {
        guard var app = apps[key] else { return }
        edit(&app)
        apps[key] = app
    }

    /// Removes the app from a phone, or puts it back. Sends accept its id; only a receipt tells.
    public func setGone(_ isGone: Bool, _ device: String, at now: Date) { records[device]?.isGone = isGone }

    /// Ends every token before its time.
    public func endTokens() { tokens = [:] }

    // MARK: Steps

    /// A new id of a message or a task.
    func newID(_ app: OPPOApp) -> String {
        lastNumber += 1
        return "\(app.id)-1-1-" + String(lastNumber, radix: 16).padded(to: 24)
    }

    private func readQuota(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        _ = try app(call, Fields(["auth_token": .string(call.request.parameter("auth_token") ?? "")]))
        return .accepted()
    }

    /// The id of the first message with a key; nil for a new one, and for one without a key.
    func firstID(_ key: RepeatKey?, _ now: Date) -> String? {
        guard let first = key.flatMap({ firsts[$0] }), now.timeIntervalSince(first.date) < settings.memory else {
            return nil
        }
        return first.id
    }

    /// The device of a target, if it is the app's and has the region of this server.
    func device(_ target: Target, of app: OPPOApp) -> String? {
        switch target {
        case .id(let id):
            return records[id]?.owner == app.key && OPPORegion(of: id) == region ? id : nil
        case .alias(let alias):
            return records.first { $0.value.owner == app.key && devices[$0.key]?.alias == alias }?.key
        }
    }
}
