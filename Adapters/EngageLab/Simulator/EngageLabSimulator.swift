public import FoundationEssentials
import PushAdapter
import PushCrypto
public import PushSimulation

/// EngageLab's REST API for one app at one data center, as documented: pushes, devices, schedules, statistics,
/// callbacks.
///
/// Every data center has its own simulator, because apps are isolated. A simulator without an app answers as a foreign
/// center does. It checks a request in this order: path, credentials, method, quota, JSON, unknown fields, required
/// fields, types, values, mixtures, sizes, audience. The vendor publishes no order.
public actor EngageLabSimulator: VendorSimulator {
    /// The app of a data center.
    public struct App: Sendable {
        /// From the console.
        public var key: String
        /// From the console.
        public var masterSecret: String
        /// The key and the secret of the app's group; nil for none.
        public var group: (key: String, masterSecret: String)?
        /// The installations that exist from the start.
        public var devices: [VirtualDevice]

        /// Creates an app with its credentials and devices.
        public init(
            key: String, masterSecret: String, group: (key: String, masterSecret: String)? = nil,
            devices: [VirtualDevice] = []
        ) {
            self.key = key
            self.masterSecret = masterSecret
            self.group = group
            self.devices = devices
        }
    }

    /// `engagelab`, the same as the adapter's provider id.
    public nonisolated let vendor = "engagelab"
    nonisolated let settings: EngageLabSimulatorSettings
    let appKey: String
    private let authorization: [UInt8]?
    private let groupAuthorization: [UInt8]?
    private(set) var bucket: CallBucket
    var app: AppState
    var callbacks = CallbackLine()

    /// - Parameters:
    ///   - app: the app of this data center; nil for a center without one.
    ///   - settings: the app's permissions, and answers to open questions.
    public init(_ app: App?, settings: EngageLabSimulatorSettings = EngageLabSimulatorSettings()) {
        self.settings = settings
        func basic(_ pair: String) -> [UInt8] { Array(Data(pair.utf8).base64EncodedString().utf8) }
        appKey = app?.key ?? ""
        authorization = app.map { basic("\($0.key):\($0.masterSecret)") }
        groupAuthorization = app?.group.map { basic("group-\($0.key):\($0.masterSecret)") }
        bucket = CallBucket(settings.callsPerSecond)
        self.app = AppState(devices: app?.devices ?? [])
        for (id, members) in settings.liveActivities {
            for device in members { self.app.devices[device]?.tokens.activities.insert(id) }
        }
    }

    // MARK: Observation

    /// The messages that a device received, oldest first.
    public func inbox(of device: String) -> [DeliveredMessage] { app.devices[device]?.inbox.messages ?? [] }
    /// The devices that received a message, by id.
    public func receivers(of messageID: String) -> [String] {
        app.devices.values.filter { $0.inbox.has(messageID) }.map(\.device.id).sorted()
    }
    /// The number of pushes that took effect. Replays do not count again.
    public var pushCount: Int { app.messages.count }

    /// Adds or replaces an installation. Cancels its pending deletion, because the device has registered anew.
    public func install(_ device: VirtualDevice) {
        app.deletions.removeAll { $0.device == device.id }
        app.devices[device.id] = DeviceState(device)
    }

    /// Takes a device offline, or brings it online, where it receives its waiting messages.
    public func setOnline(_ isOnline: Bool, _ device: String, at now: Date) {
        settle(at: now)
        if !isOnline, app.devices[device]?.device.isOnline == true { app.devices[device]?.lastOnlineAt = now }
        app.devices[device]?.device.isOnline = isOnline
        if isOnline { deliverPending(to: device, now) }
    }

    // MARK: VendorSimulator

    /// One address for all calls.
    public nonisolated func addresses(at origin: String) -> [String: String] {
        ["origin": origin, "push": origin + "/v4"]
    }

    /// Does everything that is due, then answers as the vendor does.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        settle(at: now)
        guard let call = Call(request) else {
            return SimulatedResponse(status: 404, headers: [.contentType: "text/plain"], body: Array("404".utf8))
        }
        do throws(Refusal) {
            try authenticate(request, call)
            guard call.methods.contains(request.method) else { throw .methodNotAllowed }
            // A batch pays for each of its targets instead.
            if case .batch = call {} else { try pay(now) }
            return try answer(call, request, now)
        } catch {
            return error.response(isFlat: settings.sendsFlatErrors)
        }
    }

    /// The throttle with code 23008 and the status of the settings. Ignores `reset`, because the vendor sends no time.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        throttle.response(isFlat: settings.sendsFlatErrors)
    }

    /// 21030 for status 503, 21009 for status 400, 27000 for any other.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        let code = [503: 21_030, 400: 21_009][status, default: 27_000]
        return Refusal(status, code, "internal error").response(isFlat: settings.sendsFlatErrors)
    }

    // MARK: Steps

    private nonisolated var throttle: Refusal {
        Refusal(settings.throttleStatus, 23_008, "the request rate is over the limit")
    }

    /// Takes one call from the quota.
    func pay(_ now: Date) throws(Refusal) {
        guard bucket.take(now) else { throw throttle }
    }

    private func authenticate(_ request: SimulatedRequest, _ call: Call) throws(Refusal) {
        let parts = (request.headers[.authorization] ?? "").split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "basic" else {
            throw Refusal(401, 27_001, "verification information is empty")
        }
        let expected = call == .groupPush ? groupAuthorization : authorization
        guard let expected, Digests.areEqual(Array(parts[1].utf8), expected) else {
            throw settings.unknownKeyAnswer == .unauthorized
                ? Refusal(401, 21_004, "authentication failed") : Refusal(400, 21_008, "app_key is invalid")
        }
        guard settings.isAddressAllowed else { throw Refusal(400, 23_009, "the IP address is not on the list") }
    }

    private func answer(
        _ call: Call, _ request: SimulatedRequest, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        let body = request.body
        switch (call, request.method) {
        case (.push, _): return .json(try push(object(body), now, delivers: true))
        case (.validate, _): return .json(try push(object(body), now, delivers: false))
        case (.batch(let isAlias), _): return try pushBatch(object(body), isAlias: isAlias, now)
        case (.groupPush, _): return try pushGroup(object(body), now)
        case (.recall(let id), _): return try recall(id, now)
        case (.plan, _): return try setPlan(object(body), now)
        case (.plans, _): return try listPlans(request)
        case (.removePlans(let plans, let isBatch), _): return try removePlans(plans, isBatch: isBatch)
        case (.device(let id), .get): return try readDevice(id)
        case (.device(let id), .delete): return try deleteDevice(id, now)
        case (.device(let id), _): return try updateDevice(id, object(body))
        case (.deviceStatus, _): return try deviceStatus(object(body), now)
        case (.tokens, _): return try registerTokens(object(body))
        case (.tags, _): return listTags()
        case (.tag(let tag), .post): return try updateTag(tag, object(body))
        case (.tag(let tag), _): return try deleteTag(tag, request)
        case (.tagCounts, _): return try countTags(request)
        case (.tagQuota, _): return try tagQuota(request)
        case (.membership(let tag, let device), _): return try testTag(tag, device)
        case (.alias(let alias), .get): return try readAlias(alias, request)
        case (.alias(let alias), _): return try deleteAlias(alias, request)
        case (.paidStatus, _): return paidStatus(now)
        case (.statistics, _): return try statistics(request, now)
        case (.fates, _): return try fates(request, now)
        case (.batchFates, _): return try batchFates(request, now)
        case (.planStatistics, _): return try planReport(request, now, isDetail: true)
        case (.planMessages, _): return try planReport(request, now, isDetail: false)
        case (.users, _): return try users(request, now)
        case (.schedules, .post): return try createSchedule(object(body), now)
        case (.schedules, _): return try listSchedules(request, now)
        case (.schedule(let id), .put): return try updateSchedule(id, object(body), now)
        case (.schedule(let id), .delete): return try removeSchedule(id)
        case (.schedule(let id), _): return try readSchedule(id)
        case (.scheduledMessages(let id), _): return try scheduledMessages(id)
        case (.voices, .post): return try uploadVoice(request)
        case (.voices, .delete): return try removeVoice(request.parameter("language") ?? "")
        case (.voices, _): return listVoices()
        case (.voice(let language), .delete): return try removeVoice(language)
        case (.voice(let language), _): return try readVoice(language)
        case (.oppoImage, _): return try oppoImage(object(body))
        }
    }

    private func object(_ body: [UInt8]) throws(Refusal) -> [String: JSONValue] {
        guard case .object(let fields) = try? JSONValue(parsing: body) else { throw .unknownField("not a JSON object") }
        return fields
    }

    /// The response to a successful change of a device or a tag.
    var written: SimulatedResponse {
        switch settings.writeAnswer {
        case .object: .json([:])
        case .empty: SimulatedResponse(status: 200, headers: [.contentType: "application/json"])
        case .success:
            SimulatedResponse(status: 200, headers: [.contentType: "application/json"], body: Array("success".utf8))
        }
    }
}
