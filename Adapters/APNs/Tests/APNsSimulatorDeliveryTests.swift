import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// The messages that arrive on a device, and those that wait while it is offline.
@Suite("APNs simulator: delivery")
struct APNsSimulatorDeliveryTests {
    private typealias Apple = SimulatedApple

    private static func last(
        _ body: String, _ headers: [String: String?] = [:], to purpose: Apple.Purpose = .app
    ) async throws -> DeliveredMessage {
        let apple = try Apple()
        let answer = await apple.send(to: Apple.token(for: purpose), body, headers)
        #expect(answer.status == 200)
        let inbox = await apple.inbox()
        let message = try #require(inbox.last)
        #expect(message.messageID == answer.id)
        #expect(await apple.simulator.receivers(of: message.messageID) == [Apple.phone])
        return message
    }

    // MARK: Contents

    @Test("a notification arrives with all its parts, and unknown keys do no harm")
    func notification() async throws {
        let body = #"""
            { "aps": {"alert": {"title": "T", "subtitle": "S", "body": "B", "launch-image": "i"}, "badge": 3,
            "sound": "s.caf", "category": "c", "thread-id": "t", "interruption-level": "time-sensitive",
            "mutable-content": 1, "content-available": 1, "relevance-score": 0.5, "new-key": [1]},
            "order": 17, "nested": {"a": null} }
            """#
        let message = try await Self.last(body, ["apns-collapse-id": "same"])
        #expect(message.title == "T")
        #expect(message.subtitle == "S")
        #expect(message.alert == "B")
        #expect(message.badge == 3)
        #expect(message.sound == "s.caf")
        #expect(message.category == "c")
        #expect(message.thread == "t")
        #expect(message.interruptionLevel == "time-sensitive")
        #expect(message.isMutable)
        #expect(message.wakesApp)
        #expect(message.collapseID == "same")
        #expect(message.extras == ["order": 17, "nested": ["a": .null]])
        #expect(message.custom == nil)
        #expect(message.call == nil)
        #expect(message.activity == nil)
    }

    @Test("an alert may be one text, a sound a dictionary, and texts keys")
    func forms() async throws {
        let plain = try await Self.last(#"{"aps":{"alert":"B","sound":{"critical":1,"name":"alarm","volume":0.5}}}"#)
        #expect(plain.alert == "B")
        #expect(plain.title == nil)
        #expect(plain.sound == "alarm")
        let keys = try await Self.last(
            #"{"aps":{"alert":{"title-loc-key":"TK","subtitle-loc-key":"SK","loc-key":"BK","loc-args":["1"]}}}"#)
        #expect(keys.title == "TK")
        #expect(keys.subtitle == "SK")
        #expect(keys.alert == "BK")
        let both = try await Self.last(
            #"{"aps":{"alert":{"title":"T","title-loc-key":"TK","body":"B","loc-key":"BK"}}}"#)
        #expect(both.title == "T")
        #expect(both.alert == "B")
    }

    @Test("a background push carries its content beside aps")
    func background() async throws {
        let type: [String: String?] = ["apns-push-type": "background", "apns-priority": "5"]
        let named = try await Self.last(#"{"aps":{"content-available":1},"content":"sync","k":"v"}"#, type)
        #expect(named.wakesApp)
        #expect(!named.isVisible)
        #expect(named.custom == CustomMessage(content: "sync", extras: ["k": "v"]))
        #expect(named.extras == [:])
        let whole = try await Self.last(#"{"aps":{"content-available":1},"k":"v"}"#, type)
        #expect(whole.custom?.content == #"{"k":"v"}"#)
        let bare = try await Self.last(#"{"aps":{"content-available":1}}"#, type)
        #expect(bare.custom == nil)
        #expect(bare.wakesApp)
        // The `content` of a notification is not a custom message.
        let shown = try await Self.last(#"{"aps":{"badge":1},"content":"sync"}"#)
        #expect(shown.custom == nil)
        #expect(shown.extras == ["content": "sync"])
    }

    @Test("a call carries the whole payload")
    func calls() async throws {
        let message = try await Self.last(
            #"{"caller":"A","aps":{"alert":"ring"}}"#,
            ["apns-topic": Apple.shop + ".voip", "apns-push-type": "voip"], to: .voip)
        #expect(message.call == ["caller": "A", "aps": ["alert": "ring"]])
        #expect(message.alert == nil)
        #expect(message.extras == [:])
    }

    @Test(
        "other pushes hand their own keys to the app",
        arguments: [
            (SimulatedApple.Purpose.location, ".location-query", "location"),
            (.complication, ".complication", "complication"), (.fileProvider, ".pushkit.fileprovider", "fileprovider"),
            (.pushToTalk, ".voip-ptt", "pushtotalk"),
        ])
    func others(purpose: APNsRegistration.Purpose, suffix: String, type: String) async throws {
        let message = try await Self.last(
            #"{"aps":{},"query":1}"#, ["apns-topic": Apple.shop + suffix, "apns-push-type": type], to: purpose)
        #expect(message.custom?.content == #"{"query":1}"#)
        #expect(message.custom?.extras == ["query": 1])
        #expect(message.call == nil)
    }

    // MARK: Waiting

    private static func offline() async throws -> Apple {
        let apple = try Apple()
        await apple.simulator.setOnline(false, Apple.phone, at: apple.now)
        return apple
    }

    private static func comeOnline(_ apple: Apple) async {
        await apple.simulator.setOnline(true, Apple.phone, at: apple.now)
    }

    private static func text(_ text: String) -> String { #"{"aps":{"alert":"\#(text)"}}"# }

    @Test("only the last push to a token waits")
    func newest() async throws {
        let apple = try await Self.offline()
        for text in ["1", "2", "3"] { #expect(await apple.send(Self.text(text)).status == 200) }
        #expect(await apple.inbox() == [])
        await Self.comeOnline(apple)
        #expect(await apple.inbox().map(\.alert) == ["3"])
        // The push does not arrive again.
        await apple.simulator.setOnline(false, Apple.phone, at: apple.now)
        await Self.comeOnline(apple)
        #expect(await apple.inbox().count == 1)
    }

    @Test("each token of a device has its own push that waits; they come in the order of sending")
    func tokens() async throws {
        let apple = try await Self.offline()
        let call: [String: String?] = ["apns-topic": Apple.shop + ".voip", "apns-push-type": "voip"]
        #expect(await apple.send(Self.text("old")).status == 200)
        #expect(await apple.send(to: Apple.token(for: .voip), #"{"n":1}"#, call).status == 200)
        #expect(await apple.send(Self.text("new")).status == 200)
        await Self.comeOnline(apple)
        let inbox = await apple.inbox()
        #expect(inbox.map(\.alert) == [nil, "new"])
        #expect(inbox.first?.call == ["n": 1])
    }

    @Test(
        "a push waits until it expires, 30 days at most; one that is for now does not wait",
        arguments: [
            (nil, 30 * 86_400 - 1, true), (nil, 30 * 86_400, false), ("0", 0, false), ("300", 0, false),
            ("1795165300", 99, true), ("1795165300", 100, false), ("1900000000", 30 * 86_400 - 1, true),
            ("1900000000", 30 * 86_400, false),
        ] as [(String?, Int, Bool)])
    func expirations(expiration: String?, seconds: Int, arrives: Bool) async throws {
        let apple = try await Self.offline()
        #expect(await apple.send(Apple.alert, ["apns-expiration": expiration]).status == 200)
        apple.pass(Double(seconds))
        await Self.comeOnline(apple)
        #expect(await apple.inbox().count == (arrives ? 1 : 0))
        // An online device gets the push in any case.
        let online = try Apple()
        #expect(await online.send(Apple.alert, ["apns-expiration": expiration]).status == 200)
        #expect(await online.inbox().count == 1)
    }

    @Test("a push for now does not remove one that waits")
    func keeps() async throws {
        let apple = try await Self.offline()
        #expect(await apple.send(Self.text("kept")).status == 200)
        #expect(await apple.send(Self.text("now"), ["apns-expiration": "0"]).status == 200)
        await Self.comeOnline(apple)
        #expect(await apple.inbox().map(\.alert) == ["kept"])
    }

    @Test("what waits is lost with the app")
    func removed() async throws {
        let apple = try await Self.offline()
        #expect(await apple.send().status == 200)
        await apple.simulator.uninstall(Apple.token(for: .app), at: apple.now)
        await Self.comeOnline(apple)
        #expect(await apple.inbox() == [])
    }
}
