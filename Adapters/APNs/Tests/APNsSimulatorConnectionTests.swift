import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// The rules of one connection: streams, GOAWAY, keys.
@Suite("APNs simulator: connections")
struct APNsSimulatorConnectionTests {
    private typealias Apple = SimulatedApple

    private static func goAway(_ reason: String) -> ConnectionSignal {
        .goAway(Array(#"{"reason":"\#(reason)"}"#.utf8))
    }

    @Test("one stream until a request passes authentication, then all")
    func streams() async throws {
        let apple = try Apple()
        let (connection, start) = await apple.open()
        #expect(start == [.streamLimit(1)])
        #expect(await apple.send(with: "a.b.c", over: connection).signals == [])
        #expect(await apple.ask(.get, "/3/device/x", over: connection).signals == [])
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [.streamLimit(1000)])
        #expect(await apple.send(over: connection).signals == [])
        #expect(await apple.send(over: apple.connect()).signals == [.streamLimit(1000)])
        #expect(await apple.list(over: apple.connect()).signals == [.streamLimit(1000)])
        // A request without a connection gets no signals.
        #expect(await apple.send().signals == [])
    }

    @Test("the number of streams is a setting, and a refusal may not open them")
    func fewerStreams() async throws {
        let apple = try Apple(settings: { ($0.streamLimit, $0.raisesLimitAfterRefusal) = (7, false) })
        let connection = await apple.connect()
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [])
        #expect(await apple.send(over: connection).signals == [.streamLimit(7)])
    }

