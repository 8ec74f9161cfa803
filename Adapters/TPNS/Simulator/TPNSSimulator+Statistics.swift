import FoundationEssentials
import PushCore
import PushSimulation

extension TPNSSimulator {
    /// Everything that is counted comes from what was delivered here.
    func statistics(_ kind: String, _ fields: Fields, _ app: inout AppState, _ now: Date) throws(Refusal) -> Answer {
        guard app.statistics.take(settings.statisticsPerHour, now) else { throw .tooFast }
        switch kind {
        case "get_push_record": return try records(fields, app, now)
        case "get_push_task_stat_channel":
            let push = try found(fields, app, now, days: 30)
            return Answer(fields: ["pushStatDataAll": channels([push], app)])
        case "get_push_group_stat_channel":
            let planID = try fields.text("planId")
            let plan = try planID == nil ? fields.needText("groupId") : planID
            let days = try days(fields, "yyyymmdd", within: 7, now)
            let pushes = app.pushes.values.filter { $0.object.plan == plan && days.contains(day($0.date)) }
            return Answer(fields: ["pushStatDataAll": channels(pushes, app)])
        case "get_push_channel_stat_overview":
            let days = try days(fields, "yyyymmdd", within: 30, now)
            let rows = days.map { day -> JSONValue in
                let pushes = app.pushes.values.filter { self.day($0.date) == day }
                return ["date": .string(day), "channelDatas": channels(Array(pushes), app)]
            }
            return Answer(fields: ["pushDateChannelStat": .array(rows)])
        case "get_device_stat_overview":
            let count = JSONValue(integerLiteral: app.devices.count)
            let online = JSONValue(integerLiteral: app.devices.values.count { $0.device.isOnline })
            let rows = try days(fields, "yyyymmdd", within: 92, now).map { day -> JSONValue in
                ["date": JSONValue(integerLiteral: Int(day) ?? 0), "accuUv": count, "newUv": 0, "activeUv": online]
            }
            return Answer(fields: ["getDeviceStatOverviewData": .array(rows)])
        case "get_device_distribute_info":
            let type = try fields.needText("type")
            guard Rules.distributions.contains(type) else { throw .invalid("type") }
            guard VendorClock.date(dashed(try fields.needText("date")) + " 00:00:00", 0) != nil else { throw .badDate }
            // Nothing is known of virtual devices but that they are there.
            let row: JSONValue = [type: "unknown", "count": JSONValue(integerLiteral: app.devices.count)]
            return Answer(fields: ["data": app.devices.isEmpty ? [] : [row]])
        default: return try pushesToday(try fields.needText("token"), app, now)
        }
    }

    // MARK: Records

    private func records(_ fields: Fields, _ app: AppState, _ now: Date) throws(Refusal) -> Answer {
        if fields["pushId"] != nil {
            let push = try found(fields, app, now, days: 31)
            let id = try fields.needText("pushId")
            // The vendor's sample of a single push has its id as a number.
            return Answer(fields: ["pushRecordData": [record(id, push, idIsNumber: true)]])
        }
        let days = try days(fields, "yyyy-mm-dd", within: 31, now)
        let offset = try fields.number("offset") ?? 0
        let limit = try fields.number("limit") ?? Rules.recordLimit.upperBound
        guard offset >= 0, Rules.recordLimit.contains(limit) else { throw .invalid("limit") }
        let (message, audience) = (try fields.text("msgType"), try fields.text("pushType"))
        let all = app.pushOrder.filter { id in
            guard let push = app.pushes[id], days.contains(day(push.date)) else { return false }
            return (message == nil || (message == "notify") == push.object.isNotification)
                && (audience.map { push.object.audience.hasPrefix($0) } ?? true)
        }
        let page = all.dropFirst(offset).prefix(limit).compactMap { id in
            app.pushes[id].map { record(id, $0, idIsNumber: false) }
        }
        return Answer(fields: ["count": JSONValue(integerLiteral: all.count), "pushRecordData": .array(page)])
    }

