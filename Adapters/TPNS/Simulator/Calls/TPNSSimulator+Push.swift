import FoundationEssentials
import PushAdapter
import PushSimulation

extension TPNSSimulator {
    func push(_ fields: Fields, _ app: inout AppState, _ id: UInt32, _ now: Date) throws(Refusal) -> Answer {
        let object = try PushObject(fields, isIOS: app.isIOS, settings)
        if let package = object.package, app.packages[package] == nil { throw .invalid("upload_id") }
        if let collapse = object.collapse, object.takesTimes, replaced(collapse, app) == nil {
            throw .invalid("collapse_id")
        }
        let dates = try dates(of: object, now)
        if object.isBroad {
            guard broad[id, default: RateWindow(seconds: 1)].take(settings.broadPushesPerSecond, now) else {
                throw .tooFast
            }
        }
        var answer = Answer(fields: ["result": "{}"])
        if let environment = object.environment { answer.fields["environment"] = .string(environment) }
        let bad = object.tokens.filter { app.devices[$0] == nil }
        if !bad.isEmpty {
            guard object.ignoresBadTokens else { throw object.audience == "token" ? .notAToken : .badToken }
            answer.fields["invalid_targe_list"] = .array(bad.map(JSONValue.string))
        }
        if object.audience == "all" || (object.audience == "tag" && settings.refusesRepeatedTagPushes) {
            app.recent = app.recent.filter { now.timeIntervalSince($0.value) < Rules.repetition }
            guard app.recent[object.digest] == nil else { throw .repeated }
            app.recent[object.digest] = now
        }
        if !object.accounts.isEmpty, named(by: object, app).isEmpty { throw .noTarget }
        var ids: [String] = []
        for date in dates {
            let push = newPush()
            ids.append(push)
            app.pushOrder.append(push)
            app.pushes[push] = PushState(object: object, status: "PUSH_WAIT", date: date, collapseNumber: newNumber())
            if date <= now { send(push, &app, now) } else { app.unsent.append(push) }
        }
        answer.fields["push_id"] = object.loop == nil ? .string(ids[0]) : .array(ids.map(JSONValue.string))
        return answer
    }

    /// The push with this collapse number. Later pushes may name it.
    private func replaced(_ number: Int, _ app: AppState) -> String? {
        app.pushes.first { $0.value.collapseNumber == number }?.key
    }

    // MARK: Times

    /// When the push is sent: at once, or at the times of its options.
    private func dates(of object: PushObject, _ now: Date) throws(Refusal) -> [Date] {
        if let loop = object.loop {
            let dates = try dates(of: loop, now).filter { $0 > now }
            guard !dates.isEmpty, dates.count <= Rules.loopMoments else { throw .invalid("loop_param") }
            return dates
        }
        guard let text = object.sendTime else { return [now] }
        guard let date = WallTime(ahead: settings.clockOffset).date(text) else { throw .invalid("send_time") }
        guard settings.sendsLatePushesAtOnce || now.timeIntervalSince(date) <= Rules.lateness else { throw .late }
        guard date.timeIntervalSince(now) <= Rules.horizon else { throw .invalid("send_time") }
        return [max(date, now)]
    }

    private func dates(of loop: PushObject.Loop, _ now: Date) throws(Refusal) -> [Date] {
        let offset = settings.clockOffset
        let clock = WallTime(ahead: offset)
        guard let start = clock.date("\(loop.start) 00:00:00"),
            let end = clock.date("\(loop.end) 23:59:59"), start <= end, !loop.days.isEmpty,
            now.timeIntervalSince(start) <= 86_400, end.timeIntervalSince(now) <= Rules.horizon + 86_400
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
        guard loop.times.count <= Rules.loopMoments else { throw .invalid("loop_param") }
        var dates: Set<Date> = []
        for text in loop.times {
            guard let time = WallTime.time(text) else { throw .invalid("loop_param") }
            dates.formUnion(
                Recurrence(from: start, to: end, at: time, rhythm).moments(
                    after: start.addingTimeInterval(-1), through: end, offset: .seconds(offset * 3600)))
        }
        return dates.sorted()
    }

    // MARK: Sending

