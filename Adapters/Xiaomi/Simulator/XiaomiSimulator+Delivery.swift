public import FoundationEssentials
import PushAdapter
import PushSimulation

/// The way of a message to phones. Only here do quotas count.
extension XiaomiSimulator {
    /// The devices of an audience, each under the name that addresses it.
    func targets(of audience: Audience, in package: String) -> [(device: String, name: String)] {
        func all(as name: String? = nil, _ isWanted: (String) -> Bool) -> [(device: String, name: String)] {
            let found = records.filter { $0.value.owner == package && isWanted($0.key) }
            return found.keys.sorted().map { ($0, name ?? $0) }
        }
        switch audience {
        case .regIDs(let ids): return ids.filter { records[$0]?.owner == package }.map { ($0, $0) }
        case .aliases(let names):
            return names.flatMap { name in all(as: name) { records[$0]?.aliases.contains(name) ?? false } }
        case .accounts(let names):
            return names.map { Account(name: $0) }.flatMap { account in
                all(as: account.name) { devices[$0]?.accounts.contains(account) ?? false }
            }
        case .topics(let topics, let operation):
            return all { Audience.matches(topics, operation, devices[$0]?.tags ?? []) }
        case .everyone: return all { _ in true }
        }
    }

    func start(_ push: Push, at now: Date) {
        pushes[push.id] = push
        let found = targets(of: push.audience, in: push.package)
        let known = Set(found.map(\.name))
        for name in push.audience.names ?? [] where !known.contains(name) { report(push, .invalidTarget, name, now) }
        var reached: Set<String> = []
        for (device, name) in found where reached.insert(device).inserted {
            deliver(push, to: device, as: name, now)
        }
    }

    /// The deliveries of a class today.
    func acked(_ app: XiaomiApp, _ kind: XiaomiChannel.Kind?, _ now: Date) -> Int {
        counts.count(of: Self.counter(app.packageName, kind), now)
    }

    /// Delivers the messages that waited for a phone.
    public func deliverWaiting(to device: String, at now: Date) {
        for entry in takeWaiting(of: device) {
            if let push = pushes[entry.messageID] { arrive(push, at: device, now) }
        }
    }

    /// Drops messages that waited too long.
    func expireWaiting(until now: Date) {
        for (device, entry) in devices.dropExpired(until: now, next: &firstExpiry) {
            if let push = pushes[entry.messageID] { report(push, .expired, name(of: device, in: push), entry.until) }
        }
    }

    /// Writes a receipt if the message asks for its type.
    func report(
        _ push: Push, _ type: ReceiptType, _ name: String, _ now: Date, extra: [String: JSONValue] = [:]
    ) {
        guard let order = push.receipts, order.wants(type) else { return }
        receipts.add(
            Receipt(
                order: order, messageID: push.id, type: type, target: name, jobKey: push.message.jobKey, extra: extra,
                date: now))
    }

    /// The name by which a message addressed a device.
    func name(of device: String, in push: Push) -> String { records[device]?.names[push.id] ?? device }

    // MARK: Steps

    private func deliver(_ push: Push, to device: String, as name: String, _ now: Date) {
        guard let record = records[device], let state = devices[device] else { return }
        if name != device { records[device]?.names[push.id] = name }
        let away = state.device.isOnline ? nil : state.lastOnlineAt
        if record.isGone || away.map({ now.timeIntervalSince($0) > settings.regIDDays * 86_400 }) ?? false {
            report(push, .invalidTarget, name, now)
        } else if record.isPushOff {
            report(push, .pushOff, name, now)
        } else if push.message.leavesOut(record.traits) {
            report(push, .filtered, name, now)
        } else if state.device.isOnline {
            arrive(push, at: device, now)
        } else if !push.message.isOnlineOnly {
            let end = now.addingTimeInterval(push.life)
            devices[device]?.waiting.append(WaitingMessage(push.id, until: end))
            firstExpiry = min(firstExpiry, end)
        }
    }

    /// Shows a message on a phone, unless its class, its channel or its job key hides it.
    private func arrive(_ push: Push, at device: String, _ now: Date) {
        if case .hidden = push.lane { return }
        guard admits(push, device, now) else { return }
        let isRepeat = isRepeat(push, device, now)
        if case .inClass(let kind) = push.lane {
            counts.add(Self.counter(push.package, kind), now)
            if !isRepeat { counts.add(Self.counter(device, kind), now) }
        }
        if !isRepeat {
            if let key = push.message.jobKey { records[device]?.jobKeys[key] = now }
            devices[device]?.inbox.receive(push.message.content(push.id))
            if let badge = push.message.badge { devices[device]?.badge = badge }
        }
        report(push, .delivered, name(of: device, in: push), now)
    }

    /// Whether a class lets a message through to a phone: the user's consent, the phone's cap, the app's quota.
    private func admits(_ push: Push, _ device: String, _ now: Date) -> Bool {
        guard case .inClass(let kind) = push.lane, let app = apps[push.package] else { return true }
        if kind == .subscription, records[device]?.consents.contains(push.message.channel ?? "") != true {
            return false
        }
        if let cap = app.cap(of: kind), counts.count(of: Self.counter(device, kind), now) >= cap { return false }
        guard let (quota, acked) = exceeded(by: push, now) else { return true }
        let extra: [String: JSONValue] = ["ack": .string(String(acked)), "quota": .string(String(quota))]
        report(push, .quotaUsed, name(of: device, in: push), now, extra: extra)
        return false
    }

    private func isRepeat(_ push: Push, _ device: String, _ now: Date) -> Bool {
        guard let key = push.message.jobKey, let date = records[device]?.jobKeys[key] else { return false }
        return now.timeIntervalSince(date) < settings.jobKeyMemory
    }

    static func counter(_ owner: String, _ kind: XiaomiChannel.Kind?) -> String {
        "\(owner) \(kind.map { "\($0)" } ?? "default")"
    }
}
