import Foundation
import PushAdapter
import PushHarmony
import TestSupport
import Testing

@Suite("HarmonyOS sends")
struct SendingTests {
    private let order: JSONValue = [
        "notification": ["title": "T", "body": "B"], "class": ["intent": "service", "category": "order"],
    ]

    @Test("a notification carries the key, nothing else does, and a live view's version makes an update safe")
    func keys() throws {
        let context = SendContext(at: Shop.now, key: Shop.key("k-1"))
        let alert = try Shop.harmony().send(Shop.message(order), to: Shop.devices(1), in: context)
        let id = try alert.request.json()["payload"]?["notification"]?["appMessageId"]
        #expect(id == "k-1" && alert.idempotency == .keyed(Shop.key("k-1")))
        for message: JSONValue in [["custom": ["content": "c"]], ["voip": ["a": 1]]] {
            let other = try Shop.harmony().send(Shop.message(message), to: Shop.devices(1), in: context)
            #expect(other.idempotency == .unkeyed)
        }
        let view: JSONValue = ["liveActivity": ["activityId": 7, "operation": 1, "version": 3]]
        let update = try Shop.harmony().send(Shop.message(view), to: Shop.devices(1), in: context)
        #expect(update.idempotency == .idempotent)
        let memory = try #require(Shop.harmony().capabilities.callerKeys[.push])
        #expect(memory.grade == .device && memory.scope == .message && memory.duration == .seconds(86_400))
    }

    @Test("the size leaves out the tokens: 4,096 bytes fit, one more is too long, for one device and for a thousand")
    func sizes() throws {
        let harmony = try Shop.harmony()
        func size(_ padding: Int, devices: Int) throws -> PushError? {
            let text = String(repeating: "a", count: padding)
            let exchange = try harmony.send(
                Shop.message(["custom": ["content": .string(text)]]), to: Shop.devices(devices))
            do throws(PushError) {
                try harmony.capabilities.check(exchange.inputs, of: harmony.id)
                return nil
            } catch { return error }
        }
        let frame = #"{"payload":{"extraData":""},"target":{"token":[]}}"#.utf8.count
        for devices in [1, 1000] {
            #expect(try size(4096 - frame, devices: devices) == nil)
            #expect(try size(4097 - frame, devices: devices)?.kind == .tooLong)
        }
        #expect(try size(1, devices: 1001)?.kind == .limitExceeded)
    }

    @Test("a test message has at most 10 devices, and counts as one of the day's thousand")
    func tests() throws {
        let harmony = try Shop.harmony()
        let message = try Shop.message(["custom": ["content": "c"]], options: ["pushOptions": ["testMessage": true]])
        let exchange = try harmony.send(message, to: Shop.devices(11))
        #expect(exchange.charges == [QuotaCharge("harmony.tests")])
        #expect(throws: PushError.self) { try harmony.capabilities.check(exchange.inputs, of: harmony.id) }
    }

    @Test("devices are charged only if the app's rate is known")
    func charges() throws {
        let message = try Shop.message(["custom": ["content": "c"]])
        #expect(try Shop.harmony().send(message, to: Shop.devices(3)).charges.isEmpty)
        let settings = ProviderSettings([
            "serviceAccount": .secret(try Shop.file()), "devicesPerSecond": .integer(6000),
        ])
        let paced = try Harmony(settings, dataCenter: Harmony.dataCenters.standard)
        #expect(try paced.send(message, to: Shop.devices(3)).charges == [QuotaCharge("huawei.devices", cost: 3)])
    }
}