    func send(_ push: String, _ app: inout AppState, _ now: Date) {
        guard let object = app.pushes[push]?.object else { return }
        if let number = object.collapse, object.takesTimes, let old = replaced(number, app),
            ["PUSH_WAIT", "PUSH_FINISHED"].contains(app.pushes[old]?.status)
        {
            app.end(old, as: "PUSH_COLLAPSED")
            app.pushes[push]?.replaced = old
        }
        let targets = targets(of: object, app)
        app.pushes[push]?.targets = targets
        app.pushes[push]?.status = "PUSH_FINISHED"
        // Without APNs, a push reaches only connected devices.
        let keeps = object.life > 0 && !(app.isIOS && object.closed.contains("apns"))
        for target in targets {
            guard let device = app.devices[target]?.device else { continue }
            if device.isOnline {
                deliver(push, to: target, &app)
            } else if keeps {
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
        guard let task = app.pushes[push], let state = app.devices[device] else { return }
        let object = task.object
        var badge: Int?
        switch object.badge {
        case .some(-2):
            // Counts up from the app's own number. A push with a fixed badge does not set that number.
            badge = min(state.badge, Rules.largestBadge) + 1
            app.devices[device]?.badge = badge ?? 0
        case .some(let number) where number >= 0: badge = number
        default: break
        }
        var delivered = DeliveredMessage(messageID: push, badge: badge)
        if object.isNotification {
            delivered.extras = object.data
            delivered.alert = object.filled(object.content, object.standardContent, state.attributes)
            delivered.title = object.filled(object.title, object.standardTitle, state.attributes)
            delivered.subtitle = object.subtitle
            delivered.sound = object.sound
            delivered.category = object.category
            delivered.thread = object.thread
            delivered.channel = object.channel
            delivered.image = object.media
            delivered.tap = object.tap
            delivered.collapseID = String((object.takesTimes ? object.collapse : nil) ?? task.collapseNumber)
            delivered.interruptionLevel = object.interruptionLevel
            delivered.isMutable = object.isMutable
        } else if app.isIOS {
            // A silent push has one payload, and the app takes the message from it.
            delivered.custom = settings.customKeys.message(in: object.data)
            delivered.isCustomInPush = true
            delivered.wakesApp = true
        } else {
            delivered.custom = CustomMessage(content: object.content ?? "", title: object.title, extras: object.data)
        }
        receive(delivered, inPlaceOf: task.replaced, on: device, &app)
    }

    /// Without a phone, a push arrives at once, and the push that it replaces stays in the inbox for tests to see.
    private func receive(
        _ message: DeliveredMessage, inPlaceOf old: String?, on device: String, _ app: inout AppState
    ) {
        guard let inbox = app.devices[device]?.inbox else { return }
        if let old, inbox.hasPhone, inbox.has(old) { app.devices[device]?.inbox.withdraw(old) }
        app.devices[device]?.inbox.receive(message)
        app.pushes[message.messageID]?.sent.insert(device)
        if !inbox.hasPhone { app.pushes[message.messageID]?.arrived.insert(device) }
    }

    // MARK: Targets

    /// The targets of a push. It is accepted for a token of the other environment, but does not reach it.
    private func targets(of object: PushObject, _ app: AppState) -> [String] {
        let found = named(by: object, app)
        guard let environment = object.environment else { return found }
        return found.filter { id in
            app.devices[id]?.device.environment == (environment == "product" ? .production : .development)
        }
    }

    /// The devices of the audience, without duplicates.
    private func named(by object: PushObject, _ app: AppState) -> [String] {
        let package = object.package.flatMap { app.packages[$0] }
        switch object.audience {
        case "all": return app.devices.keys.sorted()
        case "tag": return app.devices.keys.sorted().filter { matches($0, object.tagRules, app) }
        case "token", "token_list", "package_token_push":
            return (package ?? object.tokens).withoutRepetitions.filter { app.devices[$0] != nil }
        default: return holders(of: package ?? object.accounts, object, app)
        }
    }

    /// For each account, the device bound last or all of its devices; without duplicates.
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

    /// Joins each value with the previous one. AND binds tighter than OR.
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
