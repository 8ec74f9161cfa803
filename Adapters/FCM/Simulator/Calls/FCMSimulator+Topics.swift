import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// Subscriptions, one registration and one topic at a time.
extension FCMSimulator {
    func changeTopics(
        _ call: Call, _ holder: Call.Holder, _ project: String, _ request: SimulatedRequest, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        do throws(Refusal) {
            return try answer(call, holder, project, request, now)
        } catch {
            guard settings.topicErrorsHaveCode, let code = error.topicCode else { throw error }
            var error = error
            error.details.append(.code(code))
            throw error
        }
    }

    private func answer(
        _ call: Call, _ holder: Call.Holder, _ project: String, _ request: SimulatedRequest, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        guard projects[project]?.project.hasTopicAPI ?? false else { throw .notFound }
        if settings.countsTopicCalls { try takeSend(project, now) }
        switch call {
        case .subscribe:
            let topic = try newTopic(request)
            let home = try home(of: holder, project, now)
            try takeChange(project, now)
            if find(home)?.topics[topic] != nil { throw .subscribed }
            return .json(try subscribe(home, topic, holder, now))
        case .subscription(_, let topic, let access):
            guard Rules.isTopic(topic) else { throw .argument("The topic name is invalid.") }
            let mayBeMissing = try Self.flag(request, "allow_missing")
            let home = try home(of: holder, project, now)
            if access != .read { try takeChange(project, now) }
            return .json(try answer(access, topic, home, holder, mayBeMissing: mayBeMissing, now))
        default: return .json(try list(try home(of: holder, project, now), holder, request))
        }
    }

    private func answer(
        _ access: Call.Access, _ topic: String, _ home: Home, _ holder: Call.Holder, mayBeMissing: Bool, _ now: Date
    ) throws(Refusal) -> JSONValue {
        let time = find(home)?.topics[topic]
        switch (access, time) {
        case (.delete, nil) where mayBeMissing: return [:]
        case (.update, nil) where mayBeMissing: return try subscribe(home, topic, holder, now)
        case (_, nil): throw .notSubscribed
        case (.delete, _):
            unsubscribe(home, topic)
            return [:]
        case (_, let time?): return subscription(topic, time, holder)
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

    private func home(of holder: Call.Holder, _ project: String, _ now: Date) throws(Refusal) -> Home {
        let text = holder.registration
        guard Rules.isRegistration(text) else { throw .argument("The registration is malformed.") }
        guard let home = homes[.token(text)] ?? homes[.fid(text)], home.project == project,
            find(home)?.isRegistered(now) ?? false
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

    private func subscribe(
        _ home: Home, _ topic: String, _ holder: Call.Holder, _ now: Date
    ) throws(Refusal) -> JSONValue {
        try add(topic, to: home, now)
        return subscription(topic, now, holder)
    }

    // MARK: Responses

    private func subscription(_ topic: String, _ time: Date, _ holder: Call.Holder) -> JSONValue {
        var fields: [String: JSONValue] = [
            key("topic_name"): .string(topic), key("create_time"): .string(WireTime.text(time)),
        ]
        if settings.namesSubscriptions {
            fields["name"] = .string(
                "projects/\(holder.project)/registrations/\(holder.registration)/topicSubscriptions/\(topic)")
        }
        return .object(fields)
    }

    private func list(_ home: Home, _ holder: Call.Holder, _ request: SimulatedRequest) throws(Refusal) -> JSONValue {
        let topics = (find(home)?.topics ?? [:]).sorted { $0.key < $1.key }
        let page = try Page(request, Rules.topicsPerPage, of: topics)
        var fields: [String: JSONValue] = [
            key("topic_subscriptions"): .array(page.items.map { subscription($0.key, $0.value, holder) })
        ]
        if let next = page.next { fields[key("next_page_token")] = .string(next) }
        return .object(fields)
    }

    private func key(_ name: String) -> String { settings.writesCamelCase ? ObjectType.camelCase(name) : name }
}
