import FoundationEssentials
import PushAdapter
import PushEngageLab
import TestSupport
import Testing

@Suite("EngageLab and the classes of messages")
struct ClassTests {
    private func body(
        _ given: MessageClass, settings: ClassSettings = ClassSettings(), options: EngageLabOptions? = nil,
        platforms: Set<Platform>? = nil
    ) throws -> JSONValue {
        var engageLab = try Sample.engageLab()
        engageLab.capabilities.classes = settings
        var message = Message(
            notification: Notification(body: "Hello"), platforms: platforms, messageClass: given)
        if let options { try message.set(options) }
        let text = try engageLab.send(message, to: .everyone).request.body.text
        return try JSONValue(parsing: Array(text.utf8))["body"] ?? .null
    }

    @Test(
        "the vendor, Huawei and vivo get the class, in the fields that are known",
        arguments: [
            (MessageClass(.service, .order), 1, "EXPRESS"), (MessageClass(.marketing, .social), 0, "MARKETING"),
            (MessageClass(.service, .todo), 1, nil),
        ] as [(MessageClass, JSONValue, String?)])
    func words(given: MessageClass, intent: JSONValue, word: String?) throws {
        let written = try body(given)
        let makers = written["options"]?["third_party_channel"]
        #expect(written["options"]?["classification"] == intent)
        #expect(makers?["huawei"]?["category"]?.stringValue == word)
        #expect(makers?["vivo"] == ["classification": intent])
        #expect(makers?["oppo"] == nil && makers?["xiaomi"] == nil && makers?["honor"] == nil)
        #expect(written["notification"]?["hmos"]?["category"]?.stringValue == word)
    }

    @Test("a word of the settings is used, and the message's own options win key by key")
    func precedence() throws {
        let settings = ClassSettings(words: ["huawei": [.todo: "WORK"]])
        var options = EngageLabOptions()
        options.thirdPartyChannel = ["vivo": ["classification": 0, "pushMode": 1]]
        let makers = try body(MessageClass(.service, .todo), settings: settings, options: options)["options"]?[
            "third_party_channel"]
        #expect(makers?["huawei"] == ["category": "WORK"])
        #expect(makers?["vivo"] == ["classification": 0, "pushMode": 1])
    }

    @Test("a message for one system reaches its makers only")
    func platforms() throws {
        let harmony = try body(MessageClass(.service, .order), platforms: [.harmony])
        #expect(harmony["options"]?["third_party_channel"] == nil && harmony["options"]?["classification"] == 1)
        #expect(harmony["notification"]?["hmos"]?["category"] == "EXPRESS")
        #expect(try body(MessageClass(.service, .order), platforms: [.ios])["options"]?["classification"] == nil)
    }

    @Test("a template is refused, because no page has a field for it")
    func template() throws {
        let template = MessageClass.Template(ids: ["xiaomi": "P1"])
        let message = Message(
            notification: Notification(body: "Hello"), messageClass: MessageClass(.service, .order, template: template))
        let engageLab = try Sample.engageLab()
        expectThrows(.error(.unsupported, naming: "class.template")) {
            try engageLab.capabilities.check(.message(message), of: EngageLab.id)
        }
    }
}
