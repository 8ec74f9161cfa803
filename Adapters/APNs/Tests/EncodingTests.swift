import FoundationEssentials
import PushAPNs
import PushAdapter
import Testing

@Suite("APNs requests")
struct EncodingTests {
    private static let texts: [Form] = [
        Form("a body alone", Message(notification: Notification(body: "B")), ["aps": ["alert": "B"]]),
        Form(
            "a localized title",
            Shop.shown(IOSNotification(title: .localized(key: "HELLO", arguments: ["Ann", "Bob"]))),
            ["aps": ["alert": ["title-loc-key": "HELLO", "title-loc-args": ["Ann", "Bob"], "body": "B"]]]),
        Form(
            "a localized subtitle", Shop.shown(IOSNotification(subtitle: .localized(key: "SUB"))),
            ["aps": ["alert": ["subtitle-loc-key": "SUB", "title": "T", "body": "B"]]]),
        Form(
            "a localized body", Shop.shown(IOSNotification(body: .localized(key: "ARRIVES", arguments: ["Tuesday"]))),
            ["aps": ["alert": ["loc-key": "ARRIVES", "loc-args": ["Tuesday"], "title": "T"]]]),
        Form(
            "extras of iOS replace the common ones",
            Shop.shown(IOSNotification(extras: ["own": [1, .null, true]]), extras: ["common": 1]),
            ["aps": ["alert": ["title": "T", "body": "B"]], "own": [1, .null, true]]),
        Form(
            "a badge of 0", Shop.shown(IOSNotification(badge: .set(0))),
            ["aps": ["alert": ["title": "T", "body": "B"], "badge": 0]]),
        Form(
            "a critical sound beside a notification without one",
            try Message(notification: Notification(body: "B")).aps(\.sound, APSOptions.CriticalSound("a")),
            ["aps": ["alert": "B", "sound": ["critical": 1, "name": "a"]]]),
    ]

    private static let call: JSONValue = ["caller": "Ann", "aps": ["alert": "A"], "list": [1, [:], .null]]

    private static let contents: [Form] = [
        Form(
            "a custom message is a background push, whatever priority it asks for",
            Message(custom: CustomMessage(content: "c", title: "t", contentType: "json", extras: ["k": ["deep": 1]]))
                .with(\.deliveryPriority, .high),
            ["aps": ["content-available": 1], "content": "c", "title": "t", "content_type": "json", "k": ["deep": 1]],
            .background),
        Form(
            "an empty content writes no key", Message(custom: CustomMessage(content: "", extras: ["k": 1])),
            ["aps": ["content-available": 1], "k": 1], .background),
        Form(
            "an app may use the key title", Message(custom: CustomMessage(content: "c", extras: ["title": "own"])),
            ["aps": ["content-available": 1], "content": "c", "title": "own"], .background),
        Form(
            "an alert", try Shop.custom(.alert, content: "c").aps(\.sound, APSOptions.CriticalSound("a.caf")),
            ["aps": ["sound": ["critical": 1, "name": "a.caf"]], "content": "c"]),
        Form("a call is the payload itself", Message(voip: call), call, .voip),
        Form("an empty call", Message(voip: [:]), [:], .voip),
        Form(
            "options add to the aps of a call", try Message(voip: ["caller": "Ann"]).aps(\.filterCriteria, "work"),
            ["caller": "Ann", "aps": ["filter-criteria": "work"]], .voip),
        Form("widgets", try Shop.message(.widgets), ["aps": ["content-changed": true]], .widgets),
        Form("controls", try Shop.message(.controls), ["aps": ["content-changed": true]], .controls),
        Form("device management", try Shop.message(.mdm), ["mdm": "magic"], .mdm),
        Form(
            "Push to Talk goes at once or not at all",
            try Shop.message(.pushToTalk).option(\.pushToTalkType, "service-update").with(\.timeToLive, .zero),
            ["aps": ["ptt-push-type": "service-update"]], .pushToTalk, headers: ["apns-expiration": "0"]),
    ]

    private static let longestID = String(repeating: "é", count: 32)

    private static let headers: [Form] =
        [(0, "0"), (1, "1795165201"), (60, "1795165260"), (2_592_000, "1797757200"), (2_592_001, "1797757201")].map {
            (life: Int, moment: String) in
            Form(
                "a life of \(life) s",
                Message(notification: Notification(body: "B")).with(\.timeToLive, .seconds(life)),
                ["aps": ["alert": "B"]], headers: ["apns-expiration": moment])
        }
        + [longestID, "a b", "a"].map(collapsing)

