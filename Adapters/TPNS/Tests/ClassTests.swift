import FoundationEssentials
import PushAdapter
import PushTPNS
import TestSupport
import Testing

@Suite("TPNS and the classes of messages")
struct ClassTests {
    private static let template = MessageClass.Template(ids: ["xiaomi": "P1"])

    private func message(_ given: MessageClass?) -> Message {
        Message(notification: Notification(title: "T", body: "B"), messageClass: given)
    }

    private func android(
        _ message: Message, _ settings: ClassSettings = ClassSettings()
    ) throws -> JSONValue? {
        let tpns = try Sample.tpns(.android) { $0.capabilities.classes = settings }
        let text = try tpns.send(message, to: .devices([Sample.device])).request.body.text
        return try JSONValue(parsing: Array(text.utf8))["message"]?["android"]
    }

    @Test(
        "Huawei gets its word, and vivo the intent",
        arguments: [
            (MessageClass(.service, .order), ["hw_category": "EXPRESS", "vivo_ch_id": "1"]),
            (MessageClass(.service, .todo), ["vivo_ch_id": "1"]),
            (MessageClass(.marketing), ["hw_category": "MARKETING", "vivo_ch_id": "0"]),
        ] as [(MessageClass, [String: JSONValue])])
    func words(given: MessageClass, fields: [String: JSONValue]) throws {
        #expect(try android(message(given)) == .object(fields))
    }

    @Test("Xiaomi and OPPO get the app's channels, and the message's own options win")
    func channels() throws {
        let settings = ClassSettings(
            defaultClass: MessageClass(.service, .order), words: ["xiaomi": [.order: "1"], "oppo": [.service: "chat"]])
        var own = message(nil)
        #expect(
            try android(own, settings)
                == ["hw_category": "EXPRESS", "oppo_ch_id": "chat", "vivo_ch_id": "1", "xm_ch_id": "1"])
        var options = TPNSOptions()
        options.android = ["xm_ch_id": "2", "hw_importance": 1]
        try own.set(options)
        let written = try android(own, settings)
        #expect(written?["xm_ch_id"] == "2" && written?["hw_importance"] == 1 && written?["oppo_ch_id"] == "chat")
    }

    @Test("an app for iPhones ignores classes and templates, and one for Android refuses templates")
    func ignored() throws {
        let given = MessageClass(.service, .order, template: Self.template)
        let ios = try Sample.tpns(.ios)
        try ios.capabilities.check(.message(message(given)), of: TPNS.id)
        let plain = try ios.send(message(nil), to: .devices([Sample.device])).request
        #expect(try ios.send(message(given), to: .devices([Sample.device])).request == plain)
        let android = try Sample.tpns(.android)
        expectThrows(.error(.unsupported, naming: "class.template")) {
            try android.capabilities.check(.message(message(given)), of: TPNS.id)
        }
    }
}
