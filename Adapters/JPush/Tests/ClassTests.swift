import FoundationEssentials
import PushAdapter
import PushJPush
import TestSupport
import Testing

@Suite("JPush and the classes of messages")
struct ClassTests {
    private func body(
        _ given: MessageClass?, settings: ClassSettings = ClassSettings(), options: JPushOptions? = nil,
        _ edit: (inout Message) -> Void = { _ in }
    ) throws -> JSONValue {
        var jpush = try Sample.jpush()
        jpush.capabilities.classes = settings
        var message = Message(notification: Notification(body: "Hello"), messageClass: given)
        if let options { try message.set(options) }
        edit(&message)
        return try JSONValue(parsing: Array(try jpush.send(message, to: .everyone).request.body.text.utf8))
    }

    @Test(
        "each maker gets its word for the category, where it has one",
        arguments: [
            (
                MessageClass(.service, .order), 1,
                #"{"honor":{"importance":"NORMAL"},"huawei":{"category":"EXPRESS"},"oppo":{"category":"ORDER"},"vivo":{"category":"ORDER"}}"#,
                "EXPRESS"
            ),
            (
                MessageClass(.marketing, .news), 0,
                #"{"honor":{"importance":"LOW"},"huawei":{"category":"MARKETING"},"oppo":{"category":"NEWS"},"vivo":{"category":"NEWS"}}"#,
                "MARKETING"
            ),
            (
                MessageClass(.service, .travel), 1,
                #"{"honor":{"importance":"NORMAL"},"huawei":{"category":"TRAVEL"}}"#, "TRAVEL"
            ),
            (MessageClass(.service), 1, #"{"honor":{"importance":"NORMAL"}}"#, nil),
        ] as [(MessageClass, JSONValue, String, String?)])
    func words(given: MessageClass, intent: JSONValue, makers: String, harmony: String?) throws {
        let written = try body(given)
        #expect(written["options"]?["classification"] == intent)
        #expect(written["options"]?["third_party_channel"] == (try JSONValue(parsing: Array(makers.utf8))))
        #expect(written["notification"]?["hmos"]?["category"]?.stringValue == harmony)
        #expect(written["notification"]?["hmos"]?["alert"]?.stringValue == harmony.map { _ in "Hello" })
    }

    @Test("Xiaomi's channel comes from the settings, and a class of the settings stands in for a missing one")
    func settings() throws {
        let settings = ClassSettings(
            defaultClass: MessageClass(.marketing),
            words: ["xiaomi": [.marketing: "137041"], "oppo": [.travel: "TODO"]])
        let makers = try body(nil, settings: settings)["options"]?["third_party_channel"]
        #expect(makers?["xiaomi"] == ["channel_id": "137041"] && makers?["huawei"] == ["category": "MARKETING"])
        let other = try body(MessageClass(.service, .travel), settings: settings)["options"]?["third_party_channel"]
        #expect(other?["xiaomi"] == nil && other?["oppo"] == ["category": "TODO"])
        #expect(try body(nil)["options"]?["classification"] == nil)
    }

    @Test("a template goes to the makers that have an id for it, in each maker's form")
    func templates() throws {
        let template = MessageClass.Template(
            ids: ["xiaomi": "P1", "oppo": "7"], titleValues: ["shop": "Shop"], bodyValues: ["no": "4711"])
        let makers = try body(MessageClass(.service, .order, template: template))["options"]?["third_party_channel"]
        #expect(
            makers?["xiaomi"] == ["mi_template_id": "P1", "mi_template_param": #"{"no":"4711","shop":"Shop"}"#])
        #expect(
            makers?["oppo"] == [
                "category": "ORDER", "private_msg_template_id": "7", "private_title_parameters": ["shop": "Shop"],
                "private_content_parameters": ["no": "4711"],
            ])
        let emoji = MessageClass.Template(ids: ["xiaomi": "P1"], bodyValues: ["no": "😀"])
        #expect(throws: PushError.self) { try body(MessageClass(.service, .order, template: emoji)) }
    }

    @Test("the message's own options and its category for HarmonyOS win, key by key")
    func precedence() throws {
        var options = JPushOptions()
        options.classification = 0
        options.thirdPartyChannel = [
            "huawei": ["category": "WORK", "importance": "LOW"], "xiaomi": ["distribution": "jpush"],
        ]
        let written = try body(MessageClass(.service, .order), options: options) {
            $0.notification?.harmony = HarmonyNotification(category: "IM")
        }
        let makers = written["options"]?["third_party_channel"]
        #expect(written["options"]?["classification"] == 0)
        #expect(makers?["huawei"] == ["category": "WORK", "importance": "LOW"])
        #expect(makers?["xiaomi"] == ["distribution": "jpush"] && makers?["oppo"] == ["category": "ORDER"])
        #expect(written["notification"]?["hmos"]?["category"] == "IM")
    }

    @Test("a message for iPhones, or without a notification, has no class")
    func others() throws {
        let given = MessageClass(.service, .order)
        #expect(try body(given) { $0.platforms = [.ios] }["options"]?["classification"] == nil)
        let data = try body(given) {
            $0.notification = nil
            $0.custom = CustomMessage(content: "c")
        }
        #expect(data["options"]?["third_party_channel"] == nil)
    }
}
