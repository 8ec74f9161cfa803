import FoundationEssentials
import PushAdapter
import Testing

@Suite("Fields of a message")
struct MessageFieldTests {
    private static let parts: [(prefix: String, value: any Sendable)] = [
        ("", Notification(body: "B")), ("custom.", CustomMessage(content: "c")), ("ios.", IOSNotification()),
        ("android.", AndroidNotification()), ("harmony.", HarmonyNotification()),
        ("class.", MessageClass(.service)),
    ]

    /// Properties that are not fields: the parts themselves, the content of a custom message, and the two parts that
    /// every class has.
    private static let notFields: Set<String> = [
        "ios", "android", "harmony", "custom.content", "class.intent", "class.category",
    ]

    @Test("every property of the model's parts has a row in the table, and a row is of one field")
    func coverage() {
        let fields = FieldRow.all.map(\.field.rawValue)
        #expect(Set(fields).count == fields.count)
        for (prefix, value) in Self.parts {
            for label in Mirror(reflecting: value).children.compactMap(\.label) {
                let name = prefix + label
                let hasRow = fields.contains { $0 == name || $0.hasPrefix(name + ".") }
                #expect(hasRow || Self.notFields.contains(name), "\(name)")
            }
        }
    }

    private static func refusal(of edit: FieldRow.Edit, _ field: MessageField) -> PushError? {
        var message =
            field.rawValue.hasPrefix("custom.")
            ? Message(custom: CustomMessage(content: "c")) : Message(notification: Notification(body: "B"))
        edit(&message)
        do throws(PushError) {
            try Limits().check(.message(message), of: "vendor")
            return nil
        } catch {
            return error
        }
    }

    @Test("an example of a field is accepted, and a violation of its rule is refused by the field's name")
    func rules() {
        for row in FieldRow.all {
            for example in row.examples { #expect(Self.refusal(of: example, row.field) == nil, "\(row.field)") }
            #expect(row.violations.isEmpty == (row.rule == nil), "\(row.field)")
            for violation in row.violations {
                let refusal = Self.refusal(of: violation, row.field)
                #expect([.invalidArgument, .tooLong].contains(refusal?.kind), "\(row.field)")
                #expect(refusal?.message.contains("\(row.field)") == true && refusal?.effect == .notApplied)
            }
        }
    }

    @Test("a number that JSON cannot represent is refused, in the data of every part")
    func numbers() {
        let nan: [String: JSONValue] = ["k": .number(.nan)]
        let notifications = [
            Notification(body: "B", extras: nan), Notification(body: "B", ios: IOSNotification(extras: nan)),
            Notification(body: "B", android: AndroidNotification(extras: nan)),
            Notification(body: "B", harmony: HarmonyNotification(extras: nan)),
        ]
        let messages =
            notifications.map { Message(notification: $0) }
            + [Message(custom: CustomMessage(content: "c", extras: nan)), Message(voip: .object(nan))]
        for message in messages {
            let error = #expect(throws: PushError.self) { try Limits().check(.message(message), of: "vendor") }
            #expect(error?.kind == .invalidArgument && error?.message.contains("NaN") == true)
        }
    }

    @Test(
        "a notification needs something to show, to sound or to count",
        arguments: [
            (Notification(), false), (Notification(extras: ["k": "v"]), false), (Notification(title: "T"), true),
            (Notification(ios: IOSNotification(badge: .set(0))), true),
            (Notification(ios: IOSNotification(sound: "default")), true),
            (Notification(android: AndroidNotification(body: "B")), true),
            (Notification(harmony: HarmonyNotification(title: "T")), true),
        ] as [(Notification, Bool)])
    func emptiness(notification: Notification, isGood: Bool) {
        let message = Message(notification: notification)
        let isAccepted = (try? Limits().check(.message(message), of: "vendor")) != nil
        #expect(isAccepted == isGood)
    }

    // MARK: JSON

    private func message(_ json: String) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(json.utf8))
    }

    @Test("a text is a text or an object with a key, and goes back to the same")
    func texts() throws {
        let json = #"{"notification":{"title":"T","body":{"key":"B","arguments":["Tue"]},"ios":{"title":{"key":"K"}}}}"#
        let message = try message(json)
        #expect(message.notification?.title == "T")
        #expect(message.notification?.body == .localized(key: "B", arguments: ["Tue"]))
        #expect(message.notification?.ios?.title == .localized(key: "K"))
        #expect(try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(message)) == message)
        #expect(throws: (any Error).self) { try self.message(#"{"notification":{"body":{"text":"B"}}}"#) }
        #expect(throws: (any Error).self) { try self.message(#"{"notification":{"body":7}}"#) }
    }

    @Test("a tap is one thing, by its name")
    func taps() throws {
        for tap in [TapAction.link("https://a.example"), .intentURI("a:b"), .intentAction("a.B"), .activity("a.C")] {
            let android = AndroidNotification(tap: tap, badge: .change(by: 1))
            let message = Message(notification: Notification(body: "B", android: android))
            let json = try JSONEncoder().encode(message)
            #expect(try JSONDecoder().decode(Message.self, from: json) == message)
            #expect(try JSONValue(parsing: Array(json))["notification"]?["android"]?["tap"]?[tap.name] != nil)
        }
        for tap in ["{}", #"{"link":"https://a.example","activity":"a"}"#, #"{"open":"a"}"#, #""open""#] {
            #expect(throws: (any Error).self) {
                try self.message(#"{"notification":{"body":"B","android":{"tap":\#(tap)}}}"#)
            }
        }
    }

    // MARK: Apple's alert

    @Test("Apple's alert has each text once, plain or as a key, and nothing without a text")
    func alert() throws {
        let key = Text.localized(key: "B", arguments: ["Tue"])
        let plain = Notification(title: "plain", body: "plain", ios: IOSNotification(body: key))
        #expect(try plain.appleAlert() == ["title": "plain", "loc-key": "B", "loc-args": ["Tue"]])
        #expect(try Notification(body: "B").appleAlert() == "B")
        #expect(try Notification(body: key).appleAlert() == ["loc-key": "B", "loc-args": ["Tue"]])
        #expect(try Notification(title: "T").appleAlert() == ["title": "T"])
        #expect(try Notification(ios: IOSNotification(badge: .set(1))).appleAlert() == nil)
        #expect(try plain.appleAlert(adding: ["launch-image": "l"])?["launch-image"] == "l")
        for own in ["title", "body", "loc-key", "subtitle-loc-key", "title-loc-args"] {
            let error = #expect(throws: PushError.self) { try plain.appleAlert(adding: [own: "x"]) }
            #expect(error?.message.contains(own) == true)
        }
    }
}
