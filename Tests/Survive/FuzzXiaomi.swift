import FoundationEssentials
import PushAdapter
import PushWebhooks
import PushXiaomi

extension Fuzz {
    private static let secret = Secret("51c3e7cret51c3e7cret0000")

    /// Responses of Xiaomi, and its receipts.
    static var xiaomi: [Reader] { xiaomiAnswers + xiaomiReceipts }

    private static var xiaomiAnswers: [Reader] {
        guard let xiaomi = try? Xiaomi(packageName: "com.example.survive", appSecret: secret) else { return [] }
        let (unit, message) = (Unit.make(1), Message(notification: Notification(title: "t", body: "b")))
        let devices: [DeviceID] = [DeviceID(unit), DeviceID(Unit.make(2))]
        let sent = HostileVendor.xiaomiMessage("1")
        let sentInPart = HostileVendor.xiaomiMessage("1", without: [unit, Unit.make(3)])
        func answer(_ code: Int, _ fields: String = "") -> String { HostileVendor.xiaomi(code, unit, fields) }
        let readers = [
            reader(
                "xiaomi send", xiaomi, try? xiaomi.send(message, to: .devices(devices)), sent, sentInPart,
                answer(20301), answer(200_001), answer(10001), #"{"code":"0","data":{"id":7,"bad_regids":[]}}"#),
            reader(
                "xiaomi send to one", xiaomi, try? xiaomi.send(message, to: .devices([devices[0]])), sent, sentInPart,
                answer(20301), answer(66007)),
            reader(
                "xiaomi tags", xiaomi, try? xiaomi.readTags(of: devices[0]),
                answer(0, #","data":{"list":["a","b"]}"#), answer(65003)),
            reader(
                "xiaomi accounts", xiaomi, try? xiaomi.readAccounts(of: devices[0]),
                answer(0, #","data":{"list":["\#(unit)"]}"#)),
            reader("xiaomi write", xiaomi, try? xiaomi.roles.tags.add?(["a"], devices[0]), answer(0), sentInPart),
            reader("xiaomi members", xiaomi, try? xiaomi.changeMembers(of: "a", .add(devices)), answer(0), sentInPart),
        ]
        return readers.compactMap { $0 }
    }

    /// A receipt that repeats a parameter, about devices that are gone, and one about a message.
    private static func receipts(_ parameter: String) -> String {
        #"{"Xcm1":{"param":"\#(parameter)","type":16,"targets":"\#(Unit.make(4)),\#(Unit.make(5))","jobkey":"k","#
            + #""barStatus":"Enable","timestamp":1795132801500,"extra":{}},"Xcm2":{"param":"\#(parameter)","#
            + #""type":"128","timestamp":"1795132801500","extra":{"ack":"9","quota":"9"}}}"#
    }

    private static func form(_ text: [UInt8]) -> [UInt8] {
        Array("a=1&data=\(PercentEncoding.encode(String(decoding: text, as: UTF8.self)))".utf8)
    }

    /// Broken JSON in a whole form, broken forms, and receipts that repeat another parameter.
    private static var xiaomiReceipts: [Reader] {
        let parameter = "51c3e7cret51c3e7cret0000"
        guard let callback = try? XiaomiCallback(Secret("https://push.example.com/r"), parameter: Secret(parameter))
        else { return [] }
        let receiver = XiaomiReceipts(callback)
        func receive(_ body: [UInt8]) throws {
            let events = try receiver.receive(WebhookCall(headers: [:], body: body), at: Date()).events
            // The receiver keeps the parameter to itself. Each receipt of the body has to repeat it.
            guard events.allSatisfy({ $0.fields["param"] == nil }) else {
                throw Breach(what: "an event shows the parameter")
            }
            let repeated = String(decoding: body, as: UTF8.self).ranges(of: parameter).count
            guard Set(events.map(\.message)).count <= repeated else {
                throw Breach(what: "a receipt without the parameter was taken")
            }
            guard events.allSatisfy({ $0.verdict == nil || $0.fields["type"]?.identifier.flatMap { Int($0) } == 16 })
            else {
                throw Breach(what: "a receipt of another kind called a device gone")
            }
        }
        let good = receipts(parameter)
        return [
            Reader(name: "xiaomi receipts", seeds: seeds(good)) { bytes in try receive(form(bytes)) },
            Reader(name: "xiaomi forms", seeds: [form(Array(good.utf8))]) { bytes in try receive(bytes) },
            Reader(name: "xiaomi forgeries", seeds: seeds(receipts("51c3e7cret51c3e7cret0001"))) { bytes in
                try receive(form(bytes))
            },
        ]
    }
}
