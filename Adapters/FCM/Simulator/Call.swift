import PushAdapter
import PushSimulation

/// A call to the vendor's servers.
enum Call {
    case send
    case subscribe
    case listTopics
    case readTopic
    case removeTopic
    case changeTopic
    case instanceID
    case deliveries
    case exchange
    case machineToken

    var family: Family {
        switch self {
        case .send: .messages
        case .subscribe, .listTopics, .readTopic, .removeTopic, .changeTopic: .topics
        case .instanceID: .instanceID
        case .deliveries: .deliveries
        case .exchange: .tokens
        case .machineToken: .machine
        }
    }

    /// The permission that the caller needs, with the vendor's name for it.
    var permission: (FCMServiceAccount.Permission, name: String) {
        switch self {
        case .deliveries: (.readDeliveries, "fcmdata.deliverydata.list")
        case .subscribe: (.manageTopics, "cloudmessaging.topicSubscriptions.create")
        case .listTopics: (.manageTopics, "cloudmessaging.topicSubscriptions.list")
        case .readTopic: (.manageTopics, "cloudmessaging.topicSubscriptions.get")
        case .removeTopic: (.manageTopics, "cloudmessaging.topicSubscriptions.delete")
        case .changeTopic: (.manageTopics, "cloudmessaging.topicSubscriptions.update")
        case .instanceID: (.manageTopics, "firebase.iid")
        case .send, .exchange, .machineToken: (.sendMessages, "cloudmessaging.messages.create")
        }
    }
}

extension FCMSimulator {
    private static let routes: SimulatedRoutes<Call, FCMSimulator, Refusal> = [
        .post("/v1/projects/{project}/messages:send", .send) { try $0.send($1) },
        .post("/v1/projects/{project}/registrations/{registration}/topicSubscriptions", .subscribe) {
            try $0.changeTopics(.subscribe, $1)
        },
        .get("/v1/projects/{project}/registrations/{registration}/topicSubscriptions", .listTopics) {
            try $0.changeTopics(.listTopics, $1)
        },
        .get("/v1/projects/{project}/registrations/{registration}/topicSubscriptions/{topic}", .readTopic) {
            try $0.changeTopics(.readTopic, $1)
        },
        .delete("/v1/projects/{project}/registrations/{registration}/topicSubscriptions/{topic}", .removeTopic) {
            try $0.changeTopics(.removeTopic, $1)
        },
        .patch("/v1/projects/{project}/registrations/{registration}/topicSubscriptions/{topic}", .changeTopic) {
            try $0.changeTopics(.changeTopic, $1)
        },
        .post("/iid/v1:batchAdd", .instanceID) { try $0.changeMany($1, isAdding: true) },
        .post("/iid/v1:batchRemove", .instanceID) { try $0.changeMany($1, isAdding: false) },
        .get("/iid/info/{token}", .instanceID) { try $0.tokenInfo($1) },
        .post("/iid/v1/{token}/rel/topics/{topic}", .instanceID) { try $0.relate($1) },
        .get("/v1beta1/projects/{project}/androidApps/{app}/deliveryData", .deliveries) { try $0.deliveries($1) },
        .post("/token", .exchange) { try $0.exchange($1.request, $1.now) },
        .get("/computeMetadata/v1/instance/service-accounts/{account}/token", .machineToken) {
            try $0.machineToken($1)
        },
    ]

    /// Nil for an unknown path or method, and on another of the vendor's servers.
    static func match(_ request: SimulatedRequest) -> SimulatedRoutes<Call, FCMSimulator, Refusal>.Match? {
        guard let match = routes.match(request), match.takesMethod, match.kind.family.serves(request.host) else {
            return nil
        }
        return match
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
