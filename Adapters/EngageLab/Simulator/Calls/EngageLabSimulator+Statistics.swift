import FoundationEssentials
import JiguangSimulation
import PushAdapter
import PushSimulation

extension EngageLabSimulator {
    /// The counters by message. Omits unknown ids and messages older than a month.
    func statistics(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let rows = try listed("message_ids", call.request, Rules.idsPerReport).compactMap {
            id -> (String, JSONValue)? in
            guard let message = recent(id, call.now) else { return nil }
            return (id, Self.counters([message], plan: message.push.plan ?? ""))
        }
        return .json(.object(Dictionary(rows, uniquingKeysWith: { first, _ in first })))
    }

    /// The status of one message, by device.
    func fates(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (request, now) = (call.request, call.now)
        guard let id = request.parameter("message_id"), !id.isEmpty else { throw Refusal(400, 1003, "message_id") }
        let devices = try listed("registration_ids", request, .max)
        let rows = devices.compactMap { device -> (String, JSONValue)? in
            recent(id, now)?.fates[device].map { (device, .object(Self.row($0))) }
        }
        return .json(.object(Dictionary(rows, uniquingKeysWith: { first, _ in first })))
    }

    /// The same for several messages, as a list.
    func batchFates(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let rows = try listed("message_ids", call.request, .max).flatMap { id in
            (recent(id, call.now)?.fates ?? [:]).sorted { $0.key < $1.key }.map { device, fate -> JSONValue in
                var row = Self.row(fate)
                row["message_id"] = .string(id)
                row["registration_id"] = .string(device)
                return .object(row)
            }
        }
        return .json(.array(rows))
    }

    func planReport(_ call: SimulatedCall, isDetail: Bool) throws(Refusal) -> SimulatedResponse {
        let (request, now) = (call.request, call.now)
        let plans = try listed("plan_ids", request, Rules.plansPerReport)
        let clock = WallTime(ahead: settings.clockOffset)
        // The vendor's libraries may omit the days. The simulator then assumes today and the thirty days before.
        let month = now.addingTimeInterval(-30 * 86_400)
        let days = [("start_date", month), ("end_date", now)].map { name, date in
            request.parameter(name) ?? String(clock.text(date).prefix(10))
        }
        guard let start = clock.date(days[0] + " 00:00:00"), let end = clock.date(days[1] + " 23:59:59"), start <= end,
            now.timeIntervalSince(start) < Rules.planDays * 86_400,
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
        let units: [String: (length: Int, tail: String, seconds: Double, most: Int)] = [
            "HOUR": (13, ":00:00", 3600, 24), "DAY": (10, " 00:00:00", 86_400, 60),
            "MONTH": (7, "-01 00:00:00", 31 * 86_400, 2),
        ]
        let clock = WallTime(ahead: settings.clockOffset)
        guard let name = request.parameter("time_unit")?.uppercased(), let unit = units[name],
            let start = request.parameter("start"), start.utf8.count == unit.length,
            let first = clock.date(start + unit.tail),
            let count = request.parameter("duration").flatMap({ Int($0) }), (1...unit.most).contains(count)
        else { throw Refusal(400, 1003, "illegal time_unit, start or duration") }
        let counts = Rules.platforms.map { platform -> (String, JSONValue) in
            let own = devices.values.filter { $0.device.platform.wireName == platform }
            return (
                platform,
                [
                    "new": 0, "active": JSONValue(own.count),
                    "online": JSONValue(own.count { $0.device.isOnline }),
                ]
            )
        }
        let items = (0..<count).map { number -> JSONValue in
            var item = Dictionary(uniqueKeysWithValues: counts)
            // 31 days after a month has begun, the next one has, whatever its length.
            let moment = first.addingTimeInterval(Double(number) * unit.seconds)
            item["time"] = .string(String(clock.text(moment).prefix(unit.length)))
            return .object(item)
        }
        return .json([
            "TimeUnit": .string(name), "start": .string(start), "duration": JSONValue(count),
            "items": .array(items),
        ])
    }

    // MARK: Parts

    /// A message of the last month. Older messages are forgotten.
    private func recent(_ id: String, _ now: Date) -> MessageState? {
        app.messages[id].flatMap { now.timeIntervalSince($0.sentAt) <= Rules.reportLifetime ? $0 : nil }
    }

    /// Reads one value that contains commas.
    private func listed(_ name: String, _ request: SimulatedRequest, _ most: Int) throws(Refusal) -> [String] {
        let ids = (request.parameter(name) ?? "").split(separator: ",").map(String.init)
        guard !ids.isEmpty, ids.count <= most else { throw Refusal(400, 1003, "illegal \(name)") }
        return ids
    }

    private static func row(_ fate: MessageState.Fate) -> [String: JSONValue] {
        [
            "status": .string(fate.status), "error_code": JSONValue(fate.errorCode),
            "error_message": .string(fate.errorCode == 0 ? "" : "unreachable"),
            "itime": JSONValue(Int(fate.date.timeIntervalSince1970)), "channel": .string(fate.channel),
        ]
    }

    /// The words are plural at the top and for channels, and singular for notifications, as the vendor writes them.
    private static func counters(_ messages: [MessageState], plan: String) -> JSONValue {
        func numbers(
            _ fates: [MessageState.Fate], targets: Int, plural: Bool
        ) -> [String: JSONValue] {
            [
                plural ? "targets" : "target": JSONValue(targets),
                "sent": JSONValue(fates.count),
                "delivered": JSONValue(fates.count { $0.isDelivered }),
                "impressions": JSONValue(fates.count { $0.isImpression }),
                plural ? "clicks" : "click": JSONValue(fates.count { $0.isClick }),
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
