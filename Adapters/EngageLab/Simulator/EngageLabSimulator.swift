public import FoundationEssentials
import JiguangSimulation
import PushAdapter
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
    private let credential: Secret?
    private let groupCredential: Secret?
    private(set) var bucket: CallBucket
    /// The app's devices.
    public var devices: [String: SimulatedDevice]
    var app = AppState()
    var callbacks = CallbackLine()
    /// When the first message that waits is over.
    var firstExpiry = Date.distantFuture

    /// - Parameters:
    ///   - app: the app of this data center; nil for a center without one.
    ///   - settings: the app's permissions, and answers to open questions.
    public init(_ app: App?, settings: EngageLabSimulatorSettings = EngageLabSimulatorSettings()) {
        self.settings = settings
        appKey = app?.key ?? ""
        credential = app.map { SimulatedRequest.basicCredential($0.key, $0.masterSecret) }
        groupCredential = app?.group.map { SimulatedRequest.basicCredential("group-\($0.key)", $0.masterSecret) }
        bucket = CallBucket(settings.callsPerSecond)
        devices = Dictionary(app?.devices ?? [], activities: settings.liveActivities)
    }

    // MARK: Observation

    /// The number of pushes that took effect. Replays do not count again.
    public var pushCount: Int { app.messages.count }

    /// Adds or replaces an installation. Cancels its pending deletion, because the device has registered anew.
    public func install(_ device: VirtualDevice) {
        app.deletions.removeAll { $0.device == device.id }
        devices[device.id] = SimulatedDevice(device)
        app.tokens[device.id] = nil
    }

    /// The tags, alias, inbox, badge, language and Live Activities of a device; nil if the app does not have it. The
    /// vendor counts a badge on iOS only.
    public func snapshot(of device: String) -> DeviceSnapshot? { devices.snapshot(of: device) }

    /// Deletes devices and sends scheduled pushes that are due, in the order of their times. Then drops messages that
    /// waited too long for a device.
    public func settle(at now: Date) {
        for deletion in app.deletions.sorted(by: { $0.date < $1.date }) where deletion.date <= now {
            fireSchedules(until: deletion.date)
            devices[deletion.device] = nil
            app.tokens[deletion.device] = nil
        }
        app.deletions.removeAll { $0.date <= now }
        fireSchedules(until: now)
        expireWaiting(now)
        app.keys = app.keys.filter { now.timeIntervalSince($0.value.usedAt) < Rules.keyLifetime }
    }

    // MARK: VendorSimulator

    /// One address for all calls.
    public nonisolated func addresses(at origin: String) -> [String: String] {
        ["origin": origin, "push": origin + "/v4"]
    }

    /// Does everything that is due, then answers as the vendor does.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        settle(at: now)
        guard let match = Self.routes.match(request) else {
            return SimulatedResponse(status: 404, headers: [.contentType: "text/plain"], body: Array("404".utf8))
        }
        do throws(Refusal) {
            try authenticate(request, match.kind)
            guard match.takesMethod else { throw .methodNotAllowed }
            if match.kind != .batch { try pay(now) }
            return try match.answer(request, by: self, at: now)
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

    private func authenticate(_ request: SimulatedRequest, _ kind: Kind) throws(Refusal) {
        guard let given = request.credential("Basic") else {
            throw Refusal(401, 27_001, "verification information is empty")
        }
        guard let expected = kind == .group ? groupCredential : credential, Secret(given) == expected else {
            throw settings.unknownKeyAnswer == .unauthorized
                ? Refusal(401, 21_004, "authentication failed") : Refusal(400, 21_008, "app_key is invalid")
        }
        guard settings.isAddressAllowed else { throw Refusal(400, 23_009, "the IP address is not on the list") }
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
