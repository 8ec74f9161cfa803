public import FoundationEssentials
public import PushAdapter
public import PushSimulation

/// The vendor of ``MemoryProvider``: an app with devices and named groups, and nothing to configure.
public actor MemoryVendor: ConnectableSimulator {
    public nonisolated let vendor = MemoryProvider.id.rawValue
    let key: Secret
    var devices: [String: DeviceSnapshot] = [:]
    var platforms: [String: Platform]
    /// Phones that are connected, and the messages that each has reported.
    var connected: [String: Inbox] = [:]
    var reported: [String: Set<String>] = [:]
    let groups: [String: Set<String>]
    let attributeNames: Set<String>?
    var badges: [String: Int] = [:]
    var keys: [String: MemoryWire.Receipt?] = [:]
    let takesCallerKeys: Bool
    let keyGrade: KeyMemory.Grade
    /// The devices that had a message with a key.
    var reached: [String: Set<String>] = [:]
    var received: [String: Int] = [:]
    var phones: [String: String] = [:]
    var schedules: [MemorySchedule] = []
    var scheduleKeys: [String: String] = [:]
    var lastNumber = 0

    /// - Parameters:
    ///   - key: the key that it accepts.
    ///   - devices: installations that exist from the start.
    ///   - groups: devices by the name of a segment, a live activity or an uploaded file.
    ///   - attributeNames: the attributes that devices can have; nil for any.
    ///   - takesCallerKeys: whether it remembers idempotency keys that it did not make.
    ///   - keyGrade: the effect of a key on a repeated push; with `unproven`, none.
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

    func authenticate(_ request: SimulatedRequest, _ now: Date) throws(MemoryRefusal) {
        let words = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        let parts = words.last?.split(separator: ":", maxSplits: 1) ?? []
        guard words.first == "Memory", parts.count == 2, let time = Double(parts[0]),
            Secret(String(parts[1])) == proof(for: request)
        else { throw MemoryRefusal(.unauthorized) }
        guard abs(now.timeIntervalSince1970 - time) <= MemoryLimits.longestLife else { throw MemoryRefusal(.stale) }
    }

    /// The key, and for the address of a device its origin as well.
    private func proof(for request: SimulatedRequest) -> Secret {
        let isAddressed = request.segments?.starts(with: ["v1", "at"]) ?? false
        return isAddressed ? MemoryProvider.proof(key, Secret("https://" + request.host)) : key
    }

    func answer(_ request: SimulatedRequest, _ now: Date) throws -> SimulatedResponse {
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
        case (.post, let path) where path == ["messages"] || path.first == "at":
            return SimulatedResponse(memory: try send(request.body, delivers: true))
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

    func mint(_ count: String?) throws(MemoryRefusal) -> [String] {
        guard let count = count.flatMap({ Int($0) }), (1...100).contains(count) else { throw MemoryRefusal(.malformed) }
        let made = (0..<count).map { "key-\(lastNumber)-\($0)" }
        for key in made { keys[key] = .some(nil) }
        return made
    }

    func report(_ ids: String) -> [String: Int] {
        let wanted = ids.split(separator: ",").map(String.init)
        return received.filter { wanted.contains($0.key) }
    }
}
