public import FoundationEssentials
import HuaweiSimulation
import PushAdapter
public import PushSimulation

/// Push Kit's server for HarmonyOS 5 and later, version 3, as documented in 2026: messages of every push type, recalls,
/// receipts.
///
/// It checks a request in this order: path, bearer, token, project, Push Kit switched on, push type, JSON, rights,
/// fields, size, test messages, rate, push tokens. The vendor publishes no order.
public actor HarmonySimulator: VendorSimulator {
    /// `harmony`, the same as the adapter's provider id.
    public nonisolated let vendor = "harmony"
    nonisolated let settings: HarmonySimulatorSettings
    var projects: [String: HarmonyProject]
    var state: Deliveries
    var views: [String: LiveViews] = [:]
    /// The newest version of each form on each device.
    var forms: [FormID: Int] = [:]
    var rates: [String: RateWindow] = [:]
    private var keyring = Keyring()
    private var isOverloaded = false
    /// The number of requests that were accepted, in whole or in part.
    public internal(set) var sendCount = 0

    /// - Parameters:
    ///   - projects: projects with their devices.
    ///   - settings: receipts, and answers to open questions.
    public init(_ projects: [HarmonyProject], settings: HarmonySimulatorSettings = HarmonySimulatorSettings()) {
        self.settings = settings
        self.projects = Dictionary(projects.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        state = Deliveries(
            settings.receiptLine, hoursAhead: settings.hoursAhead, uniqueFor: settings.uniqueFor,
            repeatResult: settings.repeatResult)
        for project in projects {
            for device in project.devices { state.install(device, owner: project.id) }
        }
    }

    // MARK: VendorSimulator

    /// One address for all calls.
    public nonisolated func addresses(at origin: String) -> [String: String] { ["origin": origin, "push": origin] }

    private static let routes: SimulatedRoutes<Bool, HarmonySimulator, Refusal> = [
        .post("/v3/{project}/messages:send", true) { try $0.send($1) },
        .post("/v1/{client}/messages:revoke", true) { try $0.revoke($1) },
    ]

    /// Answers as the vendor does. An unknown path and a method other than POST get 404.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        do throws(Refusal) {
            guard let match = Self.routes.match(request), match.takesMethod else { throw .unknownPath }
            guard !isOverloaded else { throw .busy }
            return try match.answer(request, by: self, at: now)
        } catch {
            return error.response(state.newRequestID(now), alwaysOK: settings.alwaysAnswers200)
        }
    }

    /// 503 without a body. Ignores `reset`, because the vendor sends no time.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        Refusal.busy.response("")
    }

    /// 81000001 with the status, or a gateway's page.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        Refusal.failed(status, "0")
    }

    // MARK: Controls

    /// Changes a project: its rights, keys, quotas, punishment.
    public func change(_ project: String, _ edit: @Sendable (inout HarmonyProject) -> Void) {
        if let old = projects[project] {
            var new = old
            edit(&new)
            projects[project] = new
        }
    }

    /// Ends every token that callers have used so far, before its time.
    public func endTokens() { keyring.endTokens() }

    /// Whether the vendor refuses every call with 503.
    public func setOverloaded(_ isOverloaded: Bool) { self.isOverloaded = isOverloaded }

    /// Refuses a token in every response with one of the vendor's reasons, such as `countryNotSupport`; nil takes it.
    public func setRefusal(_ reason: String?, of token: String) { state.homes[token]?.refusal = reason }

    /// The result that receipts have for a device to which nothing is delivered: 2 for a removed app, 5 for a token of
    /// another installation, 6 for notifications that are off. Nil delivers.
    public func setResult(_ result: Int?, of token: String, at now: Date) {
        state.homes[token]?.result = result
        state.deliverWaiting(to: token, at: now)
    }

    /// Removes the app from a device, or puts it back.
    public func setGone(_ isGone: Bool, _ device: String, at now: Date) {
        setResult(isGone ? 2 : nil, of: device, at: now)
    }

    // MARK: Steps

    /// The project of the caller, which has to be the one that the path names.
    func project(_ call: SimulatedCall, isNamed: (HarmonyProject) -> Bool) throws(Refusal) -> HarmonyProject {
        guard let text = call.request.credential("Bearer") else { throw .unauthorized }
        let accounts = projects.values.map {
            Keyring.Account(project: $0.id, issuer: $0.subAccount, keys: $0.keys)
        }
        let id = try keyring.project(of: text, among: accounts, skew: settings.clockSkew, at: call.now)
        guard let project = projects[id], isNamed(project) else { throw .unauthorized }
        guard project.isPushOn else { throw .pushOff }
        return project
    }
}

/// A form on a device.
struct FormID: Hashable {
    var token: String
    var form: Int
}
