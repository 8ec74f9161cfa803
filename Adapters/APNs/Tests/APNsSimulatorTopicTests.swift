import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Topics and push types, and the device tokens that fit them.
@Suite("APNs simulator: topics and push types")
struct APNsSimulatorTopicTests {
    private typealias Apple = SimulatedApple

    @Test(
        "a topic is that of an app which the key is for",
        arguments: [
            (nil, "MissingTopic"), ("", "MissingTopic"), ("com example", "BadTopic"), ("com.example.ü", "BadTopic"),
            ("com.example.none", "BadTopic"), ("com.example.shop.other", "BadTopic"),
            ("com.example.bank", "TopicDisallowed"), ("com.example.shop", nil),
        ] as [(String?, String?)])
    func topics(topic: String?, reason: String?) async throws {
        let answer = try await Apple().send(Apple.alert, ["apns-topic": topic])
        #expect(answer.status == (reason == nil ? 200 : 400))
        #expect(answer.reason == reason)
    }

    @Test("a key for some topics pushes to no other")
    func keyTopics() async throws {
        let apple = try Apple { _, signers, _ in signers[0].topics = [Apple.shop, Apple.cafe + ".voip"] }
        #expect(await apple.send().status == 200)
        func reason(_ topic: String) async -> String? {
            await apple.send(to: Apple.cafeDevice, Apple.alert, ["apns-topic": topic, "apns-push-type": nil]).reason
        }
        #expect(await reason(Apple.cafe) == "TopicDisallowed")
        #expect(await reason(Apple.cafe + ".voip") == "DeviceTokenNotForTopic")
    }

    @Test("the reasons for other topics are settings")
    func topicReasons() async throws {
        let apple = try Apple { _, _, settings in
            settings.unknownTopicReason = .topicDisallowed
            settings.foreignTopicReason = .invalidProviderToken
        }
        let unknown = await apple.send(Apple.alert, ["apns-topic": "com.example.none"])
        #expect(unknown.status == 400)
        #expect(unknown.reason == "TopicDisallowed")
        let foreign = await apple.send(Apple.alert, ["apns-topic": Apple.bank])
        #expect(foreign.status == 403)
        #expect(foreign.reason == "InvalidProviderToken")
    }

    /// The type, the end of the topic and the token of each push.
    private static let rows: [(type: String, suffix: String, purpose: Apple.Purpose)] = [
        ("alert", "", .app), ("background", "", .app), ("voip", ".voip", .voip),
        ("complication", ".complication", .complication), ("fileprovider", ".pushkit.fileprovider", .fileProvider),
        ("liveactivity", ".push-type.liveactivity", .liveActivity),
        ("liveactivity", ".push-type.liveactivity", .pushToStart), ("pushtotalk", ".voip-ptt", .pushToTalk),
        ("location", ".location-query", .location), ("widgets", ".push-type.widgets", .widgets),
        ("controls", ".push-type.controls", .controls),
    ]

    @Test("each push type has its topic, and each topic its tokens", arguments: rows.indices)
    func matrix(index: Int) async throws {
        let apple = try Apple()
        let own = Self.rows[index]
        for (_, suffix, purpose) in Self.rows {
            let answer = await apple.send(
                to: Apple.token(for: purpose), Apple.alert,
                ["apns-topic": Apple.shop + suffix, "apns-push-type": own.type])
            let fits = Self.rows.contains { $0.type == own.type && $0.suffix == suffix }
            #expect(answer.reason == (fits ? nil : "InvalidPushType"), "\(own.type) to \(suffix)")
            let untyped = await apple.send(
                to: Apple.token(for: purpose), Apple.alert,
                ["apns-topic": Apple.shop + own.suffix, "apns-push-type": nil])
            #expect(untyped.reason == (own.suffix == suffix ? nil : "DeviceTokenNotForTopic"), "\(own.suffix)")
        }
    }

    @Test("device management has a topic of its own", arguments: ["mdm", "alert"])
    func management(type: String) async throws {
        let answer = try await Apple().send(
            to: Apple.token(for: .mdm), #"{"mdm":"magic"}"#,
            ["apns-topic": Apple.management, "apns-push-type": type])
        #expect(answer.reason == (type == "mdm" ? nil : "InvalidPushType"))
        let app = try await Apple().send(Apple.alert, ["apns-push-type": "mdm"])
        #expect(app.reason == "InvalidPushType")
    }

    @Test("a push type is one of the list, in small letters", arguments: ["Alert", "LiveActivity", "safari", "push"])
    func types(type: String) async throws {
        let answer = try await Apple().send(Apple.alert, ["apns-push-type": type])
        #expect(answer.status == 400)
        #expect(answer.reason == "InvalidPushType")
    }
}
