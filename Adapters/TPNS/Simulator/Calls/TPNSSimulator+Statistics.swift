import FoundationEssentials
import PushAdapter
import PushSimulation

extension TPNSSimulator {
    /// All counts come from deliveries in this simulator, and from the reports of connected phones.
    func statistics(
        _ kind: Call.Statistics, _ fields: Fields, _ app: inout AppState, _ now: Date
    ) throws(Refusal) -> Answer {
        let query = try StatisticsQuery(kind, fields, settings.clockOffset, now)
        guard app.statistics.take(settings.statisticsPerHour, now) else { throw .tooFast }
        switch query {
        case .record(let id):
            let push = try found(id, app, now, days: 31)
            // In the vendor's sample of a single push, the id is a number.
            return Answer(fields: ["pushRecordData": [record(id, push, idIsNumber: true)]])
        case .records(let days, let filter): return records(days, filter, app)
        case .push(let id):
            return Answer(fields: ["pushStatDataAll": channels([try found(id, app, now, days: 30)], app)])
        case .plan(let plan, let days):
            let pushes = app.pushes.values.filter { group(of: $0) == plan && days.contains(day($0.date)) }
            return Answer(fields: ["pushStatDataAll": channels(pushes, app)])
        case .days(let days):
            let rows = days.map { day -> JSONValue in
                let pushes = app.pushes.values.filter { self.day($0.date) == day }
                return ["date": .string(day), "channelDatas": channels(Array(pushes), app)]
            }
            return Answer(fields: ["pushDateChannelStat": .array(rows)])
        case .devices(let days):
            let count = JSONValue(app.devices.count)
            let online = JSONValue(app.devices.values.count { $0.device.isOnline })
            let rows = days.map { day -> JSONValue in
                ["date": JSONValue(Int(day) ?? 0), "accuUv": count, "newUv": 0, "activeUv": online]
            }
            return Answer(fields: ["getDeviceStatOverviewData": .array(rows)])
        case .distribution(let type):
            // Virtual devices have no city, version, brand or model.
            let row: JSONValue = [type: "unknown", "count": JSONValue(app.devices.count)]
            return Answer(fields: ["data": app.devices.isEmpty ? [] : [row]])
        case .pushesOfDevice(let token): return try pushesToday(token, app, now)
        }
    }

    // MARK: Records

    private func records(_ days: [String], _ filter: StatisticsQuery.Filter, _ app: AppState) -> Answer {
        let all = app.pushOrder.filter { id in
            guard let push = app.pushes[id], days.contains(day(push.date)) else { return false }
            return (filter.message == nil || (filter.message == "notify") == push.object.isNotification)
                && (filter.audience == nil || kind(of: push).hasPrefix(filter.audience ?? ""))
        }
        let page = all.dropFirst(filter.offset).prefix(filter.limit).compactMap { id in
            app.pushes[id].map { record(id, $0, idIsNumber: false) }
        }
        return Answer(fields: ["count": JSONValue(all.count), "pushRecordData": .array(page)])
    }

    /// The kind of audience in a record. There, single targets are lists of one.
    private func kind(of push: PushState) -> String {
        ["token": "token_list", "account": "account_list"][push.object.audience, default: push.object.audience]
    }

    private func group(of push: PushState) -> String { push.object.plan ?? "tpns_\(day(push.date))" }

    private func record(_ id: String, _ push: PushState, idIsNumber: Bool) -> JSONValue {
        let object = push.object
        let targets = object.tokens + object.accounts
        return [
            "pushId": idIsNumber ? Int(id).map { JSONValue($0) } ?? .string(id) : .string(id),
            "date": .string(WallTime(ahead: settings.clockOffset).text(push.date)),
            "title": .string(object.title ?? ""), "content": .string(object.content ?? ""),
            "status": .string(push.status), "pushType": .string(kind(of: push)),
            "messageType": .string(object.isNotification ? "notify" : "message"),
            "environment": .string(object.environment ?? ""), "expireTime": JSONValue(object.life),
            "xgMediaResources": .string(object.media ?? ""), "multiPkg": .bool(object.isMultiPackage),
            "targetList": targets.isEmpty ? .null : .array(targets.map(JSONValue.string)),
            "collapseID": JSONValue(push.collapseNumber), "tagSet": tagSet(object),
            "uploadId": JSONValue(object.package ?? 0), "groupId": .string(group(of: push)),
            "pushConfig": .null, "source": "api",
        ]
    }

    private func tagSet(_ object: PushObject) -> JSONValue {
        guard let item = object.tagRules.first?.items.first else { return .null }
        let tags = item.tags.map { tag -> JSONValue in
            ["tagTypeName": .string(item.type), "tagValue": .string(tag)]
        }
        return ["op": item.needsAll ? "AND" : "OR", "tagWithType": .array(tags)]
    }

    /// A push that is at most this many days old.
    private func found(_ id: String, _ app: AppState, _ now: Date, days: Double) throws(Refusal) -> PushState {
        guard let push = app.pushes[id], now.timeIntervalSince(push.date) <= days * 86_400 else { throw .unknownPush }
        return push
    }

