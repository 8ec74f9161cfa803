import PushAdapter
import PushSimulation

/// A call to the vendor's servers.
enum Call: Equatable {
    case send(project: String)
    case subscribe(Holder)
    case listTopics(Holder)
    case subscription(Holder, topic: String, Access)
    case changeMany(isAdding: Bool)
    case tokenInfo(String)
    case relate(token: String, topic: String)
    case deliveries(project: String, app: String)
    case exchange
    /// The account that the machine requests, or `default`.
    case machineToken(String)

    /// A registration in the path.
    struct Holder: Equatable {
        var project: String
        var registration: String
    }

    /// The operation on one subscription.
    enum Access {
        case read
        case delete
        case update
    }

    /// Nil for an unknown path or method.
    init?(_ request: SimulatedRequest) {
        guard let path = request.segments, let call = Self.call(request.method, path),
            call.family.serves(request.host)
        else { return nil }
        self = call
    }

    private static func call(_ method: HTTPRequest.Method, _ path: [String]) -> Call? {
        switch path.first {
        case "v1": projectCall(method, path)
        case "iid": instanceCall(method, path)
        case "v1beta1" where method == .get && path.count == 6 && path[1] == "projects" && path[3] == "androidApps":
            path[5] == "deliveryData" ? .deliveries(project: path[2], app: path[4]) : nil
        case "token" where method == .post && path.count == 1: .exchange
        case "computeMetadata" where method == .get && path.count == 6: machineCall(path)
        default: nil
        }
    }

    private static func projectCall(_ method: HTTPRequest.Method, _ path: [String]) -> Call? {
        guard path.count >= 4, path[1] == "projects" else { return nil }
        if path.count == 4 { return path[3] == "messages:send" && method == .post ? .send(project: path[2]) : nil }
        guard path[3] == "registrations", path.count >= 6, path[5] == "topicSubscriptions" else { return nil }
        let holder = Holder(project: path[2], registration: path[4])
        switch (path.count, method) {
        case (6, .post): return .subscribe(holder)
        case (6, .get): return .listTopics(holder)
        case (7, .get): return .subscription(holder, topic: path[6], .read)
        case (7, .delete): return .subscription(holder, topic: path[6], .delete)
        case (7, .patch): return .subscription(holder, topic: path[6], .update)
        default: return nil
        }
    }

    private static func instanceCall(_ method: HTTPRequest.Method, _ path: [String]) -> Call? {
        switch (path.count, method) {
        case (2, .post) where path[1] == "v1:batchAdd": .changeMany(isAdding: true)
        case (2, .post) where path[1] == "v1:batchRemove": .changeMany(isAdding: false)
        case (3, .get) where path[1] == "info": .tokenInfo(path[2])
        case (6, .post) where path[1] == "v1" && path[3] == "rel" && path[4] == "topics":
            .relate(token: path[2], topic: path[5])
        default: nil
        }
    }

    private static func machineCall(_ path: [String]) -> Call? {
        let start = ["computeMetadata", "v1", "instance", "service-accounts"]
        return path.starts(with: start) && path[5] == "token" ? .machineToken(path[4]) : nil
    }

    // MARK: Facts

    var family: Family {
        switch self {
        case .send: .messages
        case .subscribe, .listTopics, .subscription: .topics
        case .changeMany, .tokenInfo, .relate: .instanceID
        case .deliveries: .deliveries
        case .exchange: .tokens
        case .machineToken: .machine
        }
    }

    /// The name of the method in errors, if it is known.
    var method: String? {
        if case .send = self { "google.firebase.fcm.v1.FcmService.SendMessage" } else { nil }
    }

    /// The permission that the caller needs, with the vendor's name for it.
    var permission: (FCMServiceAccount.Permission, name: String) {
        switch self {
        case .deliveries: (.readDeliveries, "fcmdata.deliverydata.list")
        case .subscribe: (.manageTopics, "cloudmessaging.topicSubscriptions.create")
        case .listTopics: (.manageTopics, "cloudmessaging.topicSubscriptions.list")
        case .subscription(_, _, .read): (.manageTopics, "cloudmessaging.topicSubscriptions.get")
        case .subscription(_, _, .delete): (.manageTopics, "cloudmessaging.topicSubscriptions.delete")
        case .subscription(_, _, .update): (.manageTopics, "cloudmessaging.topicSubscriptions.update")
        case .changeMany, .tokenInfo, .relate: (.manageTopics, "firebase.iid")
        case .send, .exchange, .machineToken: (.sendMessages, "cloudmessaging.messages.create")
        }
    }
}

/// Calls that share a server and a form of error.
enum Family {
    case messages
    case topics
    case instanceID
    case deliveries
    case tokens
    case machine

    var host: String {
        switch self {
        case .messages, .topics: "fcm.googleapis.com"
        case .instanceID: "iid.googleapis.com"
        case .deliveries: "fcmdata.googleapis.com"
        case .tokens: "oauth2.googleapis.com"
        case .machine: "metadata.google.internal"
        }
    }

    private static let otherNames = ["fcm.mtls.googleapis.com": "fcm.googleapis.com"]
    private static let hosts: Set<String> = [
        "fcm.googleapis.com", "iid.googleapis.com", "fcmdata.googleapis.com", "oauth2.googleapis.com",
        "metadata.google.internal",
    ]

    /// False only if the request names another of the vendor's servers.
    func serves(_ host: String) -> Bool {
        let name = Self.otherNames[host.lowercased()] ?? host.lowercased()
        return name == self.host || !Self.hosts.contains(name)
    }

    var errorForm: ErrorForm {
        switch self {
        case .messages, .topics, .deliveries: .status
        case .instanceID: .text
        case .tokens, .machine: .grant
        }
    }

    /// The service's metadata in errors.
    var metadata: [String: JSONValue] { ["service": .string(host)] }

    var scopes: Set<String> {
        self == .deliveries ? [Rules.platformScope] : [Rules.messagingScope, Rules.platformScope]
    }
}
