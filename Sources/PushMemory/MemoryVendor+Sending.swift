import FoundationEssentials
import PushAdapter
import PushSimulation

extension MemoryVendor {
    func send(_ body: [UInt8], delivers: Bool) throws -> MemoryWire.Receipt {
        try send(try JSONDecoder().decode(MemoryWire.Send.self, from: Data(body)), delivers: delivers)
    }

    func send(_ push: MemoryWire.Send, delivers: Bool) throws -> MemoryWire.Receipt {
        if let key = push.key {
            guard let used = keys[key] ?? (takesCallerKeys ? .some(nil) : nil) else { throw MemoryRefusal(.unknownKey) }
            if let receipt = used, keyGrade == .vendor { return receipt }
        }
        guard push.message.timeToLive ?? .zero <= MemoryLimits.longestTimeToLive else {
            throw MemoryRefusal(.malformed)
        }
        let skipped = push.audience.targets?.map(\.text).filter { text in
            if case .devices = push.audience { devices[text] == nil } else { false }
        }
        let targets = devices.keys.filter { isMember($0, push.audience) && reaches($0, push.message) }.sorted()
        guard !targets.isEmpty else { throw MemoryRefusal(.nobody) }
        guard delivers else { return MemoryWire.Receipt(skipped: skipped ?? []) }
        let id = String(1000 + received.count)
        let knowsTargets = keyGrade == .target || keyGrade == .device
        let reached = knowsTargets ? push.key.flatMap { self.reached[$0] } ?? [] : []
        for target in targets where !reached.contains(target) {
            let message = delivered(push.message, id, to: target)
            devices[target]?.inbox.append(message)
            connected[target]?.phone?.receive(message)
        }
        // A device without a phone has received everything that was sent to it.
        let counted = keyGrade == .target ? targets.filter { !reached.contains($0) } : targets
        received[id] = counted.count { connected[$0]?.hasPhone != true }
        let receipt = MemoryWire.Receipt(id: id, skipped: skipped ?? [])
        if let key = push.key {
            keys[key] = receipt
            self.reached[key, default: []].formUnion(targets)
        }
        return receipt
    }

    func isMember(_ id: String, _ audience: Audience) -> Bool {
        guard let device = devices[id] else { return false }
        func has(_ tag: Tag) -> Bool { device.tags.contains(tag.rawValue) }
        return switch audience {
        case .everyone: true
        case .devices(let ids): ids.contains { $0.rawValue == id }
        case .aliases(let aliases): aliases.contains { $0.rawValue == device.alias }
        case .accounts(let accounts): !device.accounts.isDisjoint(with: accounts)
        case .tagged(let anyOf, let allOf, let noneOf):
            (anyOf.isEmpty || anyOf.contains(where: has)) && allOf.allSatisfy(has) && !noneOf.contains(where: has)
        case .liveActivity(let name): device.activities.contains(name) || groups[name]?.contains(id) ?? false
        case .segment(let name), .file(let name): groups[name]?.contains(id) ?? false
        }
    }

    func reaches(_ id: String, _ message: Message) -> Bool {
        guard let wanted = message.platforms, let platform = platforms[id] else { return true }
        return wanted.contains(platform)
    }

    func delivered(_ message: Message, _ id: String, to device: String) -> DeliveredMessage {
        let isIOS = platforms[device] == .ios
        let own = message.notification
        let badge = isIOS ? own?.ios?.badge : own?.android?.badge
        switch badge {
        case .set(let number): badges[device] = number
        case .change(let number): badges[device, default: 0] += number
        case nil: break
        }
        var delivered = DeliveredMessage(
            messageID: id, alert: own?.body(on: isIOS ? .ios : .android)?.shown,
            title: own?.title(on: isIOS ? .ios : .android)?.shown, custom: message.custom,
            badge: badge.map { _ in badges[device, default: 0] },
            extras: (isIOS ? own?.ios?.extras : own?.android?.extras) ?? own?.extras ?? [:])
        delivered.subtitle = isIOS ? own?.ios?.subtitle?.shown : nil
        delivered.sound = isIOS ? own?.ios?.sound : own?.android?.sound
        delivered.category = isIOS ? own?.ios?.category : own?.android?.category
        delivered.thread = isIOS ? own?.ios?.threadID : nil
        delivered.channel = isIOS ? nil : own?.android?.channelID
        delivered.collapseID = isIOS ? own?.ios?.collapseID : own?.android?.collapseID
        delivered.image = (isIOS ? own?.ios?.image : own?.android?.image) ?? own?.image
        if isIOS, let ios = own?.ios {
            delivered.interruptionLevel = ios.interruptionLevel?.rawValue
            (delivered.isMutable, delivered.wakesApp) = (ios.isMutable, ios.isContentAvailable)
        }
        delivered.tap = isIOS ? nil : own?.android?.tap
        return delivered
    }
}

extension Text {
    /// The text that a phone shows: without an app's table of texts, the key in place of its text.
    fileprivate var shown: String {
        switch self {
        case .plain(let text): text
        case .localized(let key, _): key
        }
    }
}
