import FoundationEssentials
import PushAdapter
import PushSimulation

/// Instance ID, the older API for topics. Its calls name no project, so the caller's own project counts.
extension FCMSimulator {
    private static let header = HTTPField.Name("access_token_auth")

    func instance(_ call: Call, _ request: SimulatedRequest, _ now: Date) throws(Refusal) -> SimulatedResponse {
        if let end = settings.instanceIDEnd, now.timeIntervalSince1970 >= end { return .unknownPath }
        let caller = try caller(request, call, now)
        guard !settings.needsAccessTokenHeader || Self.header.flatMap({ request.headers[$0] }) == "true" else {
            throw Refusal(401, "Unauthorized: access_token_auth is not set")
        }
        guard let project = projects[caller.project]?.project, project.hasInstanceID,
            caller.permissions[project.id]?.contains(.manageTopics) ?? false
        else { throw Refusal(403, "PERMISSION_DENIED") }
        switch call {
        case .changeMany(let isAdding): return try changeMany(request.body, isAdding: isAdding, project.id, now)
        case .relate(let token, let topic): return try relate(token, topic, project.id, now)
        case .tokenInfo(let token):
            return try info(of: token, project.id, hasDetails: request.parameter("details") == "true", now)
        default: return .unknownPath
        }
    }

    // MARK: Changes

    /// Adds one topic to many tokens or removes it. Each token has its own result.
    private func changeMany(
        _ body: [UInt8], isAdding: Bool, _ project: String, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        guard let value = try? JSONValue(parsing: body), let items = value["registration_tokens"]?.arrayValue else {
            throw Refusal(400, "MissingRegistrationTokens")
        }
        let tokens = items.compactMap(\.stringValue)
        guard !tokens.isEmpty, tokens.count == items.count else { throw Refusal(400, "InvalidRegistrationTokens") }
        guard tokens.count <= Rules.tokensPerBatch else { throw Refusal(400, "TooManyRegistrationTokens") }
        let topic = try Self.topic(value["to"]?.stringValue ?? "")
        let results = tokens.map { token -> JSONValue in
            do throws(ItemError) {
                try change(token, topic, isAdding: isAdding, project, now)
                return [:]
            } catch {
                return ["error": .string(error.rawValue)]
            }
        }
        return .json(["results": .array(results)])
    }

    private func relate(
        _ token: String, _ topic: String, _ project: String, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        let topic = try Self.topic("/topics/\(topic)")
        do throws(ItemError) {
            try change(token, topic, isAdding: true, project, now)
            return .json([:])
        } catch {
            throw Refusal(error.status, error.rawValue)
        }
    }

    private static func topic(_ name: String) throws(Refusal) -> String {
        let prefix = "/topics/"
        let topic = String(name.dropFirst(prefix.count))
        guard name.hasPrefix(prefix), Rules.isTopic(topic) else { throw Refusal(400, "InvalidTopicName") }
        return topic
    }

    private func change(
        _ token: String, _ topic: String, isAdding: Bool, _ project: String, _ now: Date
    ) throws(ItemError) {
        let home = try home(of: token, project, now)
        do throws(Refusal) {
            try takeChange(project, now)
        } catch {
            throw .rate
        }
        guard isAdding else { return unsubscribe(home, topic) }
        do throws(Refusal) {
            try add(topic, to: home, now)
        } catch {
            throw .topics
        }
    }

    private func home(of token: String, _ project: String, _ now: Date) throws(ItemError) -> Home {
        guard let home = homes[.token(token)] else {
            throw Rules.isToken(token, shortest: settings.shortestToken) ? .unknown : .malformed
        }
        guard home.project == project else { throw .foreign }
        guard find(home)?.isRegistered(now) ?? false else { throw .unknown }
        return home
    }

    // MARK: Information

    private func info(
        of token: String, _ project: String, hasDetails: Bool, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        let home: Home
        do throws(ItemError) {
            home = try self.home(of: token, project, now)
        } catch {
            throw Self.infoErrors[error] ?? Refusal(error.status, error.rawValue)
        }
        guard let state = find(home) else { throw Refusal(500, "InternalServerError") }
        let platforms: [Platform: String] = [.ios: "IOS", .web: "CHROME"]
        var fields: [String: JSONValue] = [
            "application": .string(state.registration.package), "applicationVersion": "1",
            "authorizedEntity": .string(projects[project]?.project.number ?? ""),
            "platform": .string(platforms[state.registration.device.platform] ?? "ANDROID"),
        ]
        if hasDetails {
            let topics = state.topics.mapValues { ["addDate": .string(WireTime.day($0))] as JSONValue }
            fields["rel"] = ["topics": .object(topics)]
        }
        return .json(.object(fields))
    }

    private static let infoErrors: [ItemError: Refusal] = [
        .unknown: Refusal(404, "No information found about this instance id."),
        .malformed: Refusal(400, "InvalidToken"),
    ]
}

/// The error of one token.
private enum ItemError: String, Error {
    case unknown = "NOT_FOUND"
    case malformed = "INVALID_ARGUMENT"
    case foreign = "PERMISSION_DENIED"
    case topics = "TOO_MANY_TOPICS"
    case rate = "RESOURCE_EXHAUSTED"

    /// The status of a call for a single token.
    var status: Int {
        switch self {
        case .unknown: 404
        case .malformed: 400
        case .foreign: 403
        case .topics, .rate: 429
        }
    }
}
