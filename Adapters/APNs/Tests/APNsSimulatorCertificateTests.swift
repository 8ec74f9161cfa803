import APNsSimulator
import PushAdapter
import PushSimulation
import Testing

/// Connections with a provider certificate.
@Suite("APNs simulator: certificates")
struct APNsSimulatorCertificateTests {
    private static let der: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x01]

    private static func apple(
        _ edit: (inout APNsCertificate) -> Void = { _ in }, settings: (inout APNsSimulatorSettings) -> Void = { _ in }
    ) throws -> Apple {
        var certificate = APNsCertificate(der: der, bundleID: Apple.shop)
        edit(&certificate)
        return try Apple(certificates: [certificate], settings: settings)
    }

    /// The outcome of a push without a provider token.
    private static func send(
        _ apple: Apple, topic: String? = Apple.shop, to purpose: Apple.Purpose = .app,
        over connection: SimulatedConnection
    ) async -> String {
        let fields: [String: String?] = ["authorization": nil, "apns-push-type": nil, "apns-topic": topic]
        return await apple.send(to: Apple.token(for: purpose), Apple.alert, fields, over: connection).outcome
    }

    @Test("a certificate opens all streams at once, and takes the place of provider tokens")
    func access() async throws {
        let apple = try Self.apple()
        let (connection, start) = await apple.open(Self.der)
        #expect(start == [.streamLimit(1000)])
        let answer = await apple.send(Apple.alert, ["authorization": nil], over: connection)
        #expect(answer.status == 200 && answer.signals == [])
        // The header is ignored.
        #expect(await apple.push("x", over: connection) == "200")
    }

    private static let disallowed = "400 TopicDisallowed"

    /// The outcomes with a certificate for one topic, and with one for calls and complications too.
    private static let topics: [(topic: String?, purpose: Apple.Purpose, one: String, more: String)] = [
        (nil, .app, "200", "400 MissingTopic"), (Apple.shop, .app, "200", "200"),
        (Apple.shop + ".voip", .voip, disallowed, "200"),
        (Apple.shop + ".complication", .complication, disallowed, "200"),
        (Apple.shop + ".location-query", .location, disallowed, disallowed),
        (Apple.shop + ".pushkit.fileprovider", .fileProvider, disallowed, disallowed),
        (Apple.shop + ".push-type.liveactivity", .liveActivity, disallowed, disallowed),
        (Apple.cafe, .app, disallowed, disallowed),
    ]

    @Test("a certificate covers one topic of its app and stands for it, or three", arguments: [false, true])
    func topics(hasMoreTopics: Bool) async throws {
        let apple = try Self.apple { $0.hasMoreTopics = hasMoreTopics }
        let connection = await apple.open(Self.der).connection
        for (topic, purpose, one, more) in Self.topics {
            let outcome = await Self.send(apple, topic: topic, to: purpose, over: connection)
            #expect(outcome == (hasMoreTopics ? more : one), "\(topic ?? "none")")
        }
    }

    @Test("a certificate of the other environment is met with GOAWAY, or only refused", arguments: [true, false])
    func otherEnvironment(isEnded: Bool) async throws {
        let apple = try Self.apple(
            { $0.environment = .development }, settings: { $0.endsForeignCertificates = isEnded })
        let (connection, start) = await apple.open(Self.der)
        let end = ConnectionSignal.goAway(Array(#"{"reason":"BadCertificateEnvironment"}"#.utf8))
        #expect(start == [.streamLimit(1000)] + (isEnded ? [end] : []))
        #expect(await Self.send(apple, over: connection) == "403 BadCertificateEnvironment")
    }

    @Test("an unknown certificate and an invalid one are refused, before anything else is checked")
    func invalid() async throws {
        let apple = try Self.apple { $0.isValid = false }
        for der in [Self.der, [0x30, 0x00]] {
            let connection = await apple.open(der).connection
            #expect(await Self.send(apple, over: connection) == "403 BadCertificate")
            #expect(await apple.ask(.get, "/", over: connection).status == 403)
            // A provider token does not help.
            #expect(await apple.push(over: connection) == "403 BadCertificate")
        }
        #expect(await apple.push() == "200")
    }

    @Test("a certificate works for channels of its app, unless the settings say otherwise", arguments: [true, false])
    func channels(isAccepted: Bool) async throws {
        let apple = try Self.apple(settings: { $0.acceptsCertificatesForChannels = isAccepted })
        let connection = await apple.open(Self.der).connection
        let (own, other) = (await apple.list(over: connection), await apple.list(Apple.cafe, over: connection))
        #expect(own.outcome == (isAccepted ? "200" : "403 MissingProviderToken"))
        #expect(other.outcome == (isAccepted ? "403 TopicMismatch" : "403 MissingProviderToken"))
    }
}
