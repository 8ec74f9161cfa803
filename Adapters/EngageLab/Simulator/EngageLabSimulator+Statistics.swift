import FoundationEssentials
import PushCore
import PushSimulation

extension EngageLabSimulator {
    /// Counters by message; unknown ids and those older than a month are missing.
    func statistics(_ request: SimulatedRequest, _ now: Date) throws(Refusal) -> SimulatedResponse {
        let rows = try listed("message_ids", request, Rules.idsPerReport).compactMap { id -> (String, JSONValue)? in
            guard let message = app.messages[id], now.timeIntervalSince(message.sentAt) <= Rules.reportLifetime else {
                return nil
            }
            return (id, Self.counters([message], plan: message.push.plan ?? ""))
        }
        return .json(.object(Dictionary(rows, uniquingKeysWith: { first, _ in first })))
    }

    /// What became of one message on some devices, by device.
    func fates(_ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        guard let id = request.parameter("message_id"), !id.isEmpty else { throw Refusal(400, 1003, "message_id") }
        let devices = try listed("registration_ids", request, .max)
        let rows = devices.compactMap { device -> (String, JSONValue)? in
            app.messages[id]?.fates[device].map { (device, .object(Self.row($0))) }
        }
        return .json(.object(Dictionary(rows, uniquingKeysWith: { first, _ in first })))
    }

    /// The same of several messages, as a list.
    func batchFates(_ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        let rows = try listed("message_ids", request, Rules.idsPerReport).flatMap { id in
            (app.messages[id]?.fates ?? [:]).sorted { $0.key < $1.key }.map { device, fate -> JSONValue in
                var row = Self.row(fate)
                row["message_id"] = .string(id)
                row["registration_id"] = .string(device)
                return .object(row)
            }
        }
        return .json(.array(rows))
    }

    func planReport(_ request: SimulatedRequest, _ now: Date, isDetail: Bool) throws(Refusal) -> SimulatedResponse {
        let plans = try listed("plan_ids", request, Rules.plansPerReport)
        let clock = WallTime(ahead: settings.clockOffset)
        // The vendor's libraries leave the days out at will; today and the thirty days before are assumed then.
        let month = now.addingTimeInterval(-30 * 86_400)
        let days = [("start_date", month), ("end_date", now)].map { name, date in
            request.parameter(name) ?? String(clock.text(date).prefix(10))
        }
        guard let start = clock.date(days[0] + " 00:00:00"), let end = clock.date(days[1] + " 23:59:59"), start <= end,
            now.timeIntervalSince(start) <= (Rules.planDays + 1) * 86_400,
            end.timeIntervalSince(start) <= (Rules.planDays + 1) * 86_400
        else { throw Refusal(400, 1003, "illegal dates") }
        let rows = plans.compactMap { plan -> (String, JSONValue)? in
            guard let state = app.plans[plan] else { return nil }
            let ids = state.messages.filter { (start...end).contains($0.date) }.map(\.id)
            guard isDetail else { return (plan, ["msg_ids": .array(ids.map(JSONValue.string))]) }
            return (plan, Self.counters(ids.compactMap { app.messages[$0] }, plan: plan))
        }
        return .json(.object(Dictionary(rows, uniquingKeysWith: { first, _ in first })))
    }

    func users(_ request: SimulatedRequest) throws(Refusal) -> SimulatedResponse {
        let lengths = ["HOUR": 13, "DAY": 10, "MONTH": 7]
        guard let unit = request.parameter("time_unit")?.uppercased(), let length = lengths[unit],
            let start = request.parameter("start"), start.utf8.count == length,
            let count = request.parameter("duration").flatMap({ Int($0) }), (1...60).contains(count)
        else { throw Refusal(400, 1003, "illegal time_unit, start or duration") }
        let counts = Rules.platforms.map { platform -> (String, JSONValue) in
            let own = app.devices.values.filter { $0.device.platform.wireName == platform }
            return (
                platform,
                [
                    "new": 0, "active": JSONValue(integerLiteral: own.count),
                    "online": JSONValue(integerLiteral: own.count { $0.device.isOnline }),
                ]
            )
        }
        var item = Dictionary(uniqueKeysWithValues: counts)
        item["time"] = .string(start)
        return .json([
            "TimeUnit": .string(unit), "start": .string(start), "duration": JSONValue(integerLiteral: count),
            "items": [.object(item)],
        ])
    }

    // MARK: Parts

    /// One value with commas in it.
    private func listed(_ name: String, _ request: SimulatedRequest, _ most: Int) throws(Refusal) -> [String] {
        let ids = (request.parameter(name) ?? "").split(separator: ",").map(String.init)
        guard !ids.isEmpty, ids.count <= most else { throw Refusal(400, 1003, "illegal \(name)") }
        return ids
    }

    private static func row(_ fate: MessageState.Fate) -> [String: JSONValue] {
        [
            "status": .string(fate.status), "error_code": 0, "error_message": "",
            "itime": JSONValue(integerLiteral: Int(fate.date.timeIntervalSince1970)), "channel": .string(fate.channel),
        ]
    }

    /// Plural words at the top and for channels, singular ones for notifications: so the vendor writes it.
    private static func counters(_ messages: [MessageState], plan: String) -> JSONValue {
        func numbers(
            _ fates: [MessageState.Fate], targets: Int, plural: Bool
        ) -> [String: JSONValue] {
            [
                plural ? "targets" : "target": JSONValue(integerLiteral: targets),
                "sent": JSONValue(integerLiteral: fates.count),
                "delivered": JSONValue(integerLiteral: fates.count { $0.status == "delivered" }),
                "impressions": JSONValue(integerLiteral: fates.count { $0.isImpression }),
                plural ? "clicks" : "click": JSONValue(integerLiteral: fates.count { $0.isClick }),
            ]
        }
        func all(_ messages: [MessageState], plural: Bool) -> [String: JSONValue] {
            numbers(
                messages.flatMap(\.fates.values), targets: messages.reduce(0) { $0 + $1.targets.count }, plural: plural)
        }
        var sub: [String: JSONValue] = ["inapp_message": [:]]
        for kind in ["notification", "message", "live_activity", "voip"] {
            let own = messages.filter { $0.push.kind == kind }
            sub[kind] = own.isEmpty ? [:] : .object(all(own, plural: kind != "notification"))
        }
        let shown = messages.filter { $0.push.kind == "notification" }
        if !shown.isEmpty, case .object(var fields) = sub["notification"] {
            let words = [
                "sub_android": ["engageLab_android", "xiaomi", "huawei", "honor", "meizu", "oppo", "vivo", "fcm"],
                "sub_ios": ["engageLab_ios", "apns"], "sub_hmos": ["engageLab_hmos", "harmonyos"],
            ]
            let fates = Dictionary(grouping: shown.flatMap(\.fates.values), by: \.channel)
            for (part, channels) in words {
                let rows = channels.map { channel -> (String, JSONValue) in
                    let own = fates[channel] ?? []
                    return (channel, own.isEmpty ? [:] : .object(numbers(own, targets: own.count, plural: true)))
                }
                fields[part] = .object(Dictionary(rows, uniquingKeysWith: { first, _ in first }))
            }
            sub["notification"] = .object(fields)
        }
        var total = all(messages, plural: true)
        total["plan_id"] = .string(plan)
        total["pushContent"] = [:]
        total["sub"] = .object(sub)
        return .object(total)
    }
}
