public import FoundationEssentials
public import PushAdapter
public import PushSimulation

/// The vendor of ``MemoryProvider``: an app with devices and named groups, and nothing to configure.
public actor MemoryVendor: ConnectableSimulator {
    public nonisolated let vendor = MemoryProvider.id.rawValue
    private let key: Secret
    private var devices: [String: DeviceSnapshot] = [:]
    private var platforms: [String: Platform]
    /// Phones that are connected, and the messages that each has reported.
    private var connected: [String: Inbox] = [:]
    private var reported: [String: Set<String>] = [:]
    private let groups: [String: Set<String>]
    private let attributeNames: Set<String>?
    private var badges: [String: Int] = [:]
    private var keys: [String: MemoryWire.Receipt?] = [:]
    private let takesCallerKeys: Bool
    private let keyGrade: KeyMemory.Grade
    /// The devices that had a message with a key.
    private var reached: [String: Set<String>] = [:]
    private var received: [String: Int] = [:]
    private var phones: [String: String] = [:]
    private var schedules: [MemorySchedule] = []
    private var scheduleKeys: [String: String] = [:]
    private var lastNumber = 0

    /// - Parameters:
    ///   - key: the key that it accepts.
    ///   - devices: installations that exist from the start.
    ///   - groups: devices by the name of a segment, a live activity or an uploaded file.
    ///   - attributeNames: the attributes that devices can have; nil for any.
    ///   - takesCallerKeys: whether it remembers idempotency keys that it did not make.
    ///   - keyGrade: what a key does to a repeated push; with `unproven`, nothing.
    public init(
        key: Secret, devices: [VirtualDevice] = [], groups: [String: Set<String>] = [:],
        attributeNames: Set<String>? = nil, takesCallerKeys: Bool = false, keyGrade: KeyMemory.Grade = .vendor
    ) {
        self.key = key
        self.takesCallerKeys = takesCallerKeys
        self.keyGrade = keyGrade
        self.groups = groups
        self.attributeNames = attributeNames
        platforms = Dictionary(devices.map { ($0.id, $0.platform) }, uniquingKeysWith: { _, last in last })
        for device in devices { self.devices[device.id] = DeviceSnapshot() }
    }

    public func snapshot(of device: String) -> DeviceSnapshot? {
        guard var snapshot = devices[device] else { return nil }
        snapshot.device = platforms[device].map { VirtualDevice(device, $0) }
        snapshot.badge = badges[device] ?? 0
        return snapshot
    }

    // MARK: Phones

    public func deviceIDs() -> [String] { devices.keys.sorted() }

    /// Connects a phone. Nothing waits at this vendor: it delivers to devices without a phone as well.
    public func connect(_ phone: any ConnectedPhone, as device: VirtualDevice, at now: Date) {
        platforms[device.id] = device.platform
        if devices[device.id] == nil { devices[device.id] = DeviceSnapshot() }
        connected[device.id, default: Inbox()].connect(phone)
    }

    public func disconnect(_ phone: any ConnectedPhone, from device: String, at now: Date) {
        if connected[device]?.disconnect(phone) == true { connected[device] = nil }
    }

    /// Counts an arrival once, and stores the badge, the language and Live Activities.
    public func note(_ report: PhoneReport, from device: String, at now: Date) {
        guard devices[device] != nil else { return }
        switch report {
        case .delivered(let id), .customDelivered(let id), .displayed(let id):
            guard devices[device]?.inbox.contains(where: { $0.messageID == id }) == true,
                reported[device, default: []].insert(id).inserted
            else { return }
            received[id, default: 0] += 1
        case .badge(let number): badges[device] = number
        case .language(let language): devices[device]?.language = language
        case .token(.liveActivityUpdate(let id, let token)):
            if token == nil {
                devices[device]?.activities.remove(id)
            } else {
                devices[device]?.activities.insert(id)
            }
        case .token, .opened, .dismissed: return
        }
    }

    /// None: the vendor in memory has no quota.
    public func quotas(at now: Date) -> [QuotaReading] { [] }

    // MARK: VendorSimulator

    public nonisolated func addresses(at origin: String) -> [String: String] { ["origin": origin] }

    /// Sends the scheduled messages that are due, then responds; refuses a wrong key or a stale signature.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        lastNumber += 1
        runSchedules(until: now)
        var response: SimulatedResponse
        do {
            try authenticate(request, now)
            response = try answer(request, now)
        } catch {
            response = SimulatedResponse(error as? MemoryRefusal ?? MemoryRefusal(.malformed))
        }
        if let name = MemoryHeader.requestID { response.headers[name] = "r\(lastNumber)" }
        return response
    }

    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        var response = SimulatedResponse(MemoryRefusal(.throttled))
        if let reset, let name = MemoryHeader.reset { response.headers[name] = String(reset) }
        return response
    }

    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        SimulatedResponse(memory: MemoryRefusal(.failure), status: status)
    }

    // MARK: Steps

    private func authenticate(_ request: SimulatedRequest, _ now: Date) throws(MemoryRefusal) {
        let words = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        let parts = words.last?.split(separator: ":", maxSplits: 1) ?? []
        guard words.first == "Memory", parts.count == 2, let time = Double(parts[0]), Secret(String(parts[1])) == key
        else { throw MemoryRefusal(.unauthorized) }
        guard abs(now.timeIntervalSince1970 - time) <= MemoryLimits.longestLife else { throw MemoryRefusal(.stale) }
    }

    private func answer(_ request: SimulatedRequest, _ now: Date) throws -> SimulatedResponse {
        guard let path = request.segments, path.first == "v1" else { throw MemoryRefusal(.malformed) }
        switch (request.method, Array(path.dropFirst())) {
        case (.get, ["app"]): return SimulatedResponse(memory: [String]())
        case (.get, ["keys"]): return SimulatedResponse(memory: try mint(request.parameter("count")))
        case (.get, ["reports"]): return SimulatedResponse(memory: report(request.parameter("ids") ?? ""))
        case (.post, ["accounts"]):
            let wanted = try JSONDecoder().decode([Account].self, from: Data(request.body))
            // Without a type: accounts of any type.
            func isWanted(_ account: Account) -> Bool {
                wanted.contains { $0 == account || ($0.type == nil && Account(name: account.name) == $0) }
            }
            let ids = devices.filter { $0.value.accounts.contains(where: isWanted) }.keys.sorted()
            return SimulatedResponse(memory: ids)
        case (.post, ["messages"]): return SimulatedResponse(memory: try send(request.body, delivers: true))
        case (.post, ["messages", "check"]): return SimulatedResponse(memory: try send(request.body, delivers: false))
        case (.get, let path) where path.count == 2 && path[0] == "aliases":
            return SimulatedResponse(memory: devices.filter { $0.value.alias == path[1] }.keys.sorted())
        case (.post, let path) where path.count == 2 && path[0] == "tags":
            return SimulatedResponse(memory: try changeMembers(of: path[1], request.body))
        case (.delete, let path) where path.count == 2 && path[0] == "aliases":
            release(path[1])
            return SimulatedResponse(memory: [String]())
        case (let method, let path) where path.first == "schedules":
            return try schedule(method, path.count == 2 ? path[1] : nil, request, now)
        case (let method, let path) where path.count == 3 && path[0] == "devices" && path[2] == "phone":
            return try phone(method, path[1], request.body)
        case (.post, let path) where path.count == 2 && path[0] == "devices":
            return try update(path[1], request.body)
        case (let method, let path) where path.count >= 3 && path[0] == "devices":
            guard var device = devices[path[1]] else { throw MemoryRefusal(.unknownDevice) }
            let response = try answer(method, path.dropFirst(2), request.body, &device)
            if method == .put { release(device.alias) }
            devices[path[1]] = device
            return response
        default: throw MemoryRefusal(.malformed)
        }
    }

    private func answer(
        _ method: HTTPRequest.Method, _ path: ArraySlice<String>, _ body: [UInt8], _ device: inout DeviceSnapshot
    ) throws -> SimulatedResponse {
        switch (method, path.first, path.count) {
        case (.get, "tags", 1): return SimulatedResponse(memory: device.tags.sorted())
        case (.get, "tags", 2): return SimulatedResponse(memory: [device.tags.contains(path.last ?? "")])
        case (.post, "tags", 1):
            try change(&device.tags, JSONDecoder().decode(MemoryWire.Change.self, from: Data(body)))
        case (.get, "accounts", 1): return SimulatedResponse(memory: Array(device.accounts))
        case (.post, "accounts", 1):
            let change = try JSONDecoder().decode(MemoryWire.AccountChange.self, from: Data(body))
            switch change.verb {
            case .addAccounts: device.accounts.formUnion(change.accounts)
            case .removeAccounts: device.accounts.subtract(change.accounts)
            case .replaceAccounts: device.accounts = Set(change.accounts)
            case .clearAccounts: device.accounts = []
            default: throw MemoryRefusal(.malformed)
            }
        case (.get, "attributes", 1): return SimulatedResponse(memory: [device.attributes])
        case (.post, "attributes", 1): return SimulatedResponse(memory: try change(&device.attributes, body))
        case (.get, "alias", 1): return SimulatedResponse(memory: device.alias.map { [$0] } ?? [])
        case (.put, "alias", 1): device.alias = try JSONDecoder().decode([String].self, from: Data(body)).first
        case (.delete, "alias", 1): device.alias = nil
        default: throw MemoryRefusal(.malformed)
        }
        return SimulatedResponse(memory: [String]())
    }

    /// Changes tags and alias in one step.
    private func update(_ id: String, _ body: [UInt8]) throws -> SimulatedResponse {
        guard var device = devices[id] else { throw MemoryRefusal(.unknownDevice) }
        let update = try JSONDecoder().decode(MemoryWire.Update.self, from: Data(body))
        if let tags = update.tags { try change(&device.tags, tags) }
        device.tags.subtract(update.removed.map(\.rawValue))
        if let alias = update.alias {
            release(alias)
            device.alias = alias.isEmpty ? nil : alias
        }
        devices[id] = device
        return SimulatedResponse(memory: [String]())
    }

    private func change(_ tags: inout Set<String>, _ change: MemoryWire.Change) throws(MemoryRefusal) {
        let named = change.tags.map(\.rawValue)
        switch change.verb {
        case .addTags: tags.formUnion(named)
        case .removeTags: tags.subtract(named)
        case .replaceTags: tags = Set(named)
        case .clearTags: tags = []
        default: throw MemoryRefusal(.malformed)
        }
    }

    /// Returns the devices that the app does not have.
    private func changeMembers(of tag: String, _ body: [UInt8]) throws -> [String] {
        let change = try JSONDecoder().decode(MemoryWire.MemberChange.self, from: Data(body))
        let ids = change.devices.map(\.rawValue)
        guard (1...50).contains(ids.count) else { throw MemoryRefusal(.malformed) }
        for id in ids where devices[id] != nil {
            switch change.verb {
            case .addMembers: devices[id]?.tags.insert(tag)
            case .removeMembers: devices[id]?.tags.remove(tag)
            default: throw MemoryRefusal(.malformed)
            }
        }
        return ids.filter { devices[$0] == nil }
    }

    /// Returns the names that the app does not have.
    private func change(_ attributes: inout [String: String], _ body: [UInt8]) throws -> [String] {
        let change = try JSONDecoder().decode(MemoryWire.AttributeChange.self, from: Data(body))
        let known = change.attributes.filter { attributeNames?.contains($0.key) ?? true }
        switch change.verb {
        case .addAttributes: attributes.merge(known) { _, new in new }
        case .removeAttributes: for name in known.keys { attributes[name] = nil }
        case .replaceAttributes: attributes = known
        case .clearAttributes: attributes = [:]
        default: throw MemoryRefusal(.malformed)
        }
        return change.attributes.keys.filter { known[$0] == nil }.sorted()
    }

    /// An alias belongs to one device: the previous device loses it.
    private func release(_ alias: String?) {
        for (id, device) in devices where device.alias == alias && alias != nil { devices[id]?.alias = nil }
    }

    private func mint(_ count: String?) throws(MemoryRefusal) -> [String] {
        guard let count = count.flatMap({ Int($0) }), (1...100).contains(count) else { throw MemoryRefusal(.malformed) }
        let made = (0..<count).map { "key-\(lastNumber)-\($0)" }
        for key in made { keys[key] = .some(nil) }
        return made
    }

    private func report(_ ids: String) -> [String: Int] {
        let wanted = ids.split(separator: ",").map(String.init)
        return received.filter { wanted.contains($0.key) }
    }

    private func phone(_ method: HTTPRequest.Method, _ id: String, _ body: [UInt8]) throws -> SimulatedResponse {
        guard devices[id] != nil else { throw MemoryRefusal(.unknownDevice) }
        switch method {
        case .get: return SimulatedResponse(memory: phones[id].map { [$0] } ?? [])
        case .put: phones[id] = try JSONDecoder().decode([String].self, from: Data(body)).first
        case .delete: phones[id] = nil
        default: throw MemoryRefusal(.malformed)
        }
        return SimulatedResponse(memory: [String]())
    }

    private func schedule(
        _ method: HTTPRequest.Method, _ id: String?, _ request: SimulatedRequest, _ now: Date
    ) throws -> SimulatedResponse {
        func kept(_ schedule: MemorySchedule) -> MemoryWire.KeptSchedule {
            MemoryWire.KeptSchedule(id: schedule.id, name: schedule.new.name, trigger: schedule.new.trigger)
        }
        switch (method, id) {
        case (.get, nil):
            let isFirst = request.parameter("page") == "1"
            return SimulatedResponse(memory: isFirst ? schedules.map(kept) : [])
        case (.get, let id?):
            guard let found = schedules.first(where: { $0.id == id }) else { throw MemoryRefusal(.unknownSchedule) }
            return SimulatedResponse(memory: kept(found))
        case (.delete, let id?):
            guard schedules.contains(where: { $0.id == id }) else { throw MemoryRefusal(.unknownSchedule) }
            schedules.removeAll { $0.id == id }
            return SimulatedResponse(memory: [String]())
        case (.post, nil):
            let new = try JSONDecoder().decode(MemoryWire.NewSchedule.self, from: Data(request.body))
            if let key = new.send.key {
                guard keys[key] != nil else { throw MemoryRefusal(.unknownKey) }
                if let made = scheduleKeys[key] { return SimulatedResponse(memory: [made]) }
                scheduleKeys[key] = "s\(lastNumber)"
            }
            schedules.append(MemorySchedule(id: "s\(lastNumber)", new: new, doneUntil: now))
            return SimulatedResponse(memory: ["s\(lastNumber)"])
        default: throw MemoryRefusal(.malformed)
        }
    }

    public func settle(at now: Date) { runSchedules(until: now) }

    private func runSchedules(until now: Date) {
        for index in schedules.indices {
            let schedule = schedules[index]
            schedules[index].doneUntil = now
            for _ in schedule.moments(through: now) {
                var push = schedule.new.send
                push.key = nil
                _ = try? send(push, delivers: true)
            }
        }
    }

    private func send(_ body: [UInt8], delivers: Bool) throws -> MemoryWire.Receipt {
        try send(try JSONDecoder().decode(MemoryWire.Send.self, from: Data(body)), delivers: delivers)
    }

    private func send(_ push: MemoryWire.Send, delivers: Bool) throws -> MemoryWire.Receipt {
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

    private func isMember(_ id: String, _ audience: Audience) -> Bool {
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

    private func reaches(_ id: String, _ message: Message) -> Bool {
        guard let wanted = message.platforms, let platform = platforms[id] else { return true }
        return wanted.contains(platform)
    }

    private func delivered(_ message: Message, _ id: String, to device: String) -> DeliveredMessage {
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
            badge: badge.map { _ in badges[device, default: 0] }, extras: own?.extras ?? [:])
        delivered.subtitle = isIOS ? own?.ios?.subtitle?.shown : nil
        delivered.sound = isIOS ? own?.ios?.sound : own?.android?.sound
        delivered.category = isIOS ? own?.ios?.category : own?.android?.category
        delivered.thread = isIOS ? own?.ios?.threadID : nil
        delivered.channel = isIOS ? nil : own?.android?.channelID
        delivered.collapseID = isIOS ? own?.ios?.collapseID : own?.android?.collapseID
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

/// A schedule that the vendor keeps, and its progress.
struct MemorySchedule {
    var id: String
    var new: MemoryWire.NewSchedule
    var doneUntil: Date

    func moments(through now: Date) -> [Date] {
        switch new.trigger.value {
        case .once(let date): date > doneUntil && date <= now ? [date] : []
        case .recurring(let recurrence): recurrence.moments(after: doneUntil, through: now, offset: .zero)
        }
    }
}
