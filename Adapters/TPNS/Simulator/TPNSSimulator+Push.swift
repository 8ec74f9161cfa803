import FoundationEssentials
import PushCore
import PushSimulation

extension TPNSSimulator {
    func push(_ fields: Fields, _ app: inout AppState, _ id: UInt32, _ now: Date) throws(Refusal) -> Answer {
        let object = try PushObject(fields, isIOS: app.isIOS)
        var answer = Answer(fields: ["result": "{}"])
        if let environment = object.environment { answer.fields["environment"] = .string(environment) }
        let bad = object.tokens.filter { app.devices[$0] == nil }
        if !bad.isEmpty, !object.ignoresBadTokens { throw object.audience == "token" ? .notAToken : .badToken }
        if object.ignoresBadTokens, !bad.isEmpty {
            answer.fields["invalid_targe_list"] = .array(bad.map(JSONValue.string))
        }
        if let collapse = object.collapse {
            guard let old = app.pushes.first(where: { $0.value.collapseNumber == collapse })?.key else {
                throw .invalid("collapse_id")
            }
            app.pushes[old]?.status = "PUSH_COLLAPSED"
            for device in app.devices.keys { app.devices[device]?.waiting.removeAll { $0.push == old } }
        }
        if let package = object.package, app.packages[package] == nil { throw .invalid("upload_id") }
        if let plan = object.plan, app.plans[plan] == nil { throw .invalid("plan_id") }
        let dates = try dates(of: object, now)
        if object.isBroad {
            guard broad[id, default: RateWindow(seconds: 1)].take(settings.broadPushesPerSecond, now) else {
                throw .tooFast
            }
        }
        if object.audience == "all" || (object.audience == "tag" && settings.refusesRepeatedTagPushes) {
            if let last = app.recent[object.digest], now.timeIntervalSince(last) < Rules.repetition { throw .repeated }
            app.recent[object.digest] = now
        }
        if !object.accounts.isEmpty, targets(of: object, app).isEmpty { throw .noTarget }
        var ids: [String] = []
        for date in dates {
            let push = newPush()
            ids.append(push)
            app.pushOrder.append(push)
            app.pushes[push] = PushState(
                object: object, status: "PUSH_WAIT", date: date, collapseNumber: 4_700_000 + app.pushOrder.count)
            if date <= now { send(push, &app, now) }
        }
        answer.fields["push_id"] = object.loop == nil ? .string(ids[0]) : .array(ids.map(JSONValue.string))
        return answer
    }

    // MARK: Times

    /// When it is sent: at once, or at the moments of its options.
    private func dates(of object: PushObject, _ now: Date) throws(Refusal) -> [Date] {
        if let loop = object.loop {
            let dates = try dates(of: loop).filter { $0 > now }
            guard !dates.isEmpty, dates.allSatisfy({ $0.timeIntervalSince(now) <= Rules.horizon }) else {
                throw .invalid("loop_param")
            }
            return dates
        }
        guard let text = object.sendTime else { return [now] }
        guard let date = VendorClock.date(text, settings.clockOffset) else { throw .invalid("send_time") }
        guard now.timeIntervalSince(date) <= Rules.lateness else { throw .late }
        guard date.timeIntervalSince(now) <= Rules.horizon else { throw .invalid("send_time") }
        return [max(date, now)]
    }

    private func dates(of loop: PushObject.Loop) throws(Refusal) -> [Date] {
        let offset = settings.clockOffset
        guard let start = VendorClock.date("\(loop.start) 00:00:00", offset),
            let end = VendorClock.date("\(loop.end) 23:59:59", offset), start <= end, !loop.days.isEmpty
        else { throw .invalid("loop_param") }
        let rhythm: Recurrence.Rhythm
        switch loop.type {
        case 1: rhythm = .daily
        // Sunday is 0 here and 7 in the calendar.
        case 2 where loop.days.allSatisfy((0...6).contains):
            rhythm = .weekly(Set(loop.days.compactMap { Weekday(rawValue: $0 == 0 ? 7 : $0) }))
        case 3 where loop.days.allSatisfy((1...31).contains): rhythm = .monthly(Set(loop.days))
        default: throw .invalid("loop_param")
        }
        var dates: [Date] = []
        for text in loop.times {
            guard let time = VendorClock.time(text) else { throw .invalid("loop_param") }
            dates += Recurrence(from: start, to: end, at: time, rhythm).moments(
                after: start.addingTimeInterval(-1), through: end, offset: .seconds(offset * 3600))
        }
        return dates.sorted()
    }

    // MARK: Sending

    /// Sends what has come due.
    func sendDue(of id: UInt32, _ now: Date) {
        guard var app = apps[id] else { return }
        for push in app.pushOrder where app.pushes[push]?.status == "PUSH_WAIT" {
            guard let date = app.pushes[push]?.date, date <= now else { continue }
            send(push, &app, date)
        }
        apps[id] = app
    }

    private func send(_ push: String, _ app: inout AppState, _ now: Date) {
        guard let object = app.pushes[push]?.object else { return }
        let targets = targets(of: object, app)
        app.pushes[push]?.targets = targets
        app.pushes[push]?.status = "PUSH_FINISHED"
        for target in targets {
            guard let device = app.devices[target]?.device else { continue }
            if device.isOnline {
                deliver(push, to: target, &app)
            } else if object.life > 0 {
                app.devices[target]?.waiting.append((push, now.addingTimeInterval(Double(object.life))))
            }
        }
    }

