public import FoundationEssentials
import JiguangSimulation
import PushAdapter
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
    private let credential: Secret
    private let groupCredential: Secret?
    private var windows: [Family: RateWindow] = [:]
    /// The app's devices.
    public var devices: [String: SimulatedDevice]
    var app = AppState()

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
        credential = SimulatedRequest.basicCredential(appKey, masterSecret)
        groupCredential = group.map { SimulatedRequest.basicCredential("group-\($0.key)", $0.masterSecret) }
        self.devices = Dictionary(devices, activities: settings.liveActivities)
        app.files = settings.files.mapValues { ids in
            FileState(
                kind: "registration_id", name: "ids.txt", ids: ids, createdAt: .distantPast, expiresAt: .distantFuture)
        }
    }

    // MARK: Observation

    /// A device's tags; empty if the app does not have the device.
    public func tags(of device: String) -> Set<String> { devices[device]?.tags ?? [] }
    /// A device's alias; also nil if the app does not have the device.
    public func alias(of device: String) -> String? { devices[device]?.alias }
    /// The number of pushes that took effect. Replays do not count again.
    public var pushCount: Int { app.messages.count }

    /// Adds or replaces an installation.
    public func install(_ device: VirtualDevice) {
        devices[device.id] = SimulatedDevice(device)
        app.mobiles[device.id] = nil
    }

    /// Registers a Live Activity on a device, as its app does.
    public func registerLiveActivity(_ id: String, on device: String) {
        devices[device]?.tokens.activities.insert(id)
    }

    /// The tags, alias, inbox, badge, language and Live Activities of a device; nil if the app does not have it. The
    /// vendor counts a badge on iOS only.
    public func snapshot(of device: String) -> DeviceSnapshot? { devices.snapshot(of: device) }

    /// Sends the scheduled pushes that are due.
    public func settle(at now: Date) { fireSchedules(until: now) }

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
        guard let match = Self.routes.match(request) else { return Self.notFound }
        let family = match.kind
        do throws(Refusal) {
            try authenticate(request, family)
            guard match.takesMethod else { throw family.unknownPath ?? .methodNotAllowed }
        } catch {
            return error.response
        }
        if match.isRest, family.unknownPath == nil { return Self.notFound }
        var response: SimulatedResponse
        let limit = limit(of: family)
        let fits = windows[family, default: RateWindow(seconds: Rules.window)].take(limit, now)
        let window = windows[family, default: RateWindow(seconds: Rules.window)]
        do throws(Refusal) {
            guard fits else { throw .throttled }
            response = try match.answer(request, by: self, at: now)
        } catch {
            response = error.response
        }
        if settings.sendsRateHeaders {
            response.setRate(limit: limit, remaining: window.remaining(limit, now), reset: window.reset(now))
        }
        return response
    }

    /// 429 with code 2002; adds the rate headers if `reset`, in seconds, is given.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        var response = Refusal.throttled.response
        if let reset { response.setRate(limit: 600, remaining: 0, reset: reset) }
        return response
    }

    /// The code of the call's family for an internal failure, such as 1000 or 1030 for pushes.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        let family = Self.routes.match(request)?.kind ?? .push
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
        guard let given = request.credential("Basic") else { throw family.unauthenticated }
        guard Secret(given) == (family.isGroup ? groupCredential : credential) else { throw family.wrongCredentials }
    }

    private static let notFound = SimulatedResponse(
        status: 404, headers: [.contentType: "text/html"], body: Array("<html>404 Not Found</html>".utf8))

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
        Family.allCases.filter { !$0.isGroup || groupCredential != nil }.map { family in
            windows[family, default: RateWindow(seconds: Rules.window)]
                .reading(family.rawValue, limit(of: family), now)
        }
    }
}

extension SimulatedResponse {
    fileprivate mutating func setRate(limit: Int, remaining: Int, reset: Int) {
        for (name, value) in [("Limit", limit), ("Remaining", remaining), ("Reset", reset)] {
            if let name = HTTPField.Name("X-Rate-Limit-\(name)") { headers[name] = String(value) }
        }
    }
}
