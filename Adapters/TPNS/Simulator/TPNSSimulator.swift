public import FoundationEssentials
import PushAdapter
import PushCrypto
public import PushSimulation

/// One access point of TPNS with its apps, as in the vendor's documents of server API v3.
///
/// Each access point is a separate simulator with its own store. It refuses another access point's AccessId with
/// 1008035. It checks a request in this order: JSON, credentials, contract, required fields, values, rates, business.
/// The vendor publishes no order. Keys of a request are case-insensitive; unknown keys are ignored.
public actor TPNSSimulator: VendorSimulator {
    /// `tpns`, the same as the adapter's provider id.
    public nonisolated let vendor = "tpns"
    /// The name of the access point, such as `guangzhou`.
    public nonisolated let accessPoint: String
    let settings: TPNSSimulatorSettings
    var apps: [UInt32: AppState]
    /// The pushes to everyone, tags and packages in the current second, by app.
    var broad: [UInt32: RateWindow] = [:]
    private var lastNumber: Int

    /// - Parameters:
    ///   - apps: the apps of this access point.
    ///   - accessPoint: its name.
    ///   - settings: the apps' permissions, and answers to open questions.
    public init(
        apps: [TPNSApp], accessPoint: String = "guangzhou", settings: TPNSSimulatorSettings = TPNSSimulatorSettings()
    ) {
        self.accessPoint = accessPoint
        lastNumber = 100_000 * (1 + accessPoint.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 997 })
        self.settings = settings
        self.apps = Dictionary(apps.map { ($0.accessID, AppState($0)) }, uniquingKeysWith: { _, last in last })
    }

    // MARK: For tests

    /// The messages that a device received, oldest first.
    public func inbox(of device: String) -> [DeliveredMessage] { find(device)?.inbox.messages ?? [] }

    /// The devices that received a push, by id.
    public func receivers(of push: String) -> [String] {
        apps.values.flatMap { app in app.pushes[push]?.sent ?? [] }.sorted()
    }

    /// The number of accepted pushes.
    public var pushCount: Int { apps.values.reduce(0) { $0 + $1.pushes.count } }

    /// Sets the number that the server keeps for badge type -2, as an app does for its icon.
    public func setBadge(_ badge: Int, of device: String) {
        for id in apps.keys { apps[id]?.devices[device]?.badge = badge }
    }

    /// Takes a device offline, or brings it online, where it receives its waiting pushes.
    public func setOnline(_ isOnline: Bool, _ device: String, at now: Date) {
        advance(to: now)
        for id in apps.keys where apps[id]?.devices[device] != nil {
            apps[id]?.devices[device]?.device.isOnline = isOnline
            if isOnline { deliverWaiting(to: device, of: id, now) }
        }
    }

    /// The device with this id. If two apps have one, the app with the smaller AccessId counts.
    func find(_ device: String) -> DeviceState? {
        apps.sorted { $0.key < $1.key }.lazy.compactMap { $0.value.devices[device] }.first
    }

    // MARK: VendorSimulator

    /// The only address of an access point.
    public nonisolated func addresses(at origin: String) -> [String: String] { ["origin": origin] }

    /// Applies due writes, sends due pushes, then answers as the vendor does.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        advance(to: now)
        guard let call = Call(request) else { return SimulatedResponse(status: 404) }
        guard request.method == .post else { return SimulatedResponse(status: 405) }
        let envelope = envelope(of: call)
        var seq = 0
        do throws(Refusal) {
            let fields = call == .upload ? Fields([:]) : try Self.parse(request.body)
            seq = (try? fields.number("seq")) ?? 0
            let id: UInt32
            do throws(Refusal) {
                id = try authenticate(request, now)
            } catch  where settings.refusesWithStatus403 {
                return SimulatedResponse(status: 403)
            }
            try checkContract(of: id, call)
            let answer = try answer(call, fields, request, id, now)
            return envelope.answer(answer.code, answer.message, answer.fields, seq: seq)
        } catch {
            return envelope.answer(error, seq: seq)
        }
    }

    /// Code 1008028. The vendor sends no wait time.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        envelope(of: Call(request)).answer(.tooFast)
    }

    /// Code 1008004 with this status.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        var answer = envelope(of: Call(request)).answer(.failed)
        answer.status = status
        return answer
    }

    // MARK: Steps

    private static func parse(_ body: [UInt8]) throws(Refusal) -> Fields {
        guard let fields = Fields(try? JSONValue(parsing: body)) else { throw .unreadable }
        return fields
    }

    /// Checks the credentials and returns the AccessId. The signature covers the bytes as received.
    private func authenticate(_ request: SimulatedRequest, _ now: Date) throws(Refusal) -> UInt32 {
        func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }
        if let sign = header("Sign") {
            guard let text = header("AccessId"), let id = UInt32(text), let time = header("TimeStamp"),
                let seconds = Int(time), time.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { throw .unauthorized }
            guard let app = apps[id]?.app else { throw .elsewhere }
            let message = Array((time + text).utf8) + request.body
            let hex = Digests.hex(Digests.hmacSHA256(message, key: Secret(app.secretKey)))
            let expected = Data(hex.utf8).base64EncodedData()
            guard Digests.areEqual(Array(sign.utf8), Array(expected)),
                abs(now.timeIntervalSince1970 - Double(seconds)) <= settings.clockSkew
            else { throw .unauthorized }
            return id
        }
        guard let pair = request.basicCredential, let id = UInt32(pair.name) else { throw .unauthorized }
        guard let app = apps[id]?.app else { throw .elsewhere }
        guard pair.password == Secret(app.secretKey) else { throw .unauthorized }
        return id
    }

    private func checkContract(of id: UInt32, _ call: Call) throws(Refusal) {
        switch apps[id]?.app.contract {
        case .expired: throw .expired
        case .suspended where call == .push: throw .unpaid
        default: return
        }
    }

    struct Answer {
        var code = 0
        var message = "NO_ERROR"
        var fields: [String: JSONValue] = [:]
    }

    private func answer(
        _ call: Call, _ fields: Fields, _ request: SimulatedRequest, _ id: UInt32, _ now: Date
    ) throws(Refusal) -> Answer {
        guard var app = apps[id] else { throw .elsewhere }
        // A refused call changes nothing except the counts of calls.
        defer { apps[id]?.statistics = app.statistics }
        let answer: Answer
        switch call {
        case .push: answer = try push(fields, &app, id, now)
        case .upload: answer = try upload(request, &app)
        case .plan: answer = try makePlan(fields, &app, now)
        case .stop, .recall, .cancel: answer = try end(call, fields, &app)
        case .tag: answer = try changeTags(fields, &app, now)
        case .deleteTags: answer = try deleteTags(fields, &app, now)
        case .accounts: answer = try changeAccounts(fields, &app, now)
        case .accountQuery: answer = try queryAccounts(fields, app)
        case .attributes: answer = try attributes(fields, &app)
        case .statistics(let kind): answer = try statistics(kind, fields, &app, now)
        }
        apps[id] = app
        return answer
    }

    private nonisolated func envelope(of call: Call?) -> Envelope {
        switch call {
        case .plan: settings.answersPlansByTheTable ? .text : .capital
        case .stop, .recall, .cancel: settings.endsInCamelCase ? .camel : .snake
        case .accountQuery, .attributes, .upload, .statistics: .camel
        default: .snake
        }
    }

    /// A push id of nineteen digits, greater than all before, and different from those of other access points.
    func newPush() -> String { String(1_979_000_000_000_000_000 + newNumber()) }

    /// A number for a package, a plan, or a push that later pushes may replace.
    func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Schedules a write for some time after the response.
    func later(_ app: inout AppState, _ now: Date, _ write: @escaping @Sendable (inout AppState) -> Void) {
        app.later.append((now.addingTimeInterval(settings.delay), write))
    }
}

