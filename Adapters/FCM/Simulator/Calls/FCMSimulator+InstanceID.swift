import FoundationEssentials
import PushAdapter
import PushSimulation

/// Instance ID, the older API for topics. Its calls name no project, so the caller's own project counts.
extension FCMSimulator {
    private static let header = HTTPField.Name("access_token_auth")

    /// The project of the caller; nil after the end of Instance ID.
    private func project(_ call: SimulatedCall) throws(Refusal) -> String? {
        if let end = settings.instanceIDEnd, call.now.timeIntervalSince1970 >= end { return nil }
        let request = call.request
        let caller = try caller(request, .instanceID, call.now)
        guard !settings.needsAccessTokenHeader || Self.header.flatMap({ request.headers[$0] }) == "true" else {
            throw Refusal(401, "Unauthorized: access_token_auth is not set")
        }
        guard let project = projects[caller.project]?.project, project.hasInstanceID,
            caller.permissions[project.id]?.contains(.manageTopics) ?? false
        else { throw Refusal(403, "PERMISSION_DENIED") }
        return project.id
    }

    // MARK: Changes

    /// Adds one topic to many tokens or removes it. Each token has its own result.
    func changeMany(_ call: SimulatedCall, isAdding: Bool) throws(Refusal) -> SimulatedResponse {
        guard let project = try project(call) else { return .unknownPath }
        let value = call.request.object
        guard let items = value?["registration_tokens"]?.arrayValue else {
            throw Refusal(400, "MissingRegistrationTokens")
        }
        let tokens = items.compactMap(\.stringValue)
        guard !tokens.isEmpty, tokens.count == items.count else { throw Refusal(400, "InvalidRegistrationTokens") }
        guard tokens.count <= Rules.tokensPerBatch else { throw Refusal(400, "TooManyRegistrationTokens") }
        let topic = try Self.topic(value?["to"]?.stringValue ?? "")
        let results = tokens.map { token -> JSONValue in
            do throws(ItemError) {
                try change(token, topic, isAdding: isAdding, project, call.now)
                return [:]
            } catch {
                return ["error": .string(error.rawValue)]
            }
        }
        return .json(["results": .array(results)])
    }

    func relate(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        guard let project = try project(call) else { return .unknownPath }
        let topic = try Self.topic("/topics/\(call["topic"])")
        do throws(ItemError) {
            try change(call["token"], topic, isAdding: true, project, call.now)
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

    func tokenInfo(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        guard let project = try project(call) else { return .unknownPath }
        let home: Home
        do throws(ItemError) {
            home = try self.home(of: call["token"], project, call.now)
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
        if call.request.parameter("details") == "true" {
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
