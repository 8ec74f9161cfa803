public import FoundationEssentials
import PushAdapter
import PushCrypto
public import PushSimulation

/// Firebase Cloud Messaging and its token endpoint, as documented in 2026: sends, topics, Instance ID, delivery data,
/// access tokens, and the metadata server of a machine in the vendor's cloud.
///
/// It checks a request in this order: path and method, access token, API, role, quota, JSON, target, fields, size,
/// registration, rates, credentials for APNs and web push. The vendor publishes no order.
public actor FCMSimulator: VendorSimulator {
    /// `fcm`, the same as the adapter's provider id.
    public nonisolated let vendor = "fcm"
    nonisolated let settings: FCMSimulatorSettings
    nonisolated private let sendQuotas: [String: (number: String, limit: Int)]
    let machineAccount: String?
    var projects: [String: ProjectState]
    var accounts: [String: FCMServiceAccount]
    /// The home of each registration, by token and by installation id.
    var homes: [Address: Home] = [:]
    /// By the digest of the token.
    var accessTokens: [[UInt8]: AccessToken] = [:]
    /// The number of access tokens issued by the token endpoint and the metadata server.
    public internal(set) var exchangeCount = 0
    /// The number of accepted messages, without dry runs.
    public internal(set) var sendCount = 0
    private var lastNumber = 0

    /// - Parameters:
    ///   - projects: projects with their registrations.
    ///   - accounts: the accounts that may get access tokens.
    ///   - machineAccount: the account of the metadata server, by address; nil for no such server.
    ///   - settings: limits, and answers to open questions.
    public init(
        projects: [FCMProject], accounts: [FCMServiceAccount], machineAccount: String? = nil,
        settings: FCMSimulatorSettings = FCMSimulatorSettings()
    ) {
        self.settings = settings
        self.machineAccount = machineAccount
        self.projects = Dictionary(projects.map { ($0.id, ProjectState($0)) }, uniquingKeysWith: { _, last in last })
        self.accounts = Dictionary(accounts.map { ($0.email, $0) }, uniquingKeysWith: { _, last in last })
        sendQuotas = Dictionary(
            projects.map { ($0.id, (number: $0.number, limit: $0.sendsPerMinute)) },
            uniquingKeysWith: { _, last in last })
        for project in projects {
            for registration in project.registrations {
                for address in Self.addresses(of: registration) {
                    homes[address] = Home(project: project.id, device: registration.device.id)
                }
            }
        }
    }

    // MARK: VendorSimulator

    /// Messages and topics as `fcm`, Instance ID as `iid`, the delivery report as `fcmdata`, the token endpoint as
    /// `token_uri`, and the metadata server as `metadata`.
    public nonisolated func addresses(at origin: String) -> [String: String] {
        [
            "origin": origin, "fcm": origin, "iid": origin, "fcmdata": origin, "oauth2": origin,
            "token_uri": origin + "/token", "metadata": origin,
        ]
    }

    /// Answers as the server of the request's path does. Paths without a server get a page with status 404.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        guard let match = Self.match(request) else { return .unknownPath }
        do throws(Refusal) {
            return try match.answer(request, by: self, at: now)
        } catch {
            return response(to: error, match.kind.family, retryAfter: settings.retryAfter)
        }
    }

    /// 429 in the form of the call's family, with `Retry-After` if `reset` is given.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        let family = Self.match(request)?.kind.family ?? .messages
        let refusal =
            switch family {
            case .messages: projectQuota(request)
            case .tokens, .machine: Refusal.failure(429, hasCode: false)
            case .topics, .instanceID, .deliveries: Refusal.tooManyChanges
            }
        return response(to: refusal, family, retryAfter: reset)
    }

    /// An internal error in the form of the call's family; a page for status 502.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        let family = Self.match(request)?.kind.family ?? .messages
        if status == 502 {
            return .page(502, "The server encountered a temporary error. Please try again in 30 seconds.")
        }
        let refusal = Refusal.failure(status, hasCode: family == .messages)
        return response(to: refusal, family, retryAfter: settings.retryAfter)
    }

    // MARK: Steps

    private nonisolated func response(
        to refusal: Refusal, _ family: Family, retryAfter: Int?
    ) -> SimulatedResponse {
        var response = family.errorForm.response(to: refusal)
        if let retryAfter, [429, 503].contains(refusal.status) {
            response.headers[.retryAfter] = String(retryAfter)
        }
        return response
    }

    /// The refusal for exceeding the quota of the project in the path.
    private nonisolated func projectQuota(_ request: SimulatedRequest) -> Refusal {
        let name = Self.match(request)?["project"] ?? ""
        let quota = sendQuotas[name] ?? sendQuotas.values.first { $0.number == name } ?? (name, 600_000)
        return .projectQuota(number: quota.number, limit: quota.limit, namesCode: settings.namesQuotaCode)
    }

    /// The next number, greater than all before.
    func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// The id that names a registration in a request.
enum Address: Hashable {
    case token(String)
    case fid(String)
}

/// The project and device under which a registration is kept.
struct Home: Hashable {
    var project: String
    var device: String
}

/// The account behind an access token, and when the token ends.
struct AccessToken {
    var email: String
    var scopes: Set<String>
    var end: Date
}
