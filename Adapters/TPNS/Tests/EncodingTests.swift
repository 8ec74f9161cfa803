import Foundation
import PushAdapter
import PushTPNS
import TestSupport
import Testing

/// Requests that are refused before anything is sent, and the reasons.
@Suite("TPNS requests that are refused")
struct EncodingTests {
    private func body(
        _ message: Message, to audience: Audience = .devices([Sample.device]), _ platform: Platform = .ios,
        _ edit: (inout TPNS) -> Void = { _ in }
    ) throws -> JSONValue {
        let exchange = try Sample.tpns(platform, edit).send(message, to: audience)
        return try JSONValue(parsing: Array(exchange.request.body.text.utf8))
    }

    private func refused(
        _ message: Message, to audience: Audience = .devices([Sample.device]), _ platform: Platform = .ios
    ) -> PushError? {
        refusal { () throws(PushError) in
            let tpns = try Sample.tpns(platform)
            try tpns.capabilities.check(try tpns.send(message, to: audience).inputs, of: TPNS.id)
        }
    }

    @Test("a message that names the other platform is refused, and the error says how it is done")
    func platforms() throws {
        for platforms: Set<Platform> in [[.android], [.ios, .android]] {
            var message = Sample.message
            message.platforms = platforms
            let error = try #require(refused(message))
            #expect(error.kind == .unsupported)
            #expect(error.message.contains("second TPNS provider"))
            #expect(error.message.contains("android"))
        }
        var message = Sample.message
        message.platforms = [.ios]
        #expect(try body(message) == body(Sample.message))
    }

    @Test("pictures, the app's own texts and data by platform are written where TPNS has them")
    func fields() throws {
        var message = Message(
            notification: Notification(
                title: "T", body: "B", image: "https://example.com/common.png", extras: ["k": "common"],
                ios: IOSNotification(
                    subtitle: "S", extras: ["k": "ios"]),
                android: AndroidNotification(image: "https://example.com/android.png", extras: ["k": "android"])))
        let ios = try body(message)["message"]
        #expect(ios?["xg_media_resources"] == "https://example.com/common.png")
        #expect(ios?["ios"]?["aps"]?["alert"] == ["subtitle": "S"])
        #expect(ios?["ios"]?["custom_content"] == #"{"k":"ios"}"#)
        let android = try body(message, .android)["message"]
        #expect(android?["xg_media_resources"] == "https://example.com/android.png")
        #expect(android?["android"]?["custom_content"] == #"{"k":"android"}"#)
        message.notification?.android?.body = .localized(key: "body")
        #expect(refused(message, .android)?.message.contains("android.body.localized") == true)
        for ios in [
            IOSNotification(title: .localized(key: "K")), IOSNotification(subtitle: .localized(key: "K")),
            IOSNotification(body: .localized(key: "K")),
        ] {
            // The vendor requires a plain title and text. A phone would show them instead of a key.
            let message = Message(notification: Notification(title: "T", body: "B", ios: ios))
            #expect(refused(message)?.kind == .unsupported)
        }
        let film = try message.options { $0.mediaResources = "https://example.com/film.mp4" }
        #expect(refused(film)?.message.contains("xg_media_resources") == true)
    }

    @Test("what a message says for the other platform is not for this app")
    func otherPlatform() throws {
        var message = Sample.message
        message.notification?.ios = IOSNotification(title: "i", body: "i", badge: .change(by: 5), collapseID: "c")
        #expect(try body(message, .android) == body(Sample.message, .android))
        message.notification?.ios = nil
        message.notification?.android = AndroidNotification(title: "a", body: "a", priority: 2, badge: .change(by: 9))
        #expect(try body(message) == body(Sample.message))
    }

    @Test("the environment goes with every iOS push, and with no Android push")
    func environment() throws {
        var message = Sample.message
        #expect(try body(message)["environment"] == "product")
        message.environment = .development
        #expect(try body(message)["environment"] == "dev")
        #expect(try body(message, .android)["environment"] == nil)
    }

