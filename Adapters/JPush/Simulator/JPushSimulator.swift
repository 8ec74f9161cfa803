public import FoundationEssentials
import PushAdapter
import PushCrypto
public import PushSimulation

/// JPush's server API for one app, as documented: devices, push, keys, reports.
///
/// It answers the paths of both data centers, and keeps its state until it is released. It checks a request in this
/// order: credentials, method, path, quota, JSON, unknown keys, required keys, values, sizes, audience. The vendor
/// publishes no order.
public actor JPushSimulator: VendorSimulator {
    /// `jpush`, the same as the adapter's provider id.
    public nonisolated let vendor = "jpush"
    let appKey: String
    let settings: JPushSimulatorSettings
    private let authorization: [UInt8]
    private let groupAuthorization: [UInt8]?
    private var windows: [Family: RateWindow] = [:]
    var app: AppState

    /// - Parameters:
    ///   - appKey: 24 letters and digits, like the master secret.
    ///   - masterSecret: 24 letters and digits.
    ///   - group: the credentials of the app's group; nil for none.
    ///   - devices: installations that exist from the start.
    ///   - settings: the app's permissions, and answers to open questions.
    public init(
        appKey: String, masterSecret: String, group: (key: String, masterSecret: String)? = nil,
        devices: [VirtualDevice] = [], settings: JPushSimulatorSettings = JPushSimulatorSettings()
    ) {
        self.appKey = appKey
        self.settings = settings
        func basic(_ pair: String) -> [UInt8] { Array(Data(pair.utf8).base64EncodedString().utf8) }
        authorization = basic("\(appKey):\(masterSecret)")
        groupAuthorization = group.map { basic("group-\($0.key):\($0.masterSecret)") }
        app = AppState(devices: devices)
        for (id, members) in settings.liveActivities {
            for device in members { app.devices[device]?.tokens.activities.insert(id) }
        }
        app.files = settings.files.mapValues { ids in
            FileState(
                kind: "registration_id", name: "ids.txt", ids: ids, createdAt: .distantPast, expiresAt: .distantFuture)
        }
    }

    // MARK: Observation

    /// The messages that a device received, oldest first.
    public func inbox(of device: String) -> [DeliveredMessage] { app.devices[device]?.inbox.messages ?? [] }
    /// The devices that received a message, by id.
    public func receivers(of messageID: String) -> [String] {
        app.devices.values.filter { $0.inbox.has(messageID) }.map(\.device.id).sorted()
    }
    /// A device's tags; empty if the app does not have the device.
    public func tags(of device: String) -> Set<String> { app.devices[device]?.tags ?? [] }
    /// A device's alias; also nil if the app does not have the device.
    public func alias(of device: String) -> String? { app.devices[device]?.alias }
    /// The number of pushes that took effect. Replays do not count again.
    public var pushCount: Int { app.messages.count }

    /// Adds or replaces an installation.
    public func install(_ device: VirtualDevice) { app.devices[device.id] = DeviceState(device) }

    /// Registers a Live Activity on a device, as its app does.
    public func registerLiveActivity(_ id: String, on device: String) {
        app.devices[device]?.tokens.activities.insert(id)
    }

    /// Takes a device offline, or brings it online, where it receives its waiting messages.
    public func setOnline(_ isOnline: Bool, _ device: String, at now: Date) {
        settle(at: now)
        app.devices[device]?.device.isOnline = isOnline
        if isOnline { deliverPending(to: device, now) }
    }

    // MARK: VendorSimulator

    /// The addresses of both path layouts. Here all of the vendor's hosts share one address; Beijing has other paths.
    public nonisolated func addresses(at origin: String) -> [String: String] {
        [
            "origin": origin, "push": origin + "/v3/push", "device": origin + "/v3", "report": origin + "/v3",
            "device.beijing": origin + "/v3/device", "report.beijing": origin + "/v3/report",
        ]
    }

    /// Sends the scheduled pushes that are due, then answers as the vendor does.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        fireSchedules(until: now)
        guard let route = Route(request) else { return Self.notFound }
        do throws(Refusal) {
            try authenticate(request, route.family)
            guard route.call == .unknown || route.call.methods.contains(request.method) else {
                throw route.family.unknownPath ?? .methodNotAllowed
            }
        } catch {
            return error.response
        }
        if route.call == .unknown, route.family.unknownPath == nil { return Self.notFound }
        var response: SimulatedResponse
        let rate = count(route.family, now)
        do throws(Refusal) {
            if rate.remaining < 0 { throw Refusal(429, 2002, "Rate limit exceeded") }
            response = try answer(route, request, now)
        } catch {
            response = error.response
        }
        if settings.sendsRateHeaders { rate.write(to: &response) }
        return response
    }

    /// 429 with code 2002; adds the rate headers if `reset`, in seconds, is given.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        var response = Refusal(429, 2002, "Rate limit exceeded").response
        if let reset { RateWindow.Reading(limit: 600, remaining: 0, reset: reset).write(to: &response) }
        return response
    }

    /// The code of the call's family for an internal failure, such as 1000 or 1030 for pushes.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        let family = Route(request)?.family ?? .push
        let code: Int =
            switch (family, status) {
            case (.device, 503): 7030
            case (.device, _): 7000
            case (.report, _), (.groupReport, _): 10
            case (.schedule, 503): 8203
            case (.schedule, _): 8200
            case (_, 503): 1030
            default: 1000
            }
        return Refusal(status, code, "server error").response
    }

    // MARK: Steps

    private func authenticate(_ request: SimulatedRequest, _ family: Family) throws(Refusal) {
        let parts = (request.headers[.authorization] ?? "").split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "basic" else { throw family.unauthenticated }
        guard let expected = family.isGroup ? groupAuthorization : authorization,
            Digests.areEqual(Array(parts[1].utf8), expected)
        else { throw family.wrongCredentials }
    }

    private static let notFound = SimulatedResponse(
        status: 404, headers: [.contentType: "text/html"], body: Array("<html>404 Not Found</html>".utf8))

    private func count(_ family: Family, _ now: Date) -> RateWindow.Reading {
        windows[family, default: RateWindow()].count(limit: limit(of: family), now)
    }

    /// Requests per minute.
    private func limit(of family: Family) -> Int {
        switch family {
        case .push, .group: settings.pushQuota
        case .device: settings.deviceQuota
        case .report, .groupReport: settings.reportQuota
        case .schedule: settings.scheduleQuota
        case .files: settings.fileQuota
        }
    }

    /// The current windows of the families that the app can call. Counts no call.
    func rates(at now: Date) -> [QuotaReading] {
        Family.allCases.filter { !$0.isGroup || groupAuthorization != nil }.map { family in
            let limit = limit(of: family)
            let remaining = windows[family, default: RateWindow()].remaining(of: limit, now)
            return QuotaReading(name: family.rawValue, limit: limit, remaining: remaining)
        }
    }

    private func answer(_ route: Route, _ request: SimulatedRequest, _ now: Date) throws(Refusal) -> SimulatedResponse {
        let body = request.body
        switch (route.call, request.method) {
        case (.push, _), (.pushFile, _): return try push(body, now, delivers: true)
        case (.validate, _): return try push(body, now, delivers: false)
        case (.keys, _): return try mintKeys(request, now)
        case (.batch(let alias), _): return try pushBatch(body, alias: alias, now)
        case (.recall(let id), _): return recall(id)
        case (.quota, _): return vendorQuota()
        case (.template(let isScheduled), _): return try pushTemplate(body, isScheduled: isScheduled, now)
        case (.plan(let word), _): return try plan(word, request)
        case (.groupPush, _): return try pushGroup(body, now)
        case (.images(let word, let id), _): return try image(word, id, request)
        case (.upload(let kind), _): return try uploadFile(kind, request, now)
        case (.files, _): return listFiles(now)
        case (.file(let id), .delete): return removeFile(id)
        case (.file(let id), _): return try readFile(id, now)
        case (.device(let id), .get): return try readDevice(id)
        case (.device(let id), _): return try updateDevice(id, body)
        case (.status, _): return try onlineStatus(body)
        case (.alias(let alias), .get): return try readAlias(alias, request)
        case (.alias(let alias), .post): return try removeAlias(alias, body)
        case (.alias(let alias), _): return try deleteAlias(alias, request)
        case (.tags, _): return listTags()
        case (.tag(let tag), .post): return try updateTag(tag, body)
        case (.tag(let tag), _): return try deleteTag(tag, request)
        case (.membership(let tag, let id), _): return try testTag(tag, id)
        case (.testDevice(let word, let id), _): return try testDevice(word, id, request)
        case (.schedules, .post): return try createSchedule(body, now)
        case (.schedules, _): return try listSchedules(request, now)
        case (.schedule(let id), .put): return try updateSchedule(id, body, now)
        case (.schedule(let id), .delete): return try removeSchedule(id)
        case (.schedule(let id), _): return try readSchedule(id)
        case (.scheduledMessages(let id), _): return try scheduledMessages(id)
        case (.received(let isDetail), _): return try report(request, now, isDetail: isDetail)
        case (.receipts, _): return try receipts(body)
        case (.statistics, _): return try statistics(request, isGroup: route.family == .groupReport)
        case (.users, _): return try users(request, isGroup: route.family == .groupReport)
        case (.unknown, _): throw .unknownPath
        }
    }
}