/// A call to the vendor's API.
enum Call: Equatable {
    case push
    case upload
    case plan
    case stop
    case recall
    case cancel
    case tag
    case deleteTags
    case accounts
    case accountQuery
    case attributes
    case statistics(Statistics)

    /// The kinds of statistics.
    enum Statistics {
        case records
        case push
        case plan
        case days
        case devices
        case distribution
        case pushesOfDevice
    }

    /// Nil for a path that the vendor does not have.
    init?(_ request: SimulatedRequest) {
        guard let path = request.segments, path.first == "v3" else { return nil }
        switch Array(path.dropFirst()) {
        case ["push", "app"]: self = .push
        case ["push", "package", "upload"]: self = .upload
        case ["push", "plan", "add_plan_push"]: self = .plan
        case ["push", "stop_push_msg"]: self = .stop
        case ["push", "revoke_push_msg"]: self = .recall
        case ["push", "cancel_timing_task"]: self = .cancel
        case ["device", "tag"]: self = .tag
        case ["device", "tag", "delete_all_device"]: self = .deleteTags
        case ["device", "account", "batchoperate"]: self = .accounts
        case ["device", "account", "query"]: self = .accountQuery
        case ["device", "set_custom_attribute"]: self = .attributes
        case ["statistics", "get_push_record"]: self = .statistics(.records)
        case ["statistics", "get_push_task_stat_channel"]: self = .statistics(.push)
        // The overview page has shorter names for two of these calls.
        case ["statistics", "get_push_group_stat_channel"], ["statistics", "get_push_group_stat"]:
            self = .statistics(.plan)
        case ["statistics", "get_push_channel_stat_overview"], ["statistics", "get_push_stat_overview"]:
            self = .statistics(.days)
        case ["statistics", "get_device_stat_overview"]: self = .statistics(.devices)
        case ["statistics", "get_device_distribute_info"]: self = .statistics(.distribution)
        case ["toolbox", "getPushListByToken"]: self = .statistics(.pushesOfDevice)
        default: return nil
        }
    }
}