    private func pushesToday(_ token: String, _ app: AppState, _ now: Date) throws(Refusal) -> Answer {
        guard app.devices[token] != nil else { throw .badToken }
        let rows = app.pushOrder.compactMap { id -> JSONValue? in
            guard let push = app.pushes[id], push.targets?.contains(token) == true, day(push.date) == day(now) else {
                return nil
            }
            let kind = push.object.audience.uppercased()
            return [
                "pushId": JSONValue(Int(id) ?? 0),
                "pushTime": JSONValue(Int(push.date.timeIntervalSince1970)),
                "pushTargetType": .string(kind.hasSuffix("_PUSH") ? kind : kind + "_PUSH"),
            ]
        }
        return Answer(fields: ["pushTaskList": .array(rows)])
    }

    // MARK: Counts

    /// One channel for the platform, and the sum of all channels.
    private func channels(_ pushes: [PushState], _ app: AppState) -> JSONValue {
        func sum(_ count: (PushState) -> Int) -> JSONValue {
            JSONValue(pushes.reduce(0) { $0 + count($1) })
        }
        let arrived = sum { $0.arrived.count }
        var state: [String: JSONValue] = [
            "pushActiveUv": sum { $0.targets?.count ?? 0 }, "pushOnlineUv": sum { $0.sent.count },
            "verifySvcUv": arrived, "clickUv": sum { $0.clicked.count },
        ]
        if !app.isIOS {
            for name in ["arrivalUv", "callbackVerifySvcUv"] { state[name] = arrived }
            state["cleanupUv"] = sum { $0.cleaned.count }
        }
        let name: JSONValue = app.isIOS ? "apns" : "xg"
        return [["channel": name, "pushState": .object(state)], ["channel": "all", "pushState": .object(state)]]
    }

    private func day(_ date: Date) -> String { WallTime(ahead: settings.clockOffset).day(of: date) }
}

/// A statistics call with checked fields.
private enum StatisticsQuery {
    struct Filter {
        var message: String?
        var audience: String?
        var offset: Int
        var limit: Int
    }

    case record(String)
    case records([String], Filter)
    case push(String)
    case plan(String, [String])
    case days([String])
    case devices([String])
    case distribution(String)
    case pushesOfDevice(String)

    init(_ kind: Call.Statistics, _ fields: Fields, _ offset: Int, _ now: Date) throws(Refusal) {
        func days(_ within: Int, hasDashes: Bool = false) throws(Refusal) -> [String] {
            try Self.days(fields, hasDashes: hasDashes, within: within, offset, now)
        }
        switch kind {
        case .records where fields["pushId"] != nil: self = .record(try fields.needText("pushId"))
        case .records: self = .records(try days(31, hasDashes: true), try Self.filter(fields))
        case .push: self = .push(try fields.needText("pushId"))
        case .plan:
            // Without a planId, the older groupId counts. Samples write groupid: keys are case-insensitive.
            let plan = try fields.text("planId")
            let group = try plan == nil ? fields.needText("groupId") : plan ?? ""
            self = .plan(group, try days(7))
        case .days: self = .days(try days(30))
        case .devices: self = .devices(try days(92))
        case .distribution:
            let type = try fields.needText("type")
            let date = try fields.needText("date")
            guard Rules.distributions.contains(type) else { throw .invalid("type") }
            guard let day = Self.date(date, hasDashes: false, offset), Self.isWithin(31, day, now) else {
                throw .badDate
            }
            self = .distribution(type)
        case .pushesOfDevice: self = .pushesOfDevice(try fields.needText("token"))
        }
    }

    private static func filter(_ fields: Fields) throws(Refusal) -> Filter {
        let filter = Filter(
            message: try fields.text("msgType"), audience: try fields.text("pushType"),
            offset: try fields.number("offset") ?? 0,
            limit: try fields.number("limit") ?? Rules.recordLimit.upperBound)
        guard filter.offset >= 0, Rules.recordLimit.contains(filter.limit) else { throw .invalid("limit") }
        guard ["notify", "message", nil].contains(filter.message) else { throw .invalid("msgType") }
        guard ["all", "tag", "token", "account", nil].contains(filter.audience) else { throw .invalid("pushType") }
        return filter
    }

    /// The days from `startDate` to `endDate`, without dashes.
    private static func days(
        _ fields: Fields, hasDashes: Bool, within span: Int, _ offset: Int, _ now: Date
    ) throws(Refusal) -> [String] {
        let texts = (try fields.needText("startDate"), try fields.needText("endDate"))
        guard let start = date(texts.0, hasDashes: hasDashes, offset),
            let end = date(texts.1, hasDashes: hasDashes, offset), start <= end, isWithin(span, start, now),
            end.timeIntervalSince(start) <= Double(span) * 86_400
        else { throw .badDate }
        return stride(from: start, through: end, by: 86_400).map { date in
            WallTime(ahead: offset).day(of: date)
        }
    }

    private static func isWithin(_ days: Int, _ date: Date, _ now: Date) -> Bool {
        now.timeIntervalSince(date) <= Double(days + 1) * 86_400
    }

    private static func date(_ text: String, hasDashes: Bool, _ offset: Int) -> Date? {
        guard text.utf8.count == (hasDashes ? 10 : 8) else { return nil }
        let dashed = hasDashes ? text : "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
        return WallTime(ahead: offset).date(dashed + " 00:00:00")
    }
}
