import APNsSimulator
import PushAdapter
import PushSimulation
import Testing

/// The messages that arrive on a device, and those that wait while it is offline.
@Suite("APNs simulator: delivery")
struct APNsSimulatorDeliveryTests {
    private static func last(
        _ body: String, _ headers: [String: String?] = [:], to purpose: Apple.Purpose = .app
    ) async throws -> DeliveredMessage {
        let apple = try Apple()
        let answer = await apple.send(to: Apple.token(for: purpose), body, headers)
        #expect(answer.status == 200)
        let message = try #require(await apple.inbox().last)
        #expect(message.messageID == answer.id)
        #expect(await apple.simulator.receivers(of: message.messageID) == [Apple.phone])
        return message
    }

    @Test("a notification arrives with all its parts, and unknown keys do no harm")
    func notification() async throws {
        let body = #"""
            { "aps": {"alert": {"title": "T", "subtitle": "S", "body": "B", "launch-image": "i"}, "badge": 3,
            "sound": "s.caf", "category": "c", "thread-id": "t", "interruption-level": "time-sensitive",
            "mutable-content": 1, "content-available": 1, "relevance-score": 0.5, "new-key": [1]},
            "order": 17, "nested": {"a": null} }
            """#
        let message = try await Self.last(body, ["apns-collapse-id": "same"])
        var expected = DeliveredMessage(
            messageID: message.messageID, alert: "B", title: "T", badge: 3,
            extras: ["order": 17, "nested": ["a": .null]])
        (expected.subtitle, expected.sound, expected.category, expected.thread) = ("S", "s.caf", "c", "t")
        (expected.interruptionLevel, expected.collapseID) = ("time-sensitive", "same")
        (expected.isMutable, expected.wakesApp) = (true, true)
        #expect(message == expected)
    }

    /// A payload, and the title, the alert and the sound of its message.
    private static let texts: [(aps: String, title: String?, subtitle: String?, alert: String, sound: String?)] = [
        (#""alert":"B","sound":{"critical":1,"name":"alarm","volume":0.5}"#, nil, nil, "B", "alarm"),
        (
            #""alert":{"title-loc-key":"TK","subtitle-loc-key":"SK","loc-key":"BK","loc-args":["1"]}"#, "TK", "SK",
            "BK", nil
        ),
        (#""alert":{"title":"T","title-loc-key":"TK","body":"B","loc-key":"BK"}"#, "T", nil, "B", nil),
    ]

    @Test("an alert may be one text, a sound a dictionary, and texts keys", arguments: texts)
    func forms(aps: String, title: String?, subtitle: String?, alert: String, sound: String?) async throws {
        let message = try await Self.last(#"{"aps":{\#(aps)}}"#)
        #expect(message.title == title && message.subtitle == subtitle)
        #expect(message.alert == alert && message.sound == sound)
    }

    @Test("a background push carries its content beside aps, and so do pushes that are for the app only")
    func background() async throws {
        let type: [String: String?] = ["apns-push-type": "background", "apns-priority": "5"]
        let named = try await Self.last(#"{"aps":{"content-available":1},"content":"sync","k":"v"}"#, type)
        #expect(named.wakesApp && !named.isVisible && named.extras == [:])
        #expect(named.custom == CustomMessage(content: "sync", extras: ["k": "v"]))
        let whole = try await Self.last(#"{"aps":{"content-available":1},"k":"v"}"#, type)
        #expect(whole.custom?.content == #"{"k":"v"}"#)
        let bare = try await Self.last(#"{"aps":{"content-available":1}}"#, type)
        #expect(bare.custom == nil && bare.wakesApp)
        // The `content` of a notification is not a custom message.
        let shown = try await Self.last(#"{"aps":{"badge":1},"content":"sync"}"#)
        #expect(shown.custom == nil && shown.extras == ["content": "sync"])
        let others: [(Apple.Purpose, String, String)] = [
            (.location, ".location-query", "location"), (.complication, ".complication", "complication"),
            (.fileProvider, ".pushkit.fileprovider", "fileprovider"), (.pushToTalk, ".voip-ptt", "pushtotalk"),
        ]
        for (purpose, suffix, type) in others {
            let fields: [String: String?] = ["apns-topic": Apple.shop + suffix, "apns-push-type": type]
            let message = try await Self.last(#"{"aps":{},"query":1}"#, fields, to: purpose)
            #expect(message.custom == CustomMessage(content: #"{"query":1}"#, extras: ["query": 1]), "\(type)")
            #expect(message.call == nil)
        }
    }

    @Test("a call carries the whole payload")
    func calls() async throws {
        let message = try await Self.last(#"{"caller":"A","aps":{"alert":"ring"}}"#, Apple.call, to: .voip)
        #expect(message.call == ["caller": "A", "aps": ["alert": "ring"]])
        #expect(message.alert == nil && message.extras == [:])
    }

    private static func send(_ text: String, _ headers: [String: String?] = [:]) -> Step {
        .send("200", #"{"aps":{"alert":"\#(text)"}}"#, headers)
    }

    private static let stories: [Story] = [
        Story(
            "only the last push to a token waits, and arrives once; a push for now does not wait", .online(false),
            send("1"), send("2"), send("3"), send("now", ["apns-expiration": "0"]), .inbox([]), .online(true),
            .inbox(["3"]), .online(false), .inbox(["3"]), .online(true), .inbox(["3"])),
        Story(
            "each token of a device has its own push that waits; they come in the order of sending", .online(false),
            send("old"), .send("200", to: Apple.token(for: .voip), #"{"n":1}"#, Apple.call), send("new"), .online(true),
            .inbox([nil, "new"]), Step { #expect(await $0.apple.inbox().first?.call == ["n": 1]) }),
        Story("what waits is lost with the app", .online(false), .push("200"), .uninstall, .online(true), .inbox([])),
    ]

    @Test("what waits for a device", arguments: stories)
    func story(row: Story) async throws { try await row.play() }

    @Test(
        "a push waits until it expires, 30 days at most; one that is for now does not wait",
        arguments: [
            (nil, 30 * 86_400 - 1, true), (nil, 30 * 86_400, false), ("0", 0, false), ("300", 0, false),
            ("1795165300", 99, true), ("1795165300", 100, false), ("1900000000", 30 * 86_400 - 1, true),
            ("1900000000", 30 * 86_400, false),
        ] as [(String?, Int, Bool)])
    func expirations(expiration: String?, seconds: Int, arrives: Bool) async throws {
        let send = Step.send("200", Apple.alert, ["apns-expiration": expiration])
        try await Story(
            "a device that is offline", .online(false), send, .pass(Double(seconds)), .online(true),
            .inbox(arrives ? ["B"] : [])
        ).play()
        try await Story("an online device gets the push in any case", send, .inbox(["B"])).play()
    }
}
