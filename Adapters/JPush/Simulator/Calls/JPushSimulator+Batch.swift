import FoundationEssentials
import PushAdapter
import PushSimulation

extension JPushSimulator {
    /// Handles up to a thousand single pushes, each with its own result.
    func pushBatch(_ call: SimulatedCall, to key: String) throws(Refusal) -> SimulatedResponse {
        guard case .object(let list) = call.request.object?["pushlist"],
            Rules.batchSize.contains(list.count)
        else { throw .invalid("illegal pushlist") }
        var results: [String: JSONValue] = [:]
        for (id, item) in list.sorted(by: { $0.key < $1.key }) {
            results[id] = result { () throws(Refusal) in
                guard case .object(var fields) = item, let target = fields.removeValue(forKey: "target") else {
                    throw .missing
                }
                guard fields["audience"] == nil, fields["cid"] == nil else { throw .unknownKey("audience") }
                fields["audience"] = .object([key: [target]])
                fields["cid"] = .string(id)
                return try push(fields, call.now, delivers: true)
            }
        }
        return .json(.object(results))
    }

    /// Pushes to every app of the group: this app, and one without devices.
    func pushGroup(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        guard let fields = call.request.object else { throw .invalid("the body is no JSON object") }
        guard fields["options"]?["override_msg_id"] == nil else { throw .invalid("override_msg_id in a group push") }
        let noUser = Refusal(400, 1011, "cannot find user by this audience or has been inactive for more than 255 days")
        let own = result { () throws(Refusal) in try push(fields, call.now, delivers: true) }
        let group = "gp-\(app.newMessageID())"
        app.groupMessages[group] = own["msg_id"]?.stringValue
        return .json([
            appKey: own,
            "89abcdef0123456789abcdef": result { () throws(Refusal) in throw noUser },
            "group_msgid": .string(group),
        ])
    }

    /// The body of the response or the refusal.
    private func result(_ push: () throws(Refusal) -> SimulatedResponse) -> JSONValue {
        let response: SimulatedResponse
        do throws(Refusal) { response = try push() } catch { response = error.response }
        return (try? JSONValue(parsing: response.body)) ?? .null
    }

    // MARK: Templates, plans, quota

    func pushTemplate(_ call: SimulatedCall, isScheduled: Bool) -> SimulatedResponse {
        guard let fields = call.request.object, let template = fields["id"]?.stringValue,
            let parts = fields["params"]?.arrayValue, !parts.isEmpty
        else { return Self.plain(1002, "Missing parameter", 400) }
        guard let text = settings.templates[template] else { return Self.plain(1003, "no such template", 400) }
        var rows: [JSONValue] = []
        for part in parts {
            var alert = text
            if case .object(let keys) = part["keys"] {
                for (name, value) in keys { alert = alert.replacing("{{\(name)}}", with: value.stringValue ?? "") }
            }
            let push: [String: JSONValue] = [
                "platform": "all", "audience": part["audience"] ?? .null, "notification": ["alert": .string(alert)],
            ]
            var row: [String: JSONValue] = ["code": 0, "message": ""]
            row["trace_id"] = part["trace_id"]
            do throws(Refusal) {
                if isScheduled {
                    let new: [String: JSONValue] = [
                        "name": fields["schedule_name"] ?? .null, "enabled": true,
                        "trigger": fields["trigger"] ?? .null, "push": .object(push),
                    ]
                    row["schedule_id"] = .string(try createSchedule(new, call.now))
                } else {
                    let answer = try self.push(push, call.now, delivers: true)
                    row["message_id"] = (try? JSONValue(parsing: answer.body))?["msg_id"]
                }
            } catch {
                row["code"] = JSONValue(error.code)
                row["message"] = .string(error.text)
            }
            rows.append(.object(row))
        }
        let list = isScheduled ? "schedule_list" : "push_list"
        return .json(["code": 0, "message": "success", "data": .object([list: .array(rows)])])
    }

    func listPlans(_ request: SimulatedRequest) -> SimulatedResponse {
        let (page, size) = (number(request, "page", 1), number(request, "page_size", 50))
        let text = request.parameter("info")
        let plans = app.plans.sorted { $0.key < $1.key }.filter { plan in
            text.map { plan.key.contains($0) || plan.value.contains($0) } ?? true
        }
        let rows = plans.dropFirst((page - 1) * size).prefix(size).map { name, description -> JSONValue in
            ["name": .string(name), "description": .string(description), "push_count": 0, "send_source": 0]
        }
        let data: JSONValue = [
            "total": JSONValue(plans.count), "page": JSONValue(page),
            "page_size": JSONValue(size), "detail": .array(rows),
        ]
        return .json(["code": 0, "message": "success", "data": data])
    }

    func setPlan(_ call: SimulatedCall, isNew: Bool) -> SimulatedResponse {
        guard let fields = call.request.object, let name = fields["name"]?.stringValue, !name.isEmpty
        else { return Self.plain(1002, "Missing parameter", 400) }
        guard isNew || app.plans[name] != nil else { return Self.plain(1003, "no such plan", 400) }
        app.plans[name] = fields["description"]?.stringValue ?? ""
        return .json(["code": 0, "message": "success"])
    }

    func vendorQuota() -> SimulatedResponse {
        let use: JSONValue = [
            "system": ["total": -1, "used": 0], "operation": ["total": 10_000, "used": 17],
        ]
        return .json([
            "code": 0, "message": "success", "data": ["xiaomi_quota": use, "oppo_quota": use, "vivo_quota": use],
        ])
    }

    /// A response of templates, plans and quotas, in their envelope.
    private static func plain(_ code: Int, _ text: String, _ status: Int) -> SimulatedResponse {
        .json(["code": JSONValue(code), "message": .string(text)], status: status)
    }

    func number(_ request: SimulatedRequest, _ name: String, _ standard: Int) -> Int {
        min(max(1, request.parameter(name).flatMap { Int($0) } ?? standard), Rules.largestPage)
    }
}