    @Test("a refusal may lower the limit until the next success")
    func lowered() async throws {
        let apple = try Apple(settings: { $0.lowersLimitAfterRefusal = true })
        let connection = await apple.connect()
        #expect(await apple.send(over: connection).signals == [.streamLimit(1000)])
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [.streamLimit(1)])
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [])
        #expect(await apple.send(over: connection).signals == [.streamLimit(1000)])
    }

    @Test("too many bad device tokens end a connection, and only that one; other refusals do not count")
    func badTokens() async throws {
        let apple = try Apple(settings: { $0.badTokensUntilGoAway = 3 })
        let (connection, other) = (await apple.connect(), await apple.connect())
        #expect(await apple.send(over: other).signals == [.streamLimit(1000)])
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [.streamLimit(1000)])
        #expect(await apple.send(to: Apple.cafeDevice, over: connection).reason == "DeviceTokenNotForTopic")
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [])
        #expect(await apple.send(to: Apple.ghost, over: other).signals == [])
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == [Self.goAway("BadDeviceToken")])
    }

    private static let text = "Maximum active streams violated for this endpoint."

    @Test(
        "GOAWAY may carry plain text, come twice, or never",
        arguments: [
            (1, nil, true, [goAway("BadDeviceToken"), .goAway([])]), (1, text, false, [.goAway(Array(text.utf8))]),
            (nil, nil, true, []),
        ] as [(Int?, String?, Bool, [ConnectionSignal])])
    func goAwayForms(most: Int?, text: String?, isTwice: Bool, expected: [ConnectionSignal]) async throws {
        let apple = try Apple(settings: {
            ($0.badTokensUntilGoAway, $0.goAwayText, $0.repeatsGoAway) = (most, text, isTwice)
        })
        let connection = await apple.connect()
        #expect(await apple.push(over: connection) == "200")
        #expect(await apple.send(to: Apple.ghost, over: connection).signals == expected)
    }

    @Test("the first request binds a connection to its team")
    func teams() async throws {
        let apple = try Apple()
        let connection = await apple.connect()
        #expect(await apple.push(over: connection) == "200")
        let other = try apple.jwt(key: Apple.otherTeamKey, team: Apple.otherTeam)
        let fields: [String: String?] = ["authorization": "bearer " + other, "apns-topic": Apple.bank]
        let refused = await apple.send(to: Apple.bankDevice, Apple.alert, fields, over: connection)
        #expect(refused.outcome == "403 InvalidProviderToken")
        let fresh = await apple.send(to: Apple.bankDevice, Apple.alert, fields, over: apple.connect())
        #expect(fresh.outcome == "200")
    }

    @Test("a request that fails authentication binds nothing")
    func unbound() async throws {
        let apple = try Apple()
        let connection = await apple.connect()
        let wrong = try apple.jwt(key: Apple.secondKey, team: Apple.otherTeam)
        #expect(await apple.push(wrong, over: connection) == "403 InvalidProviderToken")
        #expect(await apple.push(over: connection) == "200")
    }

    private typealias Edit = @Sendable (inout [APNsSigner]) -> Void

    private static let relations: [(name: String, isRelated: Bool, edit: Edit)] = [
        ("no key names the other", false, { _ in }),
        ("the first names the second", true, { $0[0].relatedKeyID = Apple.secondKey }),
        ("the second names the first", true, { $0[1].relatedKeyID = Apple.key }),
        (
            "one is for some topics, the other for all", false,
            { ($0[0].relatedKeyID, $0[1].topics) = (Apple.secondKey, [Apple.shop]) }
        ),
    ]

    @Test("only related keys of one kind share a connection", arguments: relations.indices)
    func related(index: Int) async throws {
        let (name, isRelated, edit) = Self.relations[index]
        let apple = try Apple { _, signers, _ in edit(&signers) }
        let second = try apple.jwt(key: Apple.secondKey)
        let connection = await apple.connect()
        for _ in 0..<2 {
            #expect(await apple.push(over: connection) == "200", "\(name)")
            let answer = await apple.push(second, over: connection)
            #expect(answer == (isRelated ? "200" : "403 UnrelatedKeyIdInToken"), "\(name)")
        }
        // A request without a connection binds nothing.
        #expect(await apple.push(second) == "200", "\(name)")
        #expect(await apple.push() == "200", "\(name)")
    }

    @Test("a topic that a key got later, and an app that a team got later, need another connection")
    func newTopics() async throws {
        let apple = try Apple { _, signers, _ in signers[0].topics = [Apple.shop] }
        let connection = await apple.connect()
        #expect(await apple.push(over: connection) == "200")
        func send(over connection: SimulatedConnection) async -> String {
            await apple.send(to: Apple.cafeDevice, Apple.alert, ["apns-topic": Apple.cafe], over: connection).outcome
        }
        #expect(await send(over: connection) == "400 TopicDisallowed")
        await apple.simulator.addTopic(Apple.cafe, to: Apple.key)
        #expect(await send(over: connection) == "400 TopicDisallowed")
        #expect(await send(over: apple.connect()) == "200")
        let team = try Apple()
        let old = await team.connect()
        #expect(await team.push(over: old) == "200")
        let device = VirtualDevice(String(repeating: "17", count: 32), .ios)
        await team.simulator.add(APNsApp(bundleID: "com.example.new", teamID: Apple.team, devices: [device]))
        let topic: [String: String?] = ["apns-topic": "com.example.new"]
        #expect(await team.send(to: device.id, Apple.alert, topic, over: old).outcome == "400 TopicDisallowed")
        #expect(await team.send(to: device.id, Apple.alert, topic).outcome == "200")
        // The same rule holds for the channels of the new app.
        #expect(await team.channels(.get, app: "com.example.new", over: old).outcome == "400 TopicDisallowed")
        #expect(await team.list("com.example.new").outcome == "200")
    }

    @Test("closed connections are forgotten, and requests without one are not kept")
    func memory() async throws {
        let apple = try Apple()
        let kept = await apple.connect()
        for _ in 0..<20 {
            let connection = await apple.connect()
            #expect(await apple.push(over: connection) == "200")
            #expect(await apple.push() == "200")
            #expect(await apple.simulator.connectionCount == 2)
            await apple.simulator.closed(connection)
        }
        #expect(await apple.push(over: kept) == "200")
        #expect(await apple.simulator.connectionCount == 1)
    }
}
