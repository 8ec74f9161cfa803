import APNsSimulator
import PushAdapter
import PushSimulation
import Testing

/// Steps at new servers with some keys and settings, named by the rule that they show.
struct Story: Sendable, CustomTestStringConvertible {
    typealias Edit<Value> = @Sendable (inout Value) -> Void

    let testDescription: String
    let signers: Edit<[APNsSigner]>
    let settings: Edit<APNsSimulatorSettings>
    let steps: [Step]

    init(
        _ rule: String, signers: @escaping Edit<[APNsSigner]> = { _ in },
        settings: @escaping Edit<APNsSimulatorSettings> = { _ in }, _ steps: Step...
    ) {
        (testDescription, self.signers, self.settings, self.steps) = (rule, signers, settings, steps)
    }

    /// - Parameter tokens: names of provider tokens.
    func play(tokens: (Apple) throws -> [String: String] = { _ in [:] }) async throws {
        let apple = try Apple(signers: signers, settings: settings)
        var scene = try Scene(apple, tokens: tokens(apple))
        for step in steps { try await step.act(&scene) }
    }
}

/// One step of a story, with the answer that it expects. The suites add their own.
struct Step: Sendable { let act: @Sendable (inout Scene) async throws -> Void }

/// Apple's servers in a story, and the names and numbers that its steps use.
struct Scene {
    let apple: Apple
    /// The provider tokens by name. A name that is not given in advance stands for one token, which is issued at its
    /// first use; `a` is the usual one.
    private var tokens: [String: String]
    /// Connections have numbers, and open at their first use.
    private var connections: [Int: SimulatedConnection] = [:]
    /// A channel, in the stories about broadcasts.
    var channel = ""

    init(_ apple: Apple, tokens: [String: String]) {
        (self.apple, self.tokens) = (apple, tokens.merging(["a": apple.bearer]) { $1 })
    }

    /// A request over connection 0 has none.
    mutating func connection(_ number: Int) async -> SimulatedConnection? {
        guard number > 0, connections[number] == nil else { return connections[number] }
        connections[number] = await apple.connect()
        return connections[number]
    }

    mutating func token(_ name: String) throws -> String {
        let token = try tokens[name] ?? apple.jwt()
        tokens[name] = token
        return token
    }
}

extension Step {
    /// Time passes, in seconds.
    static func pass(_ seconds: Double) -> Step { Step { $0.apple.pass(seconds) } }

    /// A push with a provider token.
    static func push(
        _ outcome: String, with name: String = "a", to device: String = Apple.token(for: .app),
        topic: String = Apple.shop, over number: Int = 1, at place: SourceLocation = #_sourceLocation
    ) -> Step {
        Step { scene in
            let fields = ["authorization": "bearer " + (try scene.token(name)), "apns-topic": topic]
            let connection = await scene.connection(number)
            let answer = await scene.apple.send(to: device, Apple.alert, fields, over: connection)
            #expect(answer.outcome == outcome, sourceLocation: place)
        }
    }

    /// A push with a body and header fields, over no connection.
    static func send(
        _ outcome: String, to device: String = Apple.token(for: .app), _ body: String = Apple.alert,
        _ headers: [String: String?] = [:], at place: SourceLocation = #_sourceLocation
    ) -> Step {
        Step { #expect(await $0.apple.send(to: device, body, headers).outcome == outcome, sourceLocation: place) }
    }

    /// A push to a device token, and the signals that come with the response.
    static func signals(
        _ signals: [ConnectionSignal], to device: String = Apple.token(for: .app), over number: Int = 1,
        at place: SourceLocation = #_sourceLocation
    ) -> Step {
        Step { scene in
            let connection = await scene.connection(number)
            let answer = await scene.apple.send(to: device, over: connection)
            #expect(answer.signals == signals, sourceLocation: place)
        }
    }

    /// The app is removed from the phone.
    static let uninstall = Step { await $0.apple.simulator.uninstall(Apple.token(for: .app), at: $0.apple.now) }

    /// A device, by default the phone, goes offline or comes online.
    static func online(_ isOnline: Bool, _ device: String = Apple.phone) -> Step {
        Step { await $0.apple.setOnline(isOnline, device) }
    }

    /// The texts of the notifications that the phone has; nil for another message.
    static func inbox(_ alerts: [String?], at place: SourceLocation = #_sourceLocation) -> Step {
        Step { #expect(await $0.apple.inbox().map(\.alert) == alerts, sourceLocation: place) }
    }
}
