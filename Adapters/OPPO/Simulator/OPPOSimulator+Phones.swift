public import FoundationEssentials
import PushAdapter
public import PushSimulation

/// The way of a message to phones.
extension OPPOSimulator: DeviceSimulator {
    /// Drops messages that waited too long.
    public func settle(at now: Date) { devices.dropExpired(until: now, next: &firstExpiry) }

    /// Adds or replaces an installation. A new one joins the first app by key.
    public func install(_ device: VirtualDevice) {
        guard let owner = records[device.id]?.owner ?? apps.keys.min() else { return }
        devices[device.id] = SimulatedDevice(device)
        records[device.id] = DeviceRecord(owner: owner)
    }

    /// Delivers the messages that waited for a phone.
    public func deliverWaiting(to device: String, at now: Date) {
        for entry in takeWaiting(of: device) {
            if let push = pushes[entry.messageID] { arrive(push, at: device, now) }
        }
    }

    /// The targets per second and the day's marketing messages of each app.
    public func quotas(at now: Date) -> [QuotaReading] {
        apps.sorted { $0.key < $1.key }.flatMap { key, app in
            let rate = rates[key] ?? RateWindow(seconds: 1)
            return [
                rate.reading("targets per second, \(key)", app.rate, now),
                counts.reading("marketing messages per day, \(key)", app.marketing, of: key, now),
            ]
        }
    }

    // MARK: Steps

    func start(_ push: Push, to targets: [String], at now: Date) {
        for device in targets { deliver(push, to: device, now) }
    }

    private func deliver(_ push: Push, to device: String, _ now: Date) {
        guard let record = records[device], let isOnline = devices[device]?.device.isOnline else { return }
        if push.lane.isMarketing, !settings.countsDeliveries { counts.add(push.app.key, now) }
        let seen = isOnline ? now : devices[device]?.lastOnlineAt ?? now
        if record.isGone || now.timeIntervalSince(seen) > settings.offlineDays * 86_400 {
            receipts.add(.invalid, of: push, on: device, now)
        } else if isOnline {
            arrive(push, at: device, now)
        } else if let life = push.message.life {
            let end = now.addingTimeInterval(life)
            pushes[push.taskID] = push
            devices[device]?.waiting.append(WaitingMessage(push.taskID, until: end))
            firstExpiry = min(firstExpiry, end)
        }
    }

    /// Shows a message on a phone, unless the phone has had its share of marketing, or the message is hidden.
    private func arrive(_ push: Push, at device: String, _ now: Date) {
        if push.lane.isMarketing {
            guard counts.count(of: device, now) < push.app.marketingPerDevice else {
                return receipts.add(.dailyLimit, of: push, on: device, now)
            }
            counts.add(device, now)
            if settings.countsDeliveries { counts.add(push.app.key, now) }
        }
        receipts.add(.arrived, of: push, on: device, now)
        guard !push.lane.isHidden, push.message.end ?? now >= now else { return }
        devices[device]?.inbox.receive(push.message.delivered(as: push.messageID, push.lane.texts))
    }
}

extension OPPOSimulator: ReceiptSimulator {
    public func takeCallbacks(_ most: Int, at now: Date) async -> [OutgoingCallback] {
        settle(at: now)
        return receipts.take(most, at: now) { JSONWriter.bytes(of: .array($0.list.map(\.json))) }
    }

    /// Nothing: the documents promise no repetition.
    public func noteAnswer(_ answer: SimulatedResponse?, to callback: OutgoingCallback, at now: Date) async {}

    public func nextCallback() async -> Date? { receipts.next }
}