    private static func collapsing(_ id: String) -> Form {
        Form(
            "the collapse id \(id)", try Message(notification: Notification(body: "B")).option(\.collapseID, id),
            ["aps": ["alert": "B"]], headers: ["apns-collapse-id": id])
    }

    @Test("a message has one form", arguments: texts + contents + headers)
    func form(row: Form) throws { try row.check() }

    @Test("every field of a notification goes to where the vendor has it, and the id is that of the context")
    func notification() throws {
        let ios = IOSNotification(
            title: "iT", subtitle: "iS", body: "iB", sound: "a.caf", badge: .set(3), category: "c", threadID: "th",
            isMutable: true, isContentAvailable: true, interruptionLevel: .timeSensitive, collapseID: "col")
        let message = Shop.shown(ios, extras: ["order": 17]).with(\.timeToLive, .seconds(60))
            .with(\.deliveryPriority, .high)
        let aps: JSONValue = [
            "alert": ["title": "iT", "subtitle": "iS", "body": "iB"], "badge": 3, "sound": "a.caf", "category": "c",
            "thread-id": "th", "interruption-level": "time-sensitive", "mutable-content": 1, "content-available": 1,
        ]
        let headers = ["apns-priority": "10", "apns-expiration": "1795165260", "apns-collapse-id": "col"]
        try Form("all", message, ["aps": aps, "order": 17], headers: headers).check()
        let context = SendContext(at: Shop.now)
        let exchange = try Shop.apns().send(message, to: Shop.devices(1), in: context)
        #expect(exchange.request.method == .post && exchange.operation == .send && exchange.credential == .app)
        #expect(try exchange.request.target() == "/3/device/" + Shop.device(0).rawValue)
        #expect(Shop.header("apns-id", of: exchange.request) == context.uuid)
    }

    @Test("the body is JSON without blanks, and a life counts from the whole second")
    func text() throws {
        let message = Shop.shown(IOSNotification(badge: .set(2))).with(\.timeToLive, .seconds(60))
        let request = try Shop.request(of: message, at: Shop.now.addingTimeInterval(0.9))
        #expect(request.body == .json(Array(#"{"aps":{"alert":{"body":"B","title":"T"},"badge":2}}"#.utf8)))
        #expect(Shop.header("apns-expiration", of: request) == "1795165260")
    }

    private static let refusals: [Refused] =
        [
            Refused("the key aps in the iOS extras", Shop.shown(IOSNotification(extras: ["aps": 1])), naming: "aps"),
            Refused("a badge below 0", Shop.shown(IOSNotification(badge: .set(-1)))),
            Refused(
                "a common picture",
                Message(notification: Notification(body: "B", image: "https://shop.example/a.png")), .unsupported,
                naming: "isMutable"),
            Refused(
                "a picture for iOS",
                Shop.shown(IOSNotification(image: "https://shop.example/a.png")), .unsupported, naming: "isMutable"),
            Refused("aps in a call and in the options", try Message(voip: call).aps(\.filterCriteria, "work")),
            Refused("a call that is a text", Message(voip: "text")),
            Refused("a call that is a list", Message(voip: [])),
            Refused("mdm without a topic", try Shop.custom(.mdm, content: "magic")),
            Refused("mdm to an app", try Shop.custom(.mdm, content: "magic", topic: Shop.topic)),
            Refused("mdm without content", try Shop.custom(.mdm, topic: Shop.management)),
            Refused("mdm with extras", try Shop.custom(.mdm, content: "m", extras: ["k": 1], topic: Shop.management)),
            Refused("Push to Talk that is kept", try Shop.message(.pushToTalk).with(\.timeToLive, .seconds(1))),
            Refused("a life of half seconds", Shop.shown().with(\.timeToLive, .milliseconds(1500))),
            Refused("a life below 0", Shop.shown().with(\.timeToLive, .seconds(-1))),
            Refused("a collapse id of 65 bytes", try Shop.shown().option(\.collapseID, longestID + "x"), .tooLong),
            Refused("for Android", Shop.shown().with(\.platforms, [.android]), .unsupported),
            Refused("for iOS and Android", Shop.shown().with(\.platforms, [.ios, .android]), .unsupported),
        ]
        + ["content", "aps"].map { key in
            Refused(
                "the key \(key) in extras", Message(custom: CustomMessage(content: "c", extras: [key: "x"])),
                naming: key)
        }
        + ["", "a\nb", " a", "a ", "a\u{7F}"].map(badCollapseID)

    private static func badCollapseID(_ id: String) -> Refused {
        Refused("the collapse id \(id.debugDescription)", try Shop.message(.background).option(\.collapseID, id))
    }

    @Test("a message without a form is refused", arguments: refusals)
    func refusal(row: Refused) throws { try row.check() }

