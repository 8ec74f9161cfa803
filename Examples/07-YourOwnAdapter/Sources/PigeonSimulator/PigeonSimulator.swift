public import FoundationEssentials
import PushAdapter
public import PushSimulation

/// Pigeon's server as its handbook describes it, written without looking at the adapter.
public actor PigeonSimulator: ObservableSimulator {
    public nonisolated let vendor = "pigeon"
    private let key: String
    private var birds: [String: DeviceSnapshot] = [:]
    private let platforms: [String: String]
    private var flights = 0

    public init(key: String, devices: [VirtualDevice]) {
        self.key = key
        platforms = Dictionary(devices.map { ($0.id, $0.platform.rawValue) }, uniquingKeysWith: { _, last in last })
        for device in devices { birds[device.id] = DeviceSnapshot() }
    }

    public func snapshot(of device: String) -> DeviceSnapshot? { birds[device] }
    /// Pigeon applies every change before it responds.
    public func settle(at now: Date) {}
    public nonisolated func addresses(at origin: String) -> [String: String] { ["origin": origin] }

    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        guard let name = HTTPField.Name("X-Pigeon-Key"), request.headers[name] == key else {
            return Self.refusal(401, 10, "who are you?")
        }
        switch (request.method, request.segments ?? []) {
        case (.get, ["v1", "loft"]): return Self.answer(["loft": "Trafalgar"])
        case (.post, ["v1", "messages"]): return fly(request.body)
        case (let method, let path) where path.count == 4 && path[1] == "birds" && path[3] == "rings":
            return ring(method, path[2], request.body)
        default: return Self.refusal(404, 20, "no such place")
        }
    }

    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        var response = Self.refusal(429, 30, "slow down")
        if let reset { response.headers[.retryAfter] = String(reset) }
        return response
    }

    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        Self.refusal(status, 90, "feathers everywhere")
    }

    private func ring(_ method: HTTPRequest.Method, _ id: String, _ body: [UInt8]) -> SimulatedResponse {
        guard var bird = birds[id] else { return Self.refusal(404, 21, "no such bird") }
        let rings = Set(Self.texts(body, "rings"))
        guard rings.allSatisfy({ $0.utf8.count <= 32 }) else { return Self.refusal(400, 20, "ring too long") }
        switch method {
        case .get: break
        case .post: bird.tags.formUnion(rings)
        case .put: bird.tags = rings
        case .delete: bird.tags.subtract(rings)
        default: return Self.refusal(405, 20, "no such verb")
        }
        guard bird.tags.count <= 20 else { return Self.refusal(400, 20, "too many rings") }
        birds[id] = bird
        return Self.answer(["rings": .array(bird.tags.sorted().map(JSONValue.string))])
    }

    private func fly(_ body: [UInt8]) -> SimulatedResponse {
        guard let order = try? JSONValue(parsing: body), let text = order["text"]?.stringValue else {
            return Self.refusal(400, 20, "nothing to carry")
        }
        let named = Self.texts(body, "birds")
        let rings = Set(Self.texts(body, "rings"))
        guard named.count <= 50, rings.count <= 5 else { return Self.refusal(400, 20, "too many") }
        let targets = birds.keys.filter { id in
            order["to"]?.stringValue == "all" || named.contains(id) || birds[id]?.tags.isDisjoint(with: rings) == false
        }
        guard !targets.isEmpty else { return Self.refusal(400, 21, "no birds there") }
        flights += 1
        for id in targets {
            let own = order[platforms[id] ?? ""]
            var message = DeliveredMessage(messageID: "flight-\(flights)")
            message.alert = own?["text"]?.stringValue ?? text
            message.title = own?["title"]?.stringValue ?? order["title"]?.stringValue
            if case .object(let data) = order["data"] { message.extras = data }
            birds[id]?.inbox.append(message)
        }
        let unknown = named.filter { birds[$0] == nil }
        return Self.answer([
            "flight": .string("flight-\(flights)"), "unknown": .array(unknown.map(JSONValue.string)),
        ])
    }

    private static func texts(_ body: [UInt8], _ key: String) -> [String] {
        (try? JSONValue(parsing: body))?[key]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    private static func answer(_ value: JSONValue, status: Int = 200) -> SimulatedResponse {
        SimulatedResponse(
            status: status, headers: [.contentType: "application/json"], body: JSONWriter.bytes(of: value))
    }

    private static func refusal(_ status: Int, _ number: Int, _ text: String) -> SimulatedResponse {
        answer(["error": ["no": JSONValue(integerLiteral: number), "text": .string(text)]], status: status)
    }
}
