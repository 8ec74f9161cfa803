import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// Subscriptions, one registration and one topic at a time.
extension FCMSimulator {
    func changeTopics(_ kind: Call, _ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let project = try project(call, kind)
        do throws(Refusal) {
            return try answer(kind, call, project)
        } catch {
            guard settings.topicErrorsHaveCode, let code = error.topicCode else { throw error }
            var error = error
            error.details.append(.code(code))
            throw error
        }
    }

    private func answer(_ kind: Call, _ call: SimulatedCall, _ project: String) throws(Refusal) -> SimulatedResponse {
        let now = call.now
        guard projects[project]?.project.hasTopicAPI ?? false else { throw .notFound }
        if settings.countsTopicCalls { try takeSend(project, now) }
        switch kind {
        case .subscribe:
            let topic = try newTopic(call.request)
            let home = try home(call, project)
            try takeChange(project, now)
            if find(home)?.topics[topic] != nil { throw .subscribed }
            return .json(try subscribe(home, topic, call))
        case .readTopic, .removeTopic, .changeTopic:
            guard Rules.isTopic(call["topic"]) else { throw .argument("The topic name is invalid.") }
            let mayBeMissing = try Self.flag(call.request, "allow_missing")
            let home = try home(call, project)
            if kind != .readTopic { try takeChange(project, now) }
            return .json(try answer(kind, call, home, mayBeMissing: mayBeMissing))
        default: return .json(try list(try home(call, project), call))
        }
    }

    private func answer(
        _ kind: Call, _ call: SimulatedCall, _ home: Home, mayBeMissing: Bool
    ) throws(Refusal) -> JSONValue {
        let topic = call["topic"]
        switch (kind, find(home)?.topics[topic]) {
        case (.removeTopic, nil) where mayBeMissing: return [:]
        case (.changeTopic, nil) where mayBeMissing: return try subscribe(home, topic, call)
        case (_, nil): throw .notSubscribed
        case (.removeTopic, _):
            unsubscribe(home, topic)
            return [:]
        case (_, let time?): return subscription(topic, time, call)
        }
    }

    // MARK: Requests

    private func newTopic(_ request: SimulatedRequest) throws(Refusal) -> String {
        if !request.body.isEmpty {
            guard let value = try? JSONValue(parsing: request.body), case .object = value else { throw .unreadable }
            _ = try MessageSchema.subscription.read(value, at: "")
        }
        guard let topic = Self.parameter(request, "topic_name"), Rules.isTopic(topic) else {
            throw .argument("The topic name is invalid.")
        }
        return topic
    }

    /// A parameter in one of its two spellings.
    static func parameter(_ request: SimulatedRequest, _ name: String) -> String? {
        request.parameter(name) ?? request.parameter(ObjectType.camelCase(name))
    }

    private static func flag(_ request: SimulatedRequest, _ name: String) throws(Refusal) -> Bool {
        switch parameter(request, name) {
        case nil, "false": return false
        case "true": return true
        default: throw .argument("Invalid value of \(name).")
        }
    }

    private func home(_ call: SimulatedCall, _ project: String) throws(Refusal) -> Home {
        let text = call["registration"]
        guard Rules.isRegistration(text) else { throw .argument("The registration is malformed.") }
        guard let home = homes[.token(text)] ?? homes[.fid(text)], home.project == project,
            find(home)?.isRegistered(call.now) ?? false
        else { throw .unknownRegistration }
        return home
    }

    // MARK: State

    func find(_ home: Home) -> RegistrationState? { projects[home.project]?.registrations[home.device] }

    /// Takes one change from the project's rate.
    func takeChange(_ project: String, _ now: Date) throws(Refusal) {
        let limit = settings.subscriptionChangesPerSecond
        guard projects[project]?.changes.take(limit, now) ?? false else { throw .tooManyChanges }
    }

    /// Adds a topic to a registration if there is room.
    func add(_ topic: String, to home: Home, _ now: Date) throws(Refusal) {
        guard let topics = find(home)?.topics, topics[topic] == nil else { return }
        guard topics.count < settings.topicsPerRegistration else { throw .tooManyTopics }
        projects[home.project]?.registrations[home.device]?.topics[topic] = now
    }

    func unsubscribe(_ home: Home, _ topic: String) {
        projects[home.project]?.registrations[home.device]?.topics[topic] = nil
    }

    private func subscribe(_ home: Home, _ topic: String, _ call: SimulatedCall) throws(Refusal) -> JSONValue {
        try add(topic, to: home, call.now)
        return subscription(topic, call.now, call)
    }

    // MARK: Responses

    private func subscription(_ topic: String, _ time: Date, _ call: SimulatedCall) -> JSONValue {
        var fields: [String: JSONValue] = [
            key("topic_name"): .string(topic), key("create_time"): .string(WireTime.text(time)),
        ]
        if settings.namesSubscriptions {
            fields["name"] = .string(
                "projects/\(call["project"])/registrations/\(call["registration"])/topicSubscriptions/\(topic)")
        }
        return .object(fields)
    }

    private func list(_ home: Home, _ call: SimulatedCall) throws(Refusal) -> JSONValue {
        let topics = (find(home)?.topics ?? [:]).sorted { $0.key < $1.key }
        let page = try Page(call.request, Rules.topicsPerPage, of: topics)
        var fields: [String: JSONValue] = [
            key("topic_subscriptions"): .array(page.items.map { subscription($0.key, $0.value, call) })
        ]
        if let next = page.next { fields[key("next_page_token")] = .string(next) }
        return .object(fields)
    }

    private func key(_ name: String) -> String { settings.writesCamelCase ? ObjectType.camelCase(name) : name }
}
