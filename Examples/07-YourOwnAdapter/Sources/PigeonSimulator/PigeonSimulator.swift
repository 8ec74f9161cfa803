public import FoundationEssentials
import PushAdapter
public import PushSimulation

/// Pigeon's server as its handbook describes it, written without looking at the adapter.
public actor PigeonSimulator: DeviceSimulator {
    public nonisolated let vendor = "pigeon"
    /// The birds. A `DeviceSimulator` shows what they know and carried, and connects phones to them.
    public var devices: [String: SimulatedDevice]
    private var gate: PigeonGate
    private var flights = 0

    public init(key: String, devices: [VirtualDevice]) {
        gate = PigeonGate(key: key)
        self.devices = Dictionary(devices)
    }

    private static let routes: SimulatedRoutes<Void, PigeonSimulator, VendorRefusal> = [
        .get("/v1/loft", ()) { _, _ in .json(["loft": "Trafalgar"]) },
        .post("/v1/messages", ()) { try $0.fly($1) },
        .get("/v1/birds/{id}/rings", ()) { try $0.changeRings($1) { _, _ in } },
        .post("/v1/birds/{id}/rings", ()) { try $0.changeRings($1) { $0.formUnion($1) } },
        .put("/v1/birds/{id}/rings", ()) { try $0.changeRings($1) { $0 = $1 } },
        .delete("/v1/birds/{id}/rings", ()) { try $0.changeRings($1) { $0.subtract($1) } },
    ]

    /// Pigeon applies every change before it responds.
    public func settle(at now: Date) {}
    public nonisolated func addresses(at origin: String) -> [String: String] { ["origin": origin] }

    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        do throws(VendorRefusal) {
            if let answer = try gate.answer(request, at: now) { return answer }
            guard let match = Self.routes.match(request) else { throw VendorRefusal(404, 20, "no such place") }
            guard match.takesMethod else { throw VendorRefusal(405, 20, "no such verb") }
            return try match.answer(request, by: self, at: now)
        } catch {
            return Self.response(to: error)
        }
    }

    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        var response = Self.response(to: VendorRefusal(429, 30, "slow down"))
        if let reset { response.headers[.retryAfter] = String(reset) }
        return response
    }

    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        Self.response(to: VendorRefusal(status, 90, "feathers everywhere"))
    }

    private static func response(to refusal: VendorRefusal) -> SimulatedResponse {
        .json(
            ["error": ["no": JSONValue(integerLiteral: refusal.code), "text": .string(refusal.text)]],
            status: refusal.status)
    }

    // MARK: Calls

    private func changeRings(
        _ call: SimulatedCall, _ change: (inout Set<String>, Set<String>) -> Void
    ) throws(VendorRefusal) -> SimulatedResponse {
        guard var bird = devices[call["id"]] else { throw VendorRefusal(404, 21, "no such bird") }
        let rings = Set(Self.texts(call.request.object?["rings"]))
        guard rings.allSatisfy({ $0.utf8.count <= 32 }) else { throw VendorRefusal(400, 20, "ring too long") }
        change(&bird.tags, rings)
        guard bird.tags.count <= 20 else { throw VendorRefusal(400, 20, "too many rings") }
        devices[call["id"]] = bird
        return .json(["rings": .array(bird.tags.sorted().map(JSONValue.string))])
    }

    private func fly(_ call: SimulatedCall) throws(VendorRefusal) -> SimulatedResponse {
        guard let order = call.request.object, let text = order["text"]?.stringValue else {
            throw VendorRefusal(400, 20, "nothing to carry")
        }
        let named = Self.texts(order["birds"])
        let rings = Set(Self.texts(order["rings"]))
        guard named.count <= 50, rings.count <= 5 else { throw VendorRefusal(400, 20, "too many") }
        let targets = devices.values.filter { bird in
            order["to"] == "all" || named.contains(bird.device.id) || !bird.tags.isDisjoint(with: rings)
        }
        guard !targets.isEmpty else { throw VendorRefusal(400, 21, "no birds there") }
        flights += 1
        for bird in targets {
            let own = order[bird.device.platform.rawValue]
            var message = DeliveredMessage(messageID: "flight-\(flights)")
            message.alert = own?["text"]?.stringValue ?? text
            message.title = own?["title"]?.stringValue ?? order["title"]?.stringValue
            if case .object(let data) = order["data"] { message.extras = data }
            // A bird waits for a day.
            devices[bird.device.id]?.receive(message, orKeepUntil: call.now.addingTimeInterval(86_400))
        }
        let unknown = named.filter { devices[$0] == nil }
        return .json(["flight": .string("flight-\(flights)"), "unknown": .array(unknown.map(JSONValue.string))])
    }

    private static func texts(_ value: JSONValue?) -> [String] { value?.arrayValue?.compactMap(\.stringValue) ?? [] }
}
