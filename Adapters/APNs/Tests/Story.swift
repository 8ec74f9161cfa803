import APNsSimulator
import PushSimulation
import Testing

/// One step of a story at Apple's servers, with the expected answer. Connections have numbers, and open at their first
/// use. A request over connection 0 has none.
enum Step: Sendable {
    /// Time passes, in seconds.
    case pass(Double)
    /// A push with a provider token. A name stands for one token, which is issued at its first use or given in advance;
    /// `a` is the usual one.
    case push(String, with: String = "a", over: Int = 1)
    /// A push to a device token, and the signals that come with the response.
    case signals([ConnectionSignal], to: String = SimulatedApple.token(for: .app), over: Int = 1)
}

/// Steps at new servers with some settings, named by the rule that they show.
struct Story: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let settings: @Sendable (inout APNsSimulatorSettings) -> Void
    let steps: [Step]

    init(
        _ rule: String, settings: @escaping @Sendable (inout APNsSimulatorSettings) -> Void = { _ in }, _ steps: Step...
    ) {
        (testDescription, self.settings, self.steps) = (rule, settings, steps)
    }

    func play(tokens: (SimulatedApple) throws -> [String: String] = { _ in [:] }) async throws {
        let apple = try SimulatedApple(settings: settings)
        try await apple.play(steps, tokens: tokens(apple))
    }
}

extension SimulatedApple {
    func play(_ steps: [Step], tokens given: [String: String] = [:]) async throws {
        var tokens = given.merging(["a": bearer]) { $1 }
        var connections: [Int: SimulatedConnection] = [:]
        func connection(_ number: Int) async -> SimulatedConnection? {
            guard number > 0, connections[number] == nil else { return connections[number] }
            connections[number] = await connect()
            return connections[number]
        }
        for (index, step) in steps.enumerated() {
            switch step {
            case .pass(let seconds): pass(seconds)
            case .push(let outcome, let name, let number):
                let jwt = try tokens[name] ?? jwt()
                tokens[name] = jwt
                #expect(await push(jwt, over: connection(number)) == outcome, "step \(index)")
            case .signals(let signals, let token, let number):
                #expect(await send(to: token, over: connection(number)).signals == signals, "step \(index)")
            }
        }
    }
}
