import Backend
import Hummingbird
import HummingbirdTesting
import JPushSimulator
import PushBridge
import PushJPush
import PushMemory
import PushSimulation
import Testing

// Both PushBridge and Testing have a type `Tag`.
private typealias Tag = PushBridge.Tag

@Suite("The backend")
struct BackendTests {
    private static let device: DeviceID = "190e35f7e0a1b2c3d4e"

    /// A memory vendor, for behavior that is the same with every vendor.
    @Test("an order that was shipped reaches the phone, and unknown ids are named")
    func memory() async throws {
        let vendor = MemoryVendor(key: Secret("test"), devices: [VirtualDevice("phone-1", .ios)])
        let provider = MemoryProvider(key: Secret("test"))
        let client = PushClient(provider, transport: InProcessTransport(SimulatorHost(vendor)))
        try await Application(router: Backend(client).router).test(.router) { http in
            let body = ByteBuffer(string: #"["phone-1", "phone-9", "not an id"]"#)
            try await http.execute(uri: "/orders/42/shipped", method: .post, body: body) { response in
                #expect(response.status == .ok)
                let text = String(buffer: response.body)
                #expect(text.contains(#""invalid":["phone-9"]"#) && text.contains(#""malformed":["not an id"]"#))
            }
            let inbox = await vendor.snapshot(of: "phone-1")?.inbox
            #expect(inbox?.map(\.alert) == ["Order 42 is on its way"])
            try await http.execute(
                uri: "/devices/phone-1/tags", method: .put, body: ByteBuffer(string: #"["vip"]"#)
            ) { response in #expect(String(buffer: response.body).contains(#""isComplete":true"#)) }
            #expect(try await client.readTags(of: "phone-1") == [Tag("vip")])
        }
        await client.shutdown()
    }

    /// A simulator of the real vendor, for its limits and for failures on the way.
    @Test("a refused tag is the caller's fault, an unknown id is named, and a lost response leaves it unknown")
    func simulator() async throws {
        let (key, secret) = ("0123456789abcdef01234567", "simulator0simulator0only")
        let host = SimulatorHost(
            JPushSimulator(
                appKey: key, masterSecret: secret, devices: [VirtualDevice(Self.device.rawValue, .android)]))
        let jpush = try JPush(
            appKey: key, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: InProcessTransport.origin))
        let client = PushClient(jpush, transport: InProcessTransport(host))
        try await Application(router: Backend(client).router).test(.router) { http in
            try await http.execute(
                uri: "/devices/\(Self.device.rawValue)/tags", method: .put, body: ByteBuffer(string: #"["no blanks"]"#)
            ) { response in
                #expect(response.status == .badRequest)
                #expect(String(buffer: response.body).contains("notApplied"))
            }
            let ids = ByteBuffer(string: #"["\#(Self.device.rawValue)", "1f0e35f7e0a1b2c3dff"]"#)
            try await http.execute(uri: "/orders/42/shipped", method: .post, body: ids) { response in
                #expect(response.status == .ok)
                let text = String(buffer: response.body)
                #expect(text.contains(#""accepted":0"#) && text.contains(#""invalid":["1f0e35f7e0a1b2c3dff"]"#))
                #expect(text.contains(#""toRetry":["\#(Self.device.rawValue)"]"#))
            }
            host.faults.add(.actedThenLost, times: 3, path: "/v3/push")
            let body = ByteBuffer(string: #"["\#(Self.device.rawValue)"]"#)
            try await http.execute(uri: "/orders/42/shipped", method: .post, body: body) { response in
                #expect(response.status == .badGateway)
                #expect(String(buffer: response.body).contains("unknown"))
            }
        }
        await client.shutdown()
    }
}