    func deliverWaiting(to device: String, of id: UInt32, _ now: Date) {
        guard var app = apps[id] else { return }
        let waiting = app.devices[device]?.waiting ?? []
        app.devices[device]?.waiting = []
        for (push, until) in waiting where until >= now { deliver(push, to: device, &app) }
        apps[id] = app
    }

    private func deliver(_ push: String, to device: String, _ app: inout AppState) {
        guard let object = app.pushes[push]?.object else { return }
        var badge: Int?
        switch object.badge {
        case .some(-2):
            app.devices[device]?.badge += 1
            badge = app.devices[device]?.badge
        case .some(let number) where number >= 0:
            app.devices[device]?.badge = number
            badge = number
        default: break
        }
        var delivered = DeliveredMessage(messageID: push, badge: badge, extras: object.data)
        if object.isNotification {
            delivered.alert = object.content
            delivered.title = object.title
        } else if app.isIOS {
            // A silent push has one payload; the app takes the content out of it.
            delivered.custom = delivered.extras.removeValue(forKey: settings.silentContentKey)?.stringValue
        } else {
            delivered.custom = object.content
            delivered.title = object.title
        }
        app.devices[device]?.inbox.append(delivered)
        app.pushes[push]?.arrived.insert(device)
    }

    // MARK: Targets

    private func targets(of object: PushObject, _ app: AppState) -> [String] {
        let all = app.devices.keys.sorted()
        let found: [String] =
            switch object.audience {
            case "all": all
            case "tag": all.filter { matches($0, object.tagRules, app) }
            case "token", "token_list": object.tokens.filter { app.devices[$0] != nil }
            case "package_token_push":
                (object.package.flatMap { app.packages[$0] } ?? []).filter { app.devices[$0] != nil }
            default:
                holders(
                    of: object.package.flatMap { app.packages[$0] } ?? object.accounts, object, app)
            }
        guard let environment = object.environment else { return found }
        // A token of the other environment is accepted and reached by nobody.
        return found.filter { id in
            app.devices[id]?.device.environment == (environment == "product" ? .production : .development)
        }
    }

    /// The device that was bound last, or all of them; each once.
    private func holders(of accounts: [String], _ object: PushObject, _ app: AppState) -> [String] {
        var found: [String] = []
        for account in accounts {
            let holders = app.holders(of: account, object.accountType)
            for device in object.toAllDevices ? holders : Array(holders.suffix(1)) where !found.contains(device) {
                found.append(device)
            }
        }
        return found
    }

    private func matches(_ device: String, _ rules: [PushObject.Rule], _ app: AppState) -> Bool {
        Self.join(
            rules.map { rule in
                let isMatch = Self.join(rule.items.map { (matches(device, $0, app), $0.isAnd) })
                return (isMatch != rule.isNot, rule.isAnd)
            })
    }

    private func matches(_ device: String, _ item: PushObject.Item, _ app: AppState) -> Bool {
        let values =
            item.type == "xg_user_define"
            ? app.devices[device]?.tags ?? [] : settings.presetTags[device]?[item.type] ?? []
        let isMatch = item.needsAll ? values.isSuperset(of: item.tags) : !values.isDisjoint(with: item.tags)
        return isMatch != item.isNot
    }

    /// Joins each with the one before; AND binds tighter than OR.
    private static func join(_ parts: [(value: Bool, isAnd: Bool)]) -> Bool {
        var groups: [Bool] = []
        for (index, part) in parts.enumerated() {
            if index > 0, part.isAnd, let last = groups.last {
                groups[groups.count - 1] = last && part.value
            } else {
                groups.append(part.value)
            }
        }
        return groups.contains(true)
    }
}

/// The vendor's wall time, so many hours ahead of UTC.
enum VendorClock {
    /// `2026-12-01 09:30:00`; nil for what is no moment.
    static func date(_ text: String, _ offset: Int) -> Date? {
        let numbers = text.split(omittingEmptySubsequences: false, whereSeparator: { "-: ".contains($0) }).map {
            Int($0)
        }
        guard text.utf8.count == 19, numbers.count == 6, !numbers.contains(nil) else { return nil }
        let parts = numbers.compactMap { $0 }
        guard (1...12).contains(parts[1]), (1...31).contains(parts[2]),
            TimeOfDay(hour: parts[3], minute: parts[4], second: parts[5]).isValid
        else { return nil }
        let components = DateComponents(
            year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5])
        return calendar(offset).date(from: components)
    }

    static func time(_ text: String) -> TimeOfDay? {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        guard text.utf8.count == 8, parts.count == 3 else { return nil }
        let time = TimeOfDay(hour: parts[0], minute: parts[1], second: parts[2])
        return time.isValid ? time : nil
    }

    /// Year, month, day, hour, minute and second as texts with all their zeros.
    static func parts(_ date: Date, _ offset: Int) -> [String] {
        let parts = calendar(offset).dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        return [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].map { number in
            let text = String(number ?? 0)
            return text.count < 2 ? "0" + text : text
        }
    }

    private static func calendar(_ offset: Int) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: offset * 3600) ?? .gmt
        return calendar
    }
}
