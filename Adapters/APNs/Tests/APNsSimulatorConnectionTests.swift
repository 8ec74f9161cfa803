import APNsSimulator
import PushAdapter
import PushSimulation
import TestSupport
import Testing

/// The rules of one connection: streams, GOAWAY, keys.
@Suite("APNs simulator: connections")
struct APNsSimulatorConnectionTests {
    private static func goAway(_ reason: String) -> ConnectionSignal {
        .goAway(Array(#"{"reason":"\#(reason)"}"#.utf8))
    }

    private static let text = "Maximum active streams violated for this endpoint."
    private static let all = [ConnectionSignal.streamLimit(1000)]
    private static let end = goAway("BadDeviceToken")

    private static let stories: [Story] = [
        Story(
            "one stream until a request passes authentication, then all",
            .push("403 InvalidProviderToken", with: "broken"), .signals(all, to: Apple.ghost), .signals([]),
            .signals(all, over: 2), .signals([], over: 0)),
        Story(
            "the number of streams is a setting, and a refusal may not open them",
            settings: { ($0.streamLimit, $0.raisesLimitAfterRefusal) = (7, false) }, .signals([], to: Apple.ghost),
            .signals([.streamLimit(7)])),
        Story(
            "a refusal may lower the limit until the next success", settings: { $0.lowersLimitAfterRefusal = true },
            .signals(all), .signals([.streamLimit(1)], to: Apple.ghost), .signals([], to: Apple.ghost), .signals(all)),
        Story(
            "bad device tokens end their connection only; other refusals do not count",
            settings: { $0.badTokensUntilGoAway = 3 }, .signals(all, over: 2), .signals(all, to: Apple.ghost),
            .signals([], to: Apple.cafeDevice), .signals([], to: Apple.ghost), .signals([], to: Apple.ghost, over: 2),
            .signals([end], to: Apple.ghost)),
        Story(
            "GOAWAY may come twice", settings: { ($0.badTokensUntilGoAway, $0.repeatsGoAway) = (1, true) },
            .signals(all), .signals([end, .goAway([])], to: Apple.ghost)),
        Story(
            "GOAWAY may carry plain text", settings: { ($0.badTokensUntilGoAway, $0.goAwayText) = (1, text) },
            .signals(all), .signals([.goAway(Array(text.utf8))], to: Apple.ghost)),
        Story(
            "GOAWAY may never come", settings: { $0.badTokensUntilGoAway = nil }, .signals(all),
            .signals([], to: Apple.ghost)),
        Story(
            "a request that fails authentication binds nothing", .push("403 InvalidProviderToken", with: "foreign"),
            .push("200")),
        Story(
            "the first request binds a connection to its team", .push("200"),
            .push("403 InvalidProviderToken", with: "bank", to: Apple.bankDevice, topic: Apple.bank),
            .push("200", with: "bank", to: Apple.bankDevice, topic: Apple.bank, over: 2)),
        Story(
            "an app that a team got later needs another connection", .push("200"),
            Step { await $0.apple.simulator.add(APNsApp(bundleID: new, teamID: Apple.team, devices: [newDevice])) },
            .push("400 TopicDisallowed", to: newDevice.id, topic: new),
            .push("200", to: newDevice.id, topic: new, over: 0), list("400 TopicDisallowed", of: new),
            list("200", of: new, over: 2)),
        Story(
            "a topic that a key got later needs another connection", signers: { $0[0].topics = [Apple.shop] },
            .push("200"), cafe("400 TopicDisallowed"),
            Step { await $0.apple.simulator.addTopic(Apple.cafe, to: Apple.key) }, cafe("400 TopicDisallowed"),
            cafe("200", over: 2)),
        related("no key names the other", false) { _ in },
        related("the first names the second", true) { $0[0].relatedKeyID = Apple.secondKey },
        related("the second names the first", true) { $0[1].relatedKeyID = Apple.key },
        related("one is limited", false) {
            ($0[0].relatedKeyID, $0[1].topics) = (Apple.secondKey, [Apple.shop])
        },
    ]

    /// Only related keys of one kind share a connection. A request without a connection binds nothing.
    private static func related(
        _ name: String, _ isRelated: Bool, signers: @escaping Story.Edit<[APNsSigner]>
    ) -> Story {
        let second = Step.push(isRelated ? "200" : "403 UnrelatedKeyIdInToken", with: "second")
        return Story(
            "of two keys, \(name)", signers: signers, .push("200"), second, .push("200"), second,
            .push("200", with: "second", over: 0), .push("200", over: 0))
    }

    private static func cafe(_ outcome: String, over number: Int = 1) -> Step {
        .push(outcome, to: Apple.cafeDevice, topic: Apple.cafe, over: number)
    }

    private static let new = "com.example.new"
    private static let newDevice = VirtualDevice(String(repeating: "17", count: 32), .ios)

    /// A call about the channels of an app.
    private static func list(_ outcome: String, of app: String, over number: Int = 1) -> Step {
        Step { scene in
            let connection = await scene.connection(number)
            #expect(await scene.apple.list(app, over: connection).outcome == outcome)
        }
    }

    @Test("streams, GOAWAY and the keys of a connection", arguments: stories)
    func story(row: Story) async throws {
        try await row.play { apple in
            [
                "broken": "a.b.c", "foreign": try apple.jwt(key: Apple.secondKey, team: Apple.otherTeam),
                "second": try apple.jwt(key: Apple.secondKey),
                "bank": try apple.jwt(key: Apple.otherTeamKey, team: Apple.otherTeam),
            ]
        }
    }

    @Test("a new connection has one stream, which a call about channels opens too, and a refused path does not")
    func start() async throws {
        let apple = try Apple()
        let (connection, start) = await apple.open()
        #expect(start == [.streamLimit(1)])
        #expect(await apple.ask(.get, "/3/device/x", over: connection).signals == [])
        #expect(await apple.list(over: connection).signals == Self.all)
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