    private func record(_ id: String, _ push: PushState, idIsNumber: Bool) -> JSONValue {
        let parts = VendorClock.parts(push.date, settings.clockOffset)
        let number = Int(id).map { JSONValue(integerLiteral: $0) }
        return [
            "pushId": idIsNumber ? number ?? .string(id) : .string(id),
            "date": .string("\(parts[0])-\(parts[1])-\(parts[2]) \(parts[3]):\(parts[4]):\(parts[5])"),
            "title": .string(push.object.title ?? ""), "content": .string(push.object.content ?? ""),
            "status": .string(push.status), "pushType": .string(push.object.audience),
            "messageType": .string(push.object.isNotification ? "notify" : "message"),
            "environment": .string(push.object.environment ?? ""),
            "expireTime": JSONValue(integerLiteral: push.object.life),
            "collapseID": JSONValue(integerLiteral: push.collapseNumber),
            "targetList": push.object.tokens.isEmpty ? .null : .array(push.object.tokens.map(JSONValue.string)),
            "groupId": .string(push.object.plan ?? ""), "source": "api",
        ]
    }

    /// A push that is named and young enough.
    private func found(_ fields: Fields, _ app: AppState, _ now: Date, days: Double) throws(Refusal) -> PushState {
        guard let push = app.pushes[try fields.needText("pushId")],
            now.timeIntervalSince(push.date) <= days * 86_400
        else { throw .unknownPush }
        return push
    }

    private func pushesToday(_ token: String, _ app: AppState, _ now: Date) throws(Refusal) -> Answer {
        guard app.devices[token] != nil else { throw .badToken }
        let rows = app.pushOrder.compactMap { id -> JSONValue? in
            guard let push = app.pushes[id], push.targets?.contains(token) == true, day(push.date) == day(now) else {
                return nil
            }
            return [
                "pushId": JSONValue(integerLiteral: Int(id) ?? 0),
                "pushTime": JSONValue(integerLiteral: Int(push.date.timeIntervalSince1970)),
                "pushTargetType": .string("\(push.object.audience.uppercased())_PUSH"),
            ]
        }
        return Answer(fields: ["pushTaskList": .array(rows)])
    }

    // MARK: Counts

    /// One channel for the platform, and the sum of all.
    private func channels(_ pushes: [PushState], _ app: AppState) -> JSONValue {
        let planned = pushes.reduce(0) { $0 + ($1.targets?.count ?? 0) }
        let arrived = pushes.reduce(0) { $0 + $1.arrived.count }
        var state: [String: JSONValue] = [
            "pushActiveUv": JSONValue(integerLiteral: planned), "pushOnlineUv": JSONValue(integerLiteral: arrived),
            "verifySvcUv": JSONValue(integerLiteral: arrived), "clickUv": 0,
        ]
        if !app.isIOS {
            for name in ["arrivalUv", "callbackVerifySvcUv"] { state[name] = JSONValue(integerLiteral: arrived) }
            state["cleanupUv"] = 0
        }
        let name: JSONValue = app.isIOS ? "apns" : "xg"
        return [["channel": name, "pushState": .object(state)], ["channel": "all", "pushState": .object(state)]]
    }

    private func day(_ date: Date) -> String { VendorClock.parts(date, settings.clockOffset).prefix(3).joined() }

    /// The days from `startDate` to `endDate`, without dashes.
    private func days(
        _ fields: Fields, _ form: String, within span: Int, _ now: Date
    ) throws(Refusal) -> [String] {
        var ends: [Date] = []
        for name in ["startDate", "endDate"] {
            let text = try fields.needText(name)
            guard text.utf8.count == form.utf8.count,
                let date = VendorClock.date(
                    (form.contains("-") ? text : dashed(text)) + " 00:00:00", settings.clockOffset)
            else { throw .badDate }
            ends.append(date)
        }
        guard ends[0] <= ends[1], now.timeIntervalSince(ends[0]) <= Double(span + 1) * 86_400 else { throw .badDate }
        var days: [String] = []
        var date = ends[0]
        while date <= ends[1], days.count <= 100 {
            days.append(day(date))
            date = date.addingTimeInterval(86_400)
        }
        return days
    }

    /// `20261120` with dashes.
    private func dashed(_ text: String) -> String {
        text.utf8.count == 8 ? "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))" : text
    }
}
