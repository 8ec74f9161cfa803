import EngageLabSimulator
import Foundation
import PushAdapter
import PushClient
import PushEngageLab
import PushSimulation
import TestSupport
import Testing

enum Sample {
    static let appKey = "0123456789abcdef01234567"
    static let secret = "fedcba9876543210fedcba98"
    static let groupKey = "89abcdef0123456789abcdef"
    static let ios: DeviceID = "171976fa8a00000a001"
    static let android: DeviceID = "170976fa8a00000a002"
    static let harmony: DeviceID = "170976fa8a00000a003"
    static let message = Message(notification: Notification(body: "Hello"))

    static func engageLab(_ edit: (inout EngageLab) -> Void = { _ in }) throws(PushError) -> EngageLab {
        var engageLab = try EngageLab(
            appKey: appKey, masterSecret: Secret(secret),
            group: EngageLabGroup(key: groupKey, masterSecret: Secret(secret)))
        edit(&engageLab)
        return engageLab
    }

    /// A message with options under the vendor's own keys.
    static func message(_ message: Message = message, options: String) throws -> Message {
        let text = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        guard case .object(var fields) = try JSONValue(parsing: Array(text.utf8)) else { return message }
        fields["options"] = ["engagelab": try JSONValue(parsing: Array(options.utf8))]
        return try JSONDecoder().decode(Message.self, from: Data(JSONWriter.bytes(of: .object(fields))))
    }

    static func key(_ value: String, _ kind: KeyedRequest = .push) -> IdempotencyKey {
        IdempotencyKey(value, kind: kind, mintedAt: .distantPast, expiresAt: .distantFuture)
    }
}

/// A client, its adapter and a data center in one process, on a virtual clock.
struct World {
    let clock = VirtualClock()
    let simulator: EngageLabSimulator
    let host: SimulatorHost
    let client: PushClient
    let engageLab: EngageLab

    init(
        configure: (inout ClientConfiguration, inout EngageLab) -> Void = { _, _ in },
        settings edit: (inout EngageLabSimulatorSettings) -> Void = { _ in }
    ) throws {
        var settings = EngageLabSimulatorSettings()
        edit(&settings)
        let devices = [(Sample.ios, Platform.ios), (Sample.android, .android), (Sample.harmony, .harmony)]
        simulator = EngageLabSimulator(
            EngageLabSimulator.App(
                key: Sample.appKey, masterSecret: Sample.secret, group: (Sample.groupKey, Sample.secret),
                devices: devices.map { VirtualDevice($0.0.rawValue, $0.1) }),
            settings: settings)
        host = SimulatorHost(simulator, clock: clock)
        var provider = try EngageLab(
            appKey: Sample.appKey, masterSecret: Secret(Sample.secret),
            group: EngageLabGroup(key: Sample.groupKey, masterSecret: Secret(Sample.secret)),
            dataCenter: EngageLab.dataCenter(at: InProcessTransport.origin))
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configuration.random = RandomSource { .max }
        configure(&configuration, &provider)
        engageLab = provider
        client = PushClient(provider, transport: InProcessTransport(host), configuration: configuration)
    }

    func requests(_ path: String) -> Int { host.journal.entries(path: path).count }

    /// The code of the simulator's response to a body; nil for a success.
    func code(
        _ method: HTTPRequest.Method = .post, _ path: String, _ body: String = ""
    ) async throws -> (status: Int, code: Int?) {
        var calls = DirectCalls(simulator)
        calls.now = clock.date
        let response = await calls.ask(method, path, body)
        return (response.status, (try? JSONValue(parsing: response.body))?["error"]?["code"]?.intValue)
    }
}

extension DirectCalls<EngageLabSimulator> {
    init(_ simulator: EngageLabSimulator) {
        self.init(simulator, root: "/v4", user: Sample.appKey, password: Sample.secret)
    }
}

/// The error of a call that the adapter must refuse. For bad inputs, the client's guard must.
func refusal<Output>(_ call: () throws(PushError) -> Output) -> PushError? {
    do throws(PushError) {
        let inputs = (try call() as? any WithInputs)?.inputs ?? []
        try Sample.engageLab().capabilities.check(inputs, of: EngageLab.id)
        return nil
    } catch {
        return error
    }
}

/// Expects a call to be refused by the adapter. For bad inputs, by the client's guard.
func expectRefused<Output>(
    _ parts: ErrorParts, at place: SourceLocation = #_sourceLocation,
    _ call: @autoclosure () throws(PushError) -> Output
) {
    let error = refusal(call)
    #expect(error != nil, sourceLocation: place)
    parts.check(error, at: place)
}

private protocol WithInputs {
    var inputs: [Input] { get }
}

extension Exchange: WithInputs {}
