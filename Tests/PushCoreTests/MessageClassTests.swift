import FoundationEssentials
import PushAdapter
import Testing

@Suite("Classes of messages")
struct MessageClassTests {
    private func message(_ text: String) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(text.utf8))
    }

    private func refusal(_ given: MessageClass) -> PushError? {
        let message = Message(notification: Notification(body: "B"), messageClass: given)
        do throws(PushError) {
            try Limits().check(.message(message), of: "vendor")
            return nil
        } catch {
            return error
        }
    }

    @Test("a class is the key class of a message, and its category is the general one by default")
    func json() throws {
        let template = MessageClass.Template(ids: ["xiaomi": "P1"], titleValues: ["shop": "S"], bodyValues: ["no": "7"])
        for given in [
            MessageClass(.service, .order), MessageClass(.marketing), MessageClass(.service, "own", template: template),
        ] {
            let message = Message(notification: Notification(body: "B"), messageClass: given)
            let json = try JSONEncoder().encode(message)
            #expect(try JSONDecoder().decode(Message.self, from: json) == message)
            #expect(try JSONValue(parsing: Array(json))["class"]?["intent"]?.stringValue == given.intent.rawValue)
        }
        let read = try message(#"{"notification": {"body": "B"}, "class": {"intent": "marketing"}}"#)
        #expect(read.messageClass == MessageClass(.marketing, .marketing))
        let text = #""class": {"intent": "service", "category": "order", "template": {"ids": {"oppo": "1"}}}"#
        let templated = try message(#"{"notification": {"body": "B"}, \#(text)}"#)
        #expect(templated.messageClass?.template == MessageClass.Template(ids: ["oppo": "1"]))
    }

    @Test(
        "an unknown key or intent is refused",
        arguments: [
            #"{"category": "order"}"#, #"{"intent": "news"}"#, #"{"intent": "service", "kind": "order"}"#,
            #"{"intent": "service", "template": {}}"#, #"{"intent": "service", "template": {"ids": {}, "id": "1"}}"#,
        ])
    func strict(text: String) {
        #expect(throws: (any Error).self) { try message(#"{"notification": {"body": "B"}, "class": \#(text)}"#) }
    }

    @Test("a category of the other intent is refused, and one of the app's own is not")
    func intents() {
        #expect(refusal(MessageClass(.service, .news))?.kind == .invalidArgument)
        #expect(refusal(MessageClass(.marketing, .instantMessage))?.kind == .invalidArgument)
        #expect(refusal(MessageClass(.service, ""))?.message.contains("class") == true)
        for good in [MessageClass(.service), MessageClass(.marketing, .news), MessageClass(.marketing, "weather")] {
            #expect(refusal(good) == nil)
        }
    }

    @Test("a template needs an id and names for its values")
    func templates() {
        let bad = [
            MessageClass.Template(ids: [:]), MessageClass.Template(ids: ["xiaomi": ""]),
            MessageClass.Template(ids: ["xiaomi": "1"], titleValues: ["": "x"]),
        ]
        for template in bad {
            let refusal = refusal(MessageClass(.service, .order, template: template))
            #expect(refusal?.kind == .invalidArgument && refusal?.message.contains("class.template") == true)
        }
    }

    @Test("a class in words is an intent, perhaps with a category of it")
    func words() {
        #expect(MessageClass("service") == MessageClass(.service))
        #expect(MessageClass("service:order") == MessageClass(.service, .order))
        #expect(MessageClass("marketing:weather") == MessageClass(.marketing, "weather"))
        for bad in ["", "order", "service:", "service:news", "service:a:b"] { #expect(MessageClass(bad) == nil) }
    }

    // MARK: Words of makers

    private func capabilities(_ settings: ClassSettings = ClassSettings()) -> Capabilities {
        var capabilities = Capabilities(support: [:]).passingClasses(
            to: [.huawei, .harmony, .honor, .xiaomi, .oppo, .vivo], reaching: [.huawei, .xiaomi])
        capabilities.classes = settings
        return capabilities
    }

    private func words(_ given: MessageClass?, _ settings: ClassSettings = ClassSettings()) throws -> MakerWords? {
        try MakerWords(Message(notification: Notification(body: "B"), messageClass: given), capabilities(settings))
    }

    @Test(
        "each maker has its own word for a category, or none",
        arguments: [
            (MessageClass(.service, .order), ["EXPRESS", "EXPRESS", "NORMAL", "ORDER", "ORDER"]),
            (MessageClass(.service, .finance), ["FINANCE", "FINANCE", "NORMAL", "ACCOUNT", "ACCOUNT"]),
            (MessageClass(.service, .missedCall), [nil, "MISS_CALL", "NORMAL", nil, nil]),
            (MessageClass(.service, .todo), [nil, nil, "NORMAL", "TODO", "TODO"]),
            (MessageClass(.service, .voice), [nil, nil, nil, nil, nil]),
            (MessageClass(.service), [nil, nil, "NORMAL", nil, nil]),
            (MessageClass(.marketing, .news), ["MARKETING", "MARKETING", "LOW", "NEWS", "NEWS"]),
            (MessageClass(.marketing), ["MARKETING", "MARKETING", "LOW", "MARKETING", "MARKETING"]),
        ] as [(MessageClass, [String?])])
    func table(given: MessageClass, expected: [String?]) throws {
        let words = try #require(try words(given))
        #expect([ProviderID.huawei, .harmony, .honor, .oppo, .vivo].map(words.word(at:)) == expected)
        #expect(words.word(at: .xiaomi) == nil)
    }

    @Test("a word of the settings wins, and that of a general category stands for its intent")
    func settings() throws {
        let settings = ClassSettings(words: ["xiaomi": [.order: "1", .marketing: "2"], "oppo": [.travel: "TODO"]])
        #expect(try words(MessageClass(.service, .order), settings)?.word(at: .xiaomi) == "1")
        #expect(try words(MessageClass(.marketing, .social), settings)?.word(at: .xiaomi) == "2")
        #expect(try words(MessageClass(.service, .travel), settings)?.word(at: .xiaomi) == nil)
        #expect(try words(MessageClass(.service, .travel), settings)?.word(at: .oppo) == "TODO")
    }

    @Test("the default class stands in for a missing one, and only notifications have a class")
    func defaults() throws {
        let settings = ClassSettings(defaultClass: MessageClass(.marketing))
        #expect(try words(nil) == nil)
        #expect(try words(nil, settings)?.messageClass == MessageClass(.marketing))
        #expect(try words(MessageClass(.service, .order), settings)?.isService == true)
        let data = Message(custom: CustomMessage(content: "c"), messageClass: MessageClass(.service))
        #expect(try MakerWords(data, capabilities()) == nil)
        let phones = Message(
            notification: Notification(body: "B"), platforms: [.ios], messageClass: MessageClass(.service))
        #expect(try MakerWords(phones, capabilities()) == nil)
    }

    @Test("a category that a maker has not approved is refused if the settings say what it has approved")
    func approvals() throws {
        let settings = ClassSettings(approved: [.huawei: [.order]])
        #expect(try words(MessageClass(.service, .order), settings) != nil)
        #expect(try words(MessageClass(.marketing, .promotion), settings) != nil)
        let error = #expect(throws: PushError.self) { try words(MessageClass(.service, .travel), settings) }
        #expect(error?.kind == .misconfigured && error?.message.contains("approvedCategories") == true)
    }

    @Test("a dry run hears of makers without a word, and of the setting that can add one")
    func remarks() {
        let message = Message(notification: Notification(body: "B"), messageClass: MessageClass(.service, .todo))
        let remarks = MakerWords.remarks(on: message, capabilities())
        #expect(remarks.map { $0.prefix { $0 != " " } } == ["harmony", "huawei", "xiaomi"])
        #expect(remarks.last?.contains("xiaomi.todo=WORD in categoryWords") == true)
        #expect(MakerWords.remarks(on: message, capabilities(), channels: [.oppo]).count == 4)
    }

    @Test("Xiaomi's values are one object of at most nine plain texts")
    func xiaomi() throws {
        func values(_ title: [String: String], _ body: [String: String]) throws(PushError) -> String {
            try MakerWords.xiaomiValues(of: MessageClass.Template(ids: [:], titleValues: title, bodyValues: body))
        }
        #expect(try values(["b": "2"], ["a": "1", "b": "2"]) == #"{"a":"1","b":"2"}"#)
        let many = Dictionary(uniqueKeysWithValues: (0..<10).map { ("v\($0)", "x") })
        let bad: [([String: String], [String: String])] = [
            (["a": "1"], ["a": "2"]), (["a": " "], [:]), (["a": String(repeating: "x", count: 129)], [:]),
            ([:], ["a": "Hi 😀"]), ([:], many),
        ]
        for (title, body) in bad {
            #expect(throws: PushError.self) { try values(title, body) }
        }
    }
}
