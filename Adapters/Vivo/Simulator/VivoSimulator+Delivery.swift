public import FoundationEssentials
import PushAdapter
import PushSimulation

/// The way of a message to phones. Only here do totals count.
extension VivoSimulator {
    /// The device of a name in an app.
    func device(_ target: Target, _ app: Int) -> String? {
        guard target.isAlias else { return records[target.name]?.owner == app ? target.name : nil }
        return records.first { $0.value.owner == app && $0.value.alias == target.name }?.key
    }

    /// Why a target is refused; nil for one that is not.
    func status(
        of target: Target, _ message: VivoMessage, _ app: VivoApp, _ now: Date
    ) -> TargetStatus? {
        guard let device = device(target, app.appID), let record = records[device] else { return .unknown }
        guard !record.isGone, !record.isPushOff else { return .off }
        guard !isInactive(device, now) else { return .inactive }
        return message.isTest && !app.testDevices.contains(device) ? .noTestDevice : nil
    }

    func start(_ push: Push, to audience: Audience, at now: Date) {
        let devices = Set(found(audience, push.app)).sorted().filter { mayGet(push, $0) }
        pushes[push.task, default: push].sent += devices.count
        for device in devices { deliver(push, to: device, now) }
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
            records[device]?.reasons[entry.messageID] = .expired
        }
    }

    // MARK: Steps

    private func found(_ audience: Audience, _ app: Int) -> [String] {
        switch audience {
        case .one(let target): [device(target, app)].compactMap { $0 }
        case .several(let targets): targets.compactMap { device($0, app) }
        case .tags(let expression): all(app).filter { expression.matches(devices[$0]?.tags ?? []) }
        case .everyone: all(app)
        }
    }

    private func all(_ app: Int) -> [String] { Array(records.filter { $0.value.owner == app }.keys) }

    private func mayGet(_ push: Push, _ device: String) -> Bool {
        !push.message.isTest || apps[push.app]?.testDevices.contains(device) == true
    }

    private func isInactive(_ device: String, _ now: Date) -> Bool {
        guard let state = devices[device], !state.device.isOnline, let last = state.lastOnlineAt else { return false }
        return now.timeIntervalSince(last) > settings.inactiveDays * 86_400
    }

    private func deliver(_ push: Push, to device: String, _ now: Date) {
        guard let record = records[device], let state = devices[device] else { return }
        if record.isGone || record.isPushOff {
            records[device]?.reasons[push.task] = record.isGone ? .unknown : .notSubscribed
        } else if isInactive(device, now) {
            records[device]?.reasons[push.task] = .inactive
        } else if state.device.isOnline {
            arrive(push, at: device, now)
        } else if !push.message.isOnlineOnly {
            devices[device]?.waiting.append(WaitingMessage(push.task, until: push.end))
            firstExpiry = min(firstExpiry, push.end)
        }
    }

    /// Shows a message on a phone, unless its class hides it.
    private func arrive(_ push: Push, at device: String, _ now: Date) {
        if let reason = reason(against: push, device, now) {
            records[device]?.reasons[push.task] = reason
            return
        }
        count(push, device, now)
        var content = push.message.content(push.task)
        if push.message.addsBadge {
            devices[device]?.badge += 1
            content.badge = devices[device]?.badge
        }
        devices[device]?.inbox.receive(content)
        guard let order = push.receipts else { return }
        receipts.add(order.url, at: now) {
            $0[push.task] = ["param": .string(order.parameter), "targets": .string(device)]
        }
    }

    /// The app's total; for operational messages that are no tests also the hour, the text of the day, and the device's
    /// limit.
    private func reason(against push: Push, _ device: String, _ now: Date) -> NoShow? {
        guard let app = apps[push.app] else { return nil }
        guard left(push.quota, app, now) > 0 else { return .volume }
        guard push.quota == .operational else { return nil }
        guard !isNight(now) else { return .atNight }
        guard counts.count(of: Self.text(push, device), now) == 0 else { return .sameText }
        return counts.count(of: Self.operational(device), now) < app.operationalPerDevice ? nil : .deviceLimit
    }

    private func count(_ push: Push, _ device: String, _ now: Date) {
        counts.add(push.quota.used(push.app), now)
        guard push.quota == .operational else { return }
        counts.add(Self.text(push, device), now)
        counts.add(Self.operational(device), now)
    }

    private static func operational(_ device: String) -> String { "\(device) operational" }
    private static func text(_ push: Push, _ device: String) -> String {
        "\(device) text \(push.message.title)\n\(push.message.content)"
    }
}
