import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Connections with a provider certificate.
@Suite("APNs simulator: certificates")
struct APNsSimulatorCertificateTests {
    private typealias Apple = SimulatedApple
    private static let der: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x01]

    private static func apple(
        _ edit: (inout APNsCertificate) -> Void = { _ in },
        settings: (inout APNsSimulatorSettings) -> Void = { _ in }
    ) throws -> Apple {
        var certificate = APNsCertificate(der: der, bundleID: Apple.shop)
        edit(&certificate)
        return try Apple(certificates: [certificate]) { _, _, values in settings(&values) }
    }

    /// A push without a provider token.
    private static func send(
        _ apple: Apple, _ headers: [String: String?] = [:], to purpose: Apple.Purpose = .app,
        over connection: SimulatedConnection
    ) async -> Apple.Answer {
        var all: [String: String?] = ["authorization": nil, "apns-push-type": nil]
        all.merge(headers) { $1 }
        return await apple.send(to: Apple.token(for: purpose), Apple.alert, all, over: connection)
    }

    @Test("a certificate opens all streams at once, and takes the place of provider tokens")
    func access() async throws {
        let apple = try Self.apple()
        let (connection, start) = await apple.open(Self.der)
        #expect(start == [.streamLimit(1000)])
        let answer = await Self.send(apple, over: connection)
        #expect(answer.status == 200)
        #expect(answer.signals == [])
        // The header is ignored.
        #expect(await Self.send(apple, ["authorization": "bearer x"], over: connection).status == 200)
    }

    @Test("a certificate covers the topics of its app for notifications, calls and complications")
    func topics() async throws {
        let apple = try Self.apple()
        let (connection, _) = await apple.open(Self.der)
        let cases: [(String, Apple.Purpose, String?)] = [
            ("", .app, nil), (".voip", .voip, nil), (".complication", .complication, nil),
            (".location-query", .location, "TopicDisallowed"),
            (".pushkit.fileprovider", .fileProvider, "TopicDisallowed"),
            (".push-type.liveactivity", .liveActivity, "TopicDisallowed"),
        ]
        for (suffix, purpose, reason) in cases {
            let answer = await Self.send(apple, ["apns-topic": Apple.shop + suffix], to: purpose, over: connection)
            #expect(answer.reason == reason)
        }
        #expect(await Self.send(apple, ["apns-topic": Apple.cafe], over: connection).reason == "TopicDisallowed")
    }

    @Test("only a certificate with one topic stands for it", arguments: [true, false])
    func standardTopic(hasMoreTopics: Bool) async throws {
        let apple = try Self.apple { $0.hasMoreTopics = hasMoreTopics }
        let (connection, _) = await apple.open(Self.der)
        let answer = await Self.send(apple, ["apns-topic": nil], over: connection)
        #expect(answer.reason == (hasMoreTopics ? "MissingTopic" : nil))
        let call = await Self.send(apple, ["apns-topic": Apple.shop + ".voip"], to: .voip, over: connection)
        #expect(call.reason == (hasMoreTopics ? nil : "TopicDisallowed"))
    }

    @Test("a certificate of the other environment is met with GOAWAY, or only refused", arguments: [true, false])
    func otherEnvironment(isEnded: Bool) async throws {
        let apple = try Self.apple {
            $0.environment = .development
        } settings: {
            $0.endsForeignCertificates = isEnded
        }
        let (connection, start) = await apple.open(Self.der)
        let end = ConnectionSignal.goAway(Array(#"{"reason":"BadCertificateEnvironment"}"#.utf8))
        #expect(start == (isEnded ? [.streamLimit(1000), end] : [.streamLimit(1000)]))
        let answer = await Self.send(apple, over: connection)
        #expect(answer.status == 403)
        #expect(answer.reason == "BadCertificateEnvironment")
    }

    @Test("an unknown certificate and an invalid one are refused, before anything else is checked")
    func invalid() async throws {
        let apple = try Self.apple { $0.isValid = false }
        for der in [Self.der, [0x30, 0x00]] {
            let (connection, _) = await apple.open(der)
            #expect(await Self.send(apple, over: connection).reason == "BadCertificate")
            #expect(await apple.ask(.get, "/", over: connection).status == 403)
            // A provider token does not help.
            #expect(await apple.send(over: connection).reason == "BadCertificate")
        }
        #expect(await apple.send().status == 200)
    }

    @Test("a certificate works for channels of its app, unless the settings say otherwise", arguments: [true, false])
    func channels(isAccepted: Bool) async throws {
        let apple = try Self.apple { _ in
        } settings: {
            $0.acceptsCertificatesForChannels = isAccepted
        }
        let (connection, _) = await apple.open(Self.der)
        let answer = await apple.ask(.get, "/1/apps/\(Apple.shop)/all-channels", over: connection)
        #expect(answer.reason == (isAccepted ? nil : "MissingProviderToken"))
        let other = await apple.ask(.get, "/1/apps/\(Apple.cafe)/all-channels", over: connection)
        #expect(other.reason == (isAccepted ? "TopicMismatch" : "MissingProviderToken"))
    }
}
