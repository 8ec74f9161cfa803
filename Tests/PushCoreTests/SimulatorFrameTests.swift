import FoundationEssentials
import PushAdapter
import PushSimulation
import Testing

@Suite("What simulators share")
struct SimulatorFrameTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func request(_ method: HTTPRequest.Method, _ path: String) -> SimulatedRequest {
        SimulatedRequest(method: method, path: path, query: "", headers: [:], body: [])
    }

    @Test(
        "the first pattern that fits decides, then the method",
        arguments: [
            ("GET", "/v1/birds", "list"), ("GET", "/v1/birds/all", "all"), ("GET", "/v1/birds/7", "bird 7"),
            ("DELETE", "/v1/birds/a%2Fb", "gone a/b"), ("GET", "/v1/loft/birds", "list"), ("PUT", "/v1/nest", "nest"),
            ("PUT", "/v1/box", "nest"), ("GET", "/v1/flights/12", "flight 12"), ("GET", "/v1/flights/x", "rest"),
            ("GET", "/v1/flights", "rest"), ("POST", "/v1/birds/all", "405"), ("GET", "/v2", "404"),
            ("GET", "/v1/birds/%2", "404"),
        ])
    func routes(method: String, path: String, answer: String) async throws {
        let request = request(try #require(HTTPRequest.Method(method)), path)
        let response = await Birds().respond(to: request, at: now)
        #expect(String(decoding: response.body, as: UTF8.self) == answer)
    }

    @Test("an error that is no refusal is an internal one of the vendor")
    func unexpectedError() async {
        let response = await Birds().respond(to: request(.get, "/v1/broken"), at: now)
        #expect(response.status == 500)
    }

    @Test("a window counts up to its limit and begins anew")
    func window() {
        var window = RateWindow(seconds: 60)
        #expect(window.take(2, now) && window.take(2, now) && !window.take(2, now))
        #expect(window.remaining(2, now) == 0)
        #expect(window.reset(now.addingTimeInterval(20.5)) == 40)
        window.giveBack()
        #expect(window.fits(2, now))
        #expect(window.remaining(2, now.addingTimeInterval(60)) == 2)
    }

    @Test("a credential has its scheme in any case and one more word")
    func credentials() {
        var request = request(.get, "/")
        #expect(request.credential("Bearer") == nil)
        request.headers[.authorization] = "bearer abc"
        #expect(request.credential("Bearer") == "abc")
        request.headers[.authorization] = "Basic bmFtZTpwYXNzOndvcmQ="
        #expect(request.basicCredential?.name == "name")
        #expect(request.basicCredential?.password == Secret("pass:word"))
        #expect(request.credential("basic").map { Secret($0) } == SimulatedRequest.basicCredential("name", "pass:word"))
    }

    @Test("fields that are missing or have another type throw the vendor's refusals")
    func fields() throws {
        let refusals = SimulatedFields<VendorRefusal>.Refusals(
            ignoresCase: true, missing: { VendorRefusal(400, 1, $0) }, wrongType: { VendorRefusal(400, 2, $0) })
        let fields = SimulatedFields(["Name": "a", "list": ["b", 1], "none": .null, "empty": ""], refusals)
        #expect(try fields.needText("name") == "a")
        #expect(try fields.number("none") == nil)
        #expect(throws: VendorRefusal(400, 1, "empty")) { try fields.needText("empty") }
        #expect(throws: VendorRefusal(400, 1, "absent")) { try fields.needNumber("absent") }
        #expect(throws: VendorRefusal(400, 2, "list")) { try fields.texts("list") }
    }

    @Test("a message waits for an offline device until it expires")
    func waiting() async {
        let birds = Birds(devices: [VirtualDevice("a", .android)])
        await birds.setOnline(false, "a", at: now)
        await birds.send("1", to: "a", until: now.addingTimeInterval(10))
        await birds.send("2", to: "a", until: now.addingTimeInterval(60))
        await birds.send("3", to: "a", until: nil)
        #expect(await birds.inbox(of: "a").isEmpty)
        await birds.setOnline(true, "a", at: now.addingTimeInterval(30))
        #expect(await birds.inbox(of: "a").map(\.messageID) == ["2"])
        #expect(await birds.receivers(of: "2") == ["a"])
    }

    @Test("a signed token has three parts, without padding unless that is allowed")
    func webToken() {
        #expect(SimulatedWebToken("e30.eyJhIjoxfQ.AQI")?.claims == ["a": 1])
        #expect(SimulatedWebToken("e30.eyJhIjoxfQ.AQI")?.signature == [1, 2])
        #expect(SimulatedWebToken("e30.eyJhIjoxfQ==.AQI") == nil)
        #expect(SimulatedWebToken("e30.eyJhIjoxfQ==.AQI", allowsPadding: true) != nil)
        #expect(SimulatedWebToken("e30.W10.AQI") == nil)
        #expect(SimulatedWebToken("e30.e30") == nil)
    }
}

/// A vendor that answers with the name of a route.
private actor Birds: DeviceSimulator {
    nonisolated let vendor = "birds"
    var devices: [String: SimulatedDevice]

    init(devices: [VirtualDevice] = []) { self.devices = Dictionary(devices) }

    private struct Broken: Error {}

    private static let routes: SimulatedRoutes<Void, Birds, VendorRefusal> = [
        .get("/v1/[loft]/birds", ()) { it, _ in it.text("list") },
        .get("/v1/birds/all", ()) { it, _ in it.text("all") },
        .get("/v1/birds/{id}", ()) { $0.text("bird " + $1["id"]) },
        .delete("/v1/birds/{id}", ()) { $0.text("gone " + $1["id"]) },
        .put("/v1/nest|box", ()) { it, _ in it.text("nest") },
        .get("/v1/flights/{#id}", ()) { $0.text("flight " + $1["id"]) },
        .any("/v1/flights/*", ()) { it, _ in it.text("rest") },
        .get("/v1/broken", ()) { _, _ in throw Broken() },
    ]

    nonisolated func text(_ text: String) -> SimulatedResponse {
        SimulatedResponse(status: 200, body: Array(text.utf8))
    }

    func send(_ id: String, to device: String, until end: Date?) {
        devices[device]?.receive(DeliveredMessage(messageID: id), orKeepUntil: end)
    }

    func settle(at now: Date) {}
    nonisolated func addresses(at origin: String) -> [String: String] { [:] }

    func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        guard let match = Self.routes.match(request) else { return text("404") }
        guard match.takesMethod else { return text("405") }
        return (try? match.answer(request, by: self, at: now)) ?? text("refused")
    }

    nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        SimulatedResponse(status: 429)
    }

    nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        SimulatedResponse(status: status)
    }
}