    @Test("a missing title is the app's name, or a refusal")
    func title() throws {
        let message = Message(notification: Notification(body: "b"))
        #expect(refused(message)?.message.contains("appName") == true)
        let empty = Message(notification: Notification(title: "", body: "b"))
        #expect(refused(empty)?.kind == .invalidArgument)
        #expect(try body(message) { $0.appName = "Shop" }["message"]?["title"] == "Shop")
    }

    @Test(
        "badges are set, kept and raised by one; nothing else",
        arguments: [
            (Badge.set(0), 0), (.set(7), 7), (.change(by: 0), -1), (.change(by: 1), -2), (.change(by: 2), nil),
            (.change(by: -1), nil), (.set(-1), nil),
        ] as [(Badge, Int?)])
    func badges(badge: Badge, number: Int?) throws {
        let message = Message(
            notification: Notification(title: "t", body: "b", ios: IOSNotification(badge: badge)))
        guard let number else {
            #expect(refused(message) != nil)
            return
        }
        #expect(try body(message)["message"]?["ios"]?["aps"]?["badge_type"]?.intValue == number)
    }

    @Test("a life that the vendor would change is refused", arguments: [0, 1, 799, 800, 259_200])
    func life(seconds: Int) throws {
        var message = Sample.message
        message.timeToLive = .seconds(seconds)
        if (1..<800).contains(seconds) {
            #expect(refused(message)?.kind == .unsupported)
        } else {
            #expect(try body(message)["expire_time"]?.intValue == seconds)
        }
    }

    @Test("what a push cannot hold is refused")
    func contents() {
        let note = Notification(title: "t", body: "b")
        for message in [
            Message(notification: note, custom: CustomMessage(content: "c")), Message(liveActivity: [:]),
            Message(voip: [:]),
            Message(notification: Notification(title: "t", body: "b", ios: IOSNotification(isContentAvailable: true))),
            Message(notification: Notification(title: "t", body: "b", ios: IOSNotification(collapseID: "c"))),
        ] { #expect(refused(message)?.kind == .unsupported) }
        let long = Message(notification: Notification(title: "t", body: String(repeating: "x", count: 4096)))
        #expect(refused(long)?.kind == .tooLong)
        var collision = Message(custom: CustomMessage(content: "c", extras: ["content": 1]))
        #expect(refused(collision)?.kind == .invalidArgument)
        collision.custom?.contentType = "x"
        #expect(refused(collision, .android)?.kind == .unsupported)
    }

    @Test("a silent push on iOS carries a custom message under the keys of the app's convention")
    func silentKeys() throws {
        let message = Message(custom: CustomMessage(content: "c", title: "t", contentType: "y", extras: ["k": 1]))
        let payload = try body(message) { $0.silentKeys.content = "body" }["message"]?["ios"]?["custom_content"]
        #expect(payload == #"{"body":"c","content_type":"y","k":1,"title":"t"}"#)
    }

    @Test("accounts of two types, too many of anything and packages of no kind are refused")
    func audiences() throws {
        let mixed = [Account(name: "a", type: 1), Account(name: "b", type: 2)]
        #expect(refused(Sample.message, to: .accounts(mixed))?.kind == .invalidArgument)
        let untyped = refused(Sample.message, to: .accounts([Account(name: "a")]))
        #expect(untyped?.kind == .invalidArgument && untyped?.message.contains("of one type") == true)
        let many = (0...1000).map { DeviceID("d\($0)") }
        #expect(refused(Sample.message, to: .devices(many))?.kind == .limitExceeded)
        let tags = { (start: Int) in Set((start..<start + 250).map { Tag(rawValue: "t\($0)") }) }
        #expect(refused(Sample.message, to: .tagged(anyOf: tags(0), allOf: tags(250))) == nil)
        #expect(
            refused(Sample.message, to: .tagged(anyOf: tags(0), allOf: tags(250), noneOf: ["x"]))?.kind
                == .limitExceeded)
        for file in ["11231", "phone:1", "token:", "token:x", "token:-1", "token:1:2", "account:1:", "account:1:x"] {
            #expect(refused(Sample.message, to: .file(file))?.kind == .invalidArgument, "\(file)")
        }
        for audience: Audience in [.segment("s"), .liveActivity("l"), .aliases(["a"])] {
            #expect(refused(Sample.message, to: audience)?.kind == .unsupported)
        }
        let key = IdempotencyKey("k", kind: .push, mintedAt: .distantPast, expiresAt: .distantFuture)
        let context = SendContext(at: .distantPast, key: key)
        expectRefused(.error(.unsupported), try Sample.tpns().send(Sample.message, to: .everyone, in: context))
    }