    @Test("the vendor keeps no badge to add to")
    func badge() throws {
        let change = Shop.shown(IOSNotification(badge: .change(by: 1)))
        let capabilities = try Shop.apns().capabilities
        #expect(change.features.filter { capabilities[$0] != .native } == [.contentBadgeArithmetic])
    }

    @Test("a client with the certificate for device management needs no topic in its messages")
    func managementCertificate() throws {
        let apns = try APNs(certificateFor: Shop.management)
        let request = try Shop.request(of: Shop.custom(.mdm, content: "magic"), from: apns)
        #expect(Shop.header("apns-topic", of: request) == Shop.management)
    }

    @Test("the environment of a message chooses the host, and nothing else")
    func environment() throws {
        let production = try Shop.request(of: Shop.shown())
        let development = try Shop.request(of: Shop.shown().with(\.environment, .development))
        let addresses = try [production, development].map { try APNs.dataCenters.standard.address(of: $0.service) }
        #expect(addresses == ["https://api.push.apple.com", "https://api.sandbox.push.apple.com"])
        #expect(development.body == production.body)
    }

    @Test("a message for Apple's platform is like one for all")
    func platforms() throws {
        let all = try Shop.request(of: Shop.shown()).body
        #expect(try Shop.request(of: Shop.shown().with(\.platforms, [.ios])).body == all)
    }

    @Test("the id of a push is a UUID in lower case, without zeros lost")
    func ids() throws {
        for _ in 0..<200 {
            let context = SendContext(at: Shop.now)
            let request = try Shop.apns().send(Shop.shown(), to: Shop.devices(1), in: context).request
            let id = try #require(Shop.header("apns-id", of: request))
            #expect(UUID(uuidString: id)?.uuidString.lowercased() == id)
            #expect(id.replacing("-", with: "") == context.id)
        }
    }

    @Test("a list shares all but the path and the id, and a message with times is written anew each second")
    func list() throws {
        let apns = try Shop.apns()
        let message = Shop.shown().with(\.timeToLive, .seconds(60))
        let first = try Shop.request(of: message, from: apns)
        let second = try Shop.request(of: message, from: apns, to: "00ff")
        #expect(first.body == second.body)
        #expect(try second.target() == "/3/device/00ff")
        #expect(Shop.header("apns-id", of: first) != Shop.header("apns-id", of: second))
        let later = try Shop.request(of: message, from: apns, at: Shop.now.addingTimeInterval(1))
        #expect(Shop.header("apns-expiration", of: later) == "1795165261")
        let changed = try Shop.request(of: message.with(\.notification, Notification(body: "other")), from: apns)
        #expect(try Shop.body(of: changed)["aps"]?["alert"] == "other")
        #expect(try Shop.request(of: message, from: apns).body == first.body)
    }

    @Test("a request has one device, whose token is hexadecimal, and longer than any that was seen")
    func targets() throws {
        let apns = try Shop.apns()
        let context = SendContext(at: Shop.now)
        #expect(try Shop.request(of: Shop.shown(), to: "00FF").target() == "/3/device/00ff")
        for audience: Audience in [.devices(["00", "11"]), .devices([]), .everyone, .tagged(anyOf: ["a"])] {
            #expect(throws: PushError.self) { try apns.send(Shop.shown(), to: audience, in: context) }
        }
        for count in [8, 64, 160, 200, 1000] {
            let token = DeviceID(String(repeating: "a", count: count))
            #expect(throws: Never.self) { try apns.capabilities.check(.devices([token]), of: APNs.id) }
        }
        let refused: [(token: String, kind: PushError.Kind)] = [
            ("00zz", .invalidArgument), ("", .invalidArgument), (String(repeating: "0", count: 1002), .tooLong),
        ]
        for (token, kind) in refused {
            expectError(kind) { try apns.capabilities.check(.devices([DeviceID(token)]), of: APNs.id) }
        }
    }

    @Test("a key that makes a repeated send harmless does not exist; a send is repeated only if the caller says so")
    func keys() throws {
        let key = IdempotencyKey("k", kind: .push, mintedAt: .distantPast, expiresAt: .distantFuture)
        var apns = try Shop.apns()
        let context = SendContext(at: Shop.now, key: key)
        expectError(.unsupported) { try Shop.apns().send(Shop.shown(), to: Shop.devices(1), in: context) }
        #expect(try Shop.exchange(of: Shop.shown(), from: apns).idempotency == .unkeyed)
        apns.acceptsDuplicates = true
        #expect(try Shop.exchange(of: Shop.shown(), from: apns).idempotency == .idempotent)
    }
}
