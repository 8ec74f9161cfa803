import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// The rules of one connection: streams, GOAWAY, keys, tokens.
@Suite("APNs simulator: connections")
struct APNsSimulatorConnectionTests {
    private typealias Apple = SimulatedApple

    private static func goAway(_ reason: String) -> ConnectionSignal {
        .goAway(Array(#"{"reason":"\#(reason)"}"#.utf8))
    }

    // MARK: Streams

    @Test("one stream until a request passes authentication, then all")
    func streams() async throws {
        let apple = try Apple()
        let (connection, start) = await apple.open()
        #expect(start == [.streamLimit(1)])
        #expect(await apple.send(with: "a.b.c", over: connection).signals == [])
        #expect(await apple.ask(.get, "/3/device/x", over: connection).signals == [])
        let refused = await apple.send(to: Apple.ghost, over: connection)
        #expect(refused.reason == "BadDeviceToken")
        #expect(refused.signals == [.streamLimit(1000)])
        #expect(await apple.send(over: connection).signals == [])
        let another = await apple.open().connection
        #expect(await apple.send(over: another).signals == [.streamLimit(1000)])
        // A request without a connection gets no signals.
        #expect(await apple.send().signals == [])
    }

    @Test("a request for channels opens the streams too")
    func channelStreams() async throws {
        let apple = try Apple()
        let (connection, _) = await apple.open()
        let answer = await apple.ask(
            .get, "/1/apps/\(Apple.shop)/all-channels", [("authorization", "bearer " + apple.bearer)], over: connection)
        #expect(answer.status == 200)
        #expect(answer.signals == [.streamLimit(1000)])
    }

    @Test("the number of streams is a setting, and a refusal may not open them")
    func fewerStreams() async throws {
        let apple = try Apple { _, _, settings in
            settings.streamLimit = 7
            settings.raisesLimitAfterRefusal = false
        }
        let (connection, _) = await apple.open()
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [])
        #expect(await apple.send(over: connection).signals == [.streamLimit(7)])
    }

    @Test("a refusal may lower the limit until the next success")
    func lowered() async throws {
        let apple = try Apple { _, _, settings in settings.lowersLimitAfterRefusal = true }
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).signals == [.streamLimit(1000)])
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [.streamLimit(1)])
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [])
        #expect(await apple.send(over: connection).signals == [.streamLimit(1000)])
    }

    // MARK: GOAWAY

    @Test("too many bad device tokens end a connection, and only that one")
    func badTokens() async throws {
        let apple = try Apple { _, _, settings in settings.badTokensUntilGoAway = 3 }
        let (connection, _) = await apple.open()
        let (other, _) = await apple.open()
        #expect(await apple.send(over: other).signals == [.streamLimit(1000)])
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [.streamLimit(1000)])
        // Refusals for other reasons do not count.
        #expect(await apple.send(to: Apple.cafeDevice, over: connection).reason == "DeviceTokenNotForTopic")
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [])
        #expect(await apple.send(to: Apple.ghost, over: other).signals == [])
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [Self.goAway("BadDeviceToken")])
    }

    @Test("GOAWAY may carry plain text, come twice, or never")
    func goAwayForms() async throws {
        let text = "Maximum active streams violated for this endpoint."
        let forms: [(Int?, String?, Bool, [ConnectionSignal])] = [
            (1, nil, true, [Self.goAway("BadDeviceToken"), .goAway([])]),
            (1, text, false, [.goAway(Array(text.utf8))]), (nil, nil, true, []),
        ]
        for (most, text, isTwice, expected) in forms {
            let apple = try Apple { _, _, settings in
                settings.badTokensUntilGoAway = most
                settings.goAwayText = text
                settings.repeatsGoAway = isTwice
            }
            let (connection, _) = await apple.open()
            _ = await apple.send(over: connection)
            #expect(await apple.send(to: Apple.ghost, over: connection).signals == expected)
        }
    }

    // MARK: Keys

    @Test("the first request binds a connection to its team")
    func teams() async throws {
        let apple = try Apple()
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        let other = try apple.jwt(key: Apple.otherTeamKey, team: Apple.otherTeam)
        let fields: [String: String?] = ["authorization": "bearer " + other, "apns-topic": Apple.bank]
        let refused = await apple.send(to: Apple.bankDevice, Apple.alert, fields, over: connection)
        #expect(refused.status == 403)
        #expect(refused.reason == "InvalidProviderToken")
        let (fresh, _) = await apple.open()
        #expect(await apple.send(to: Apple.bankDevice, Apple.alert, fields, over: fresh).status == 200)
    }

    @Test("a request that fails authentication binds nothing")
    func unbound() async throws {
        let apple = try Apple()
        let (connection, _) = await apple.open()
        let wrong = try apple.jwt(key: Apple.secondKey, team: Apple.otherTeam)
        #expect(await apple.send(with: wrong, over: connection).reason == "InvalidProviderToken")
        #expect(await apple.send(over: connection).status == 200)
    }

    @Test("an unrelated key of the same team needs another connection")
    func unrelated() async throws {
        let apple = try Apple()
        let second = try apple.jwt(key: Apple.secondKey)
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        let refused = await apple.send(with: second, over: connection)
        #expect(refused.status == 403)
        #expect(refused.reason == "UnrelatedKeyIdInToken")
        // A request without a connection binds nothing.
        #expect(await apple.send(with: second).status == 200)
        #expect(await apple.send().status == 200)
    }

    @Test("a related key may be used on the same connection, whichever names the other", arguments: [0, 1])
    func related(index: Int) async throws {
        let apple = try Apple { _, signers, _ in
            signers[index].relatedKeyID = index == 0 ? Apple.secondKey : Apple.key
        }
        let second = try apple.jwt(key: Apple.secondKey)
        let (connection, _) = await apple.open()
        for _ in 0..<2 {
            #expect(await apple.send(over: connection).status == 200)
            #expect(await apple.send(with: second, over: connection).status == 200)
        }
    }

    @Test("a key for some topics and one for the whole team do not share a connection")
    func kinds() async throws {
        let apple = try Apple { _, signers, _ in
            signers[0].relatedKeyID = Apple.secondKey
            signers[1].topics = [Apple.shop]
        }
        let second = try apple.jwt(key: Apple.secondKey)
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        #expect(await apple.send(with: second, over: connection).reason == "UnrelatedKeyIdInToken")
        #expect(await apple.send(with: second).status == 200)
    }

    @Test("a topic that a key got later needs another connection")
    func newTopics() async throws {
        let apple = try Apple { _, signers, _ in signers[0].topics = [Apple.shop] }
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        func send(over connection: SimulatedConnection) async -> String? {
            await apple.send(to: Apple.cafeDevice, Apple.alert, ["apns-topic": Apple.cafe], over: connection).reason
        }
        #expect(await send(over: connection) == "TopicDisallowed")
        await apple.simulator.addTopic(Apple.cafe, to: Apple.key)
        #expect(await send(over: connection) == "TopicDisallowed")
        let (fresh, _) = await apple.open()
        #expect(await send(over: fresh) == nil)
    }

    @Test("an app that a team got later needs another connection")
    func newApps() async throws {
        let apple = try Apple()
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        let device = VirtualDevice(String(repeating: "17", count: 32), .ios)
        await apple.simulator.add(APNsApp(bundleID: "com.example.new", teamID: Apple.team, devices: [device]))
        let fields: [String: String?] = ["apns-topic": "com.example.new"]
        #expect(await apple.send(to: device.id, Apple.alert, fields, over: connection).reason == "TopicDisallowed")
        #expect(await apple.send(to: device.id, Apple.alert, fields).status == 200)
    }

    // MARK: Life

    @Test("closed connections are forgotten, and requests without one are not kept")
    func memory() async throws {
        let apple = try Apple()
        let (kept, _) = await apple.open()
        for _ in 0..<20 {
            let (connection, _) = await apple.open()
            #expect(await apple.send(over: connection).status == 200)
            #expect(await apple.send().status == 200)
            #expect(await apple.simulator.connectionCount == 2)
            await apple.simulator.closed(connection)
        }
        #expect(await apple.send(over: kept).status == 200)
        #expect(await apple.simulator.connectionCount == 1)
    }
}