    @Test(
        "options that the vendor has for other audiences, and options that it does not have, are refused by name",
        arguments: [
            (devices, #"{"send_time":"2026-12-01 09:30:00"}"#, "send_time"),
            (TPNSPackage(1, of: .devices).audience, #"{"push_speed":1000}"#, "push_speed"),
            (TPNSPackage(1, of: .accounts()).audience, #"{"push_speed":1000}"#, nil),
            (devices, #"{"collapse_id":1}"#, "collapse_id"),
            (.everyone, #"{"account_push_type":1}"#, "account_push_type"),
            (.everyone, #"{"ignore_invalid_token":1}"#, "ignore_invalid_token"),
            (.everyone, #"{"thread_id":"t"}"#, "threadID"), (devices, #"{"tag_rules":[\#(rule)]}"#, "tag"),
            (devices, #"{"badge_type":1}"#, "badge_type"),
        ] as [(Audience, String, String?)])
    func options(audience: Audience, options: String, word: String?) throws {
        let text = #"{"notification":{"title":"t","body":"b"},"options":{"tpns":\#(options)}}"#
        let error = refused(try JSONDecoder().decode(Message.self, from: Data(text.utf8)), to: audience)
        #expect(error?.kind == (word == nil ? nil : .invalidArgument))
        if let word { #expect(error?.message.contains(word) == true, "\(error?.message ?? "")") }
    }

    private static let devices = Audience.devices([Sample.device])
    private static let rule =
        #"{"operator":"OR","is_not":false,"tag_items":[{"tag_type":"xg_user_define","tags":["a"],"tags_operator":"OR","items_operator":"AND","is_not":false}]}"#

    @Test("the app's data do not go with Android's options")
    func optionsOfContents() throws {
        func android(_ fields: [String: JSONValue]) throws -> Message {
            try Sample.message.options { $0.android = fields }
        }
        #expect(try refused(android(["custom_content": "{}"]), .android)?.message.contains("custom_content") == true)
        var message = try android(["n_ch_id": "promo"])
        #expect(refused(message, .android) == nil)
        message.notification?.android = AndroidNotification(channelID: "orders")
        #expect(refused(message, .android)?.message.contains("n_ch_id") == true)
        let reserved = Message(notification: Notification(title: "t", body: "b", extras: ["xg": 1]))
        #expect(refused(reserved)?.message.contains("xg") == true && refused(reserved, .android) == nil)
    }

    @Test("Android has no priority and no category, and a badge grows by one")
    func android() {
        for android in [
            AndroidNotification(priority: 1), AndroidNotification(category: "msg"),
            AndroidNotification(badge: .change(by: 2)), AndroidNotification(tap: .intentAction("a.b")),
        ] {
            let message = Message(notification: Notification(title: "t", body: "b", android: android))
            #expect(refused(message, .android)?.kind == .unsupported)
        }
    }

    @Test("a replacement whose tags all have a colon means something else at the vendor")
    func colons() throws {
        let tpns = try Sample.tpns()
        expectRefused(
            .error(.unsupported, naming: "tags.replace"),
            try tpns.replaceTags(with: ["plan:gold", "city:sz"], of: Sample.device))
        let empty = try tpns.replaceTags(with: [], of: Sample.device)
        #expect(empty.request.body.text.contains(#""operator_type":5"#))
        #expect(empty.operation == .replaceTags)
    }

    @Test(
        "accounts of documented types have the documented form",
        arguments: [
            (1002, "+8613711112222", true), (1002, "13899998888", false), (1002, "+1x", false), (1002, "+0861", false),
            (991, "12345", true), (991, "1234", false), (991, "12a45", false),
            (992, String(repeating: "aF", count: 16), true), (992, String(repeating: "g", count: 32), false),
            (993, "1E2DFA89-496A-47FD-9941-DF1FC4E6484A", true), (993, "1e2dfa89-496a-47fd-9941-df1fc4e6484a", false),
            (995, "0A:1B:2C:3D:4E:5F", true), (995, "0a:1b:2c:3d:4e:5f", false), (1000, "123456789012345", true),
            (1000, "1234567890123", false), (1000, "a0000041f2b8c9", true), (1000, "A0000041F2B8C9", false),
            (994, String(repeating: "x", count: 32), true), (994, "x", false), (0, "anything", true), (7, "x", true),
            (4711, "unlisted", true), (-1, "x", false),
        ])
    func accountForms(type: Int, name: String, isRight: Bool) throws {
        let tpns = try Sample.tpns()
        let error = refusal { () throws(PushError) in
            try tpns.bindAccounts([Account(name: name, type: type)], to: Sample.device)
        }
        #expect((error == nil) == isRight)
        if let error { #expect(error.kind == .invalidArgument && !error.message.contains(name)) }
    }

    @Test("batches keep the vendor's numbers")
    func batches() throws {
        let tpns = try Sample.tpns()
        let devices = { (count: Int) in (0..<count).map { DeviceID("d\($0)") } }
        let (many, two) = (
            Set((0...100).map { Tag(rawValue: "t\($0)") }),
            Set([Account(name: "a", type: 0), Account(name: "b", type: 0)])
        )
        #expect(refusal { () throws(PushError) in try tpns.changeMembers(of: "t", .add(devices(500))) } == nil)
        expectRefused(.error(.limitExceeded), try tpns.changeMembers(of: "t", .add(devices(501))))
        expectRefused(.error(.limitExceeded), try tpns.addTags(devices(21).map { TPNSTagPair("t", $0) }))
        expectRefused(.error(.limitExceeded), try tpns.deleteTags(many))
        expectRefused(.error(.limitExceeded), try tpns.removeTags(many, from: "d"))
        expectRefused(.error(.limitExceeded), try tpns.clearAccounts(of: devices(21)))
        expectRefused(.error(.limitExceeded), try tpns.bindAccounts([TPNSBinding("d", two)]))
        expectRefused(.error(.invalidArgument), try tpns.changeMembers(of: "t", .add([])))
        expectRefused(.error(.invalidArgument), try tpns.addTags([], to: "d"))
        expectRefused(.error(.invalidArgument), try tpns.changeMembers(of: "a b", .add(["d"])))
    }

    @Test("uploads, plans, tasks and days are checked")
    func extras() throws {
        let tpns = try Sample.tpns()
        for path in ["list", "/tmp/list.doc", "/tmp/" + String(repeating: "x", count: 98) + ".txt", ""] {
            expectRefused(.error(), try tpns.upload(path, of: .devices))
        }
        for lines in [[], [""], ["a\nb"], ["a"]] { expectRefused(.error(), try tpns.upload(lines, of: .accounts())) }
        expectRefused(.error(), try tpns.createPlan(""))
        expectRefused(.error(.tooLong), try tpns.createPlan(String(repeating: "x", count: 61)))
        expectRefused(.error(.unsupported), try tpns.stop("1"))
        expectRefused(.error(.unsupported), try tpns.recall("1"))
        expectRefused(.error(.invalidArgument), try tpns.cancel("abc"))
        expectRefused(.error(.invalidArgument), try tpns.readPushes(from: "20261101", to: "20261120"))
        expectRefused(.error(.invalidArgument), try tpns.readDays(from: "20261120", to: "20261101"))
    }

    @Test("a moment is written on the vendor's clock")
    func clock() throws {
        let date = Date(timeIntervalSince1970: 1_795_132_800)
        #expect(try Sample.tpns().vendorTime(of: date) == "2026-11-20 08:00:00")
        #expect(try Sample.tpns { $0.clockOffset = .zero }.vendorTime(of: date) == "2026-11-20 00:00:00")
    }
}
