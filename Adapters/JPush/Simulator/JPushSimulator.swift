public import FoundationEssentials
import PushCore
import PushCrypto
public import PushSimulation

/// JPush's server API for one app, as the vendor documents it: devices, push, keys, reports.
///
/// It answers the paths of both data centres and forgets nothing until it goes away. It checks in the order credentials,
/// method, path, quota, JSON, unknown keys, required keys, values, sizes, audience; the vendor publishes no order.
public actor JPushSimulator: VendorSimulator {
    public nonisolated let vendor = "jpush"
    let appKey: String
    let settings: JPushSimulatorSettings
    private let authorization: [UInt8]
    private var windows: [Family: RateWindow] = [:]
    var app: AppState

    /// - Parameters:
    ///   - appKey: 24 letters and digits, like the master secret.
    ///   - devices: installations that exist from the start.
    public init(
        appKey: String, masterSecret: String, devices: [VirtualDevice] = [],
        settings: JPushSimulatorSettings = JPushSimulatorSettings()
    ) {
        self.appKey = appKey
        self.settings = settings
        authorization = Array(Data("\(appKey):\(masterSecret)".utf8).base64EncodedString().utf8)
        app = AppState(devices: devices)
    }

    // MARK: For those who watch

    /// What a device received, oldest first.
    public func inbox(of device: String) -> [DeliveredMessage] { app.devices[device]?.inbox ?? [] }
    /// The devices that received a message, by id.
    public func receivers(of messageID: String) -> [String] {
        app.devices.values.filter { $0.inbox.contains { $0.messageID == messageID } }.map(\.device.id).sorted()
    }
    public func tags(of device: String) -> Set<String> { app.devices[device]?.tags ?? [] }
    public func alias(of device: String) -> String? { app.devices[device]?.alias }
    /// Pushes that were carried out, replayed ones not counted again.
    public var pushCount: Int { app.messages.count }

    /// Adds or replaces an installation.
    public func install(_ device: VirtualDevice) { app.devices[device.id] = DeviceState(device) }

    // MARK: VendorSimulator

    /// The addresses of both path maps: the vendor's hosts share one here, and Beijing has other paths.
    public nonisolated func addresses(at origin: String) -> [String: String] {
        [
            "origin": origin, "push": origin + "/v3/push", "device": origin + "/v3", "report": origin + "/v3",
            "device.beijing": origin + "/v3/device", "report.beijing": origin + "/v3/report",
        ]
    }

    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        guard let route = Route(request) else { return Self.notFound }
        do throws(Refusal) {
            try authenticate(request, route.family)
            try checkMethod(route, request)
        } catch {
            return error.response
        }
        if case .unknown = route.call, route.family != .device { return Self.notFound }
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

    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        var response = Refusal(429, 2002, "Rate limit exceeded").response
        if let reset { RateWindow.Reading(limit: 600, remaining: 0, reset: reset).write(to: &response) }
        return response
    }

    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        let family = Route(request)?.family ?? .push
        let code: Int =
            switch (family, status) {
            case (.device, 503): 7030
            case (.device, _): 7000
            case (.report, _): 10
            case (.push, 503): 1030
            case (.push, _): 1000
            }
        return Refusal(status, code, "server error").response
    }

    // MARK: Steps

    private func authenticate(_ request: SimulatedRequest, _ family: Family) throws(Refusal) {
        let parts = (request.headers[.authorization] ?? "").split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "basic" else { throw family.unauthenticated }
        guard Digests.areEqual(Array(parts[1].utf8), authorization) else { throw family.wrongCredentials }
    }

    private func checkMethod(_ route: Route, _ request: SimulatedRequest) throws(Refusal) {
        switch (route.call, request.method) {
        case (.push, .post), (.validate, .post), (.keys, .get), (.device, .get), (.device, .post), (.membership, .get),
            (.received, .get):
            return
        case (.unknown, _) where route.family != .device: return
        case (.push, _), (.validate, _), (.keys, _): throw .methodNotAllowed
        // No code is documented for a wrong method here: it is answered as an unknown path.
        case (.device, _), (.membership, _), (.received, _), (.unknown, _): throw .unknownPath
        }
    }

    private static let notFound = SimulatedResponse(
        status: 404, headers: [.contentType: "text/html"], body: Array("<html>404 Not Found</html>".utf8))

    private func count(_ family: Family, _ now: Date) -> RateWindow.Reading {
        let limit =
            switch family {
            case .push: settings.pushQuota
            case .device: settings.deviceQuota
            case .report: settings.reportQuota
            }
        return windows[family, default: RateWindow()].count(limit: limit, now)
    }

    private func answer(_ route: Route, _ request: SimulatedRequest, _ now: Date) throws(Refusal) -> SimulatedResponse {
        switch route.call {
        case .push: try push(request.body, now, delivers: true)
        case .validate: try push(request.body, now, delivers: false)
        case .keys: try mintKeys(request, now)
        case .device(let id): request.method == .get ? try readDevice(id) : try updateDevice(id, request.body)
        case .membership(let tag, let id): try testTag(tag, id)
        case .received: try report(request, now)
        case .unknown: throw .unknownPath
        }
    }
}
