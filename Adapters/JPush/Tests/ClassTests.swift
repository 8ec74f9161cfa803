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
        var (huawei, xiaomi) = (JPushChannel(), JPushChannel())
        (huawei.category, huawei.importance, xiaomi.distribution) = ("WORK", "LOW", "jpush")
        var channels = JPushChannels()
        (channels.huawei, channels.xiaomi) = (huawei, xiaomi)
        options.thirdPartyChannel = channels
        let written = try body(MessageClass(.service, .order), options: options) {
            $0.notification?.harmony = HarmonyNotification(category: "IM")
        }
        let makers = written["options"]?["third_party_channel"]
        #expect(written["options"]?["classification"] == 0)
        #expect(makers?["huawei"] == ["category": "WORK", "importance": "LOW"])
        #expect(makers?["xiaomi"] == ["distribution": "jpush"] && makers?["oppo"] == ["category": "ORDER"])
        #expect(written["notification"]?["hmos"]?["category"] == "IM")
    }

    @Test("a template's values are added to those that the options have")
    func values() throws {
        var (options, channels, oppo) = (JPushOptions(), JPushChannels(), JPushChannel())
        (oppo.privateTitleParameters, oppo.notifyLevel) = (["shop": "Own"], 2)
        channels.oppo = oppo
        options.thirdPartyChannel = channels
        let template = MessageClass.Template(ids: ["oppo": "7"], titleValues: ["shop": "Shop", "city": "Ulm"])
        let written = try body(MessageClass(.service, .order, template: template), options: options)
        #expect(
            written["options"]?["third_party_channel"]?["oppo"] == [
                "category": "ORDER", "notify_level": 2, "private_msg_template_id": "7",
                "private_title_parameters": ["shop": "Own", "city": "Ulm"],
            ])
    }

    /// Settings of a maker as JSON, and the key that a refusal names; nil if they are taken.
    private static let makers: [(json: String, refused: String?)] = [
        (#"{"huawei":{"category":"IM","sound":"/raw/shake","style":1,"deep":{"a":[null]}}}"#, nil),
        (
            #"{"vivo":{"add_badge":true,"push_mode":1},"oppo":{"private_content_parameters":{"no":"7"},"skip_quota":true}}"#,
            nil
        ),
        (#"{"fcm":{"distribution_fcm":"fcm"},"hmos":{"distribution_customize":"jpush"},"nio":{},"asus":{}}"#, nil),
        (#"{"xiaomi":{"channel_id":5}}"#, "channel_id"), (#"{"oppo":{"notify_level":"2"}}"#, "notify_level"),
        (#"{"xaiomi":{"channel_id":"5"}}"#, "xaiomi"),
    ]

    @Test("a maker's settings are sent as they are; a wrong type and an unknown maker are refused", arguments: makers)
    func channels(json: String, refused: String?) throws {
        let options = #"{"third_party_channel":\#(json)}"#
        func send() throws -> JSONValue? {
            let message = try Sample.message(#""notification":{"body":"B"}"#, options: options)
            let body = try Sample.jpush().send(message, to: .everyone).request.body.text
            return try JSONValue(parsing: Array(body.utf8))["options"]?["third_party_channel"]
        }
        if let refused {
            expectThrows(.error(.invalidArgument, naming: refused)) { try send() }
        } else {
            #expect(try send() == JSONValue(parsing: Array(json.utf8)))
        }
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
