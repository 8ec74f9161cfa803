import Foundation
import PushAdapter
import PushClient
import PushSimulation
import PushTPNS
import TPNSSimulator
import TestSupport
import Testing

enum Sample {
    static let secret = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    static let ios: UInt32 = 1_600_999_001
    static let android: UInt32 = 1_500_999_001
    static let device: DeviceID = "00aa11bb22cc33dd44ee55ff66778899aabb"
    static let other: DeviceID = "01ba12cb23dc34ed45fe5600677889a9babb"
    static let message = Message(notification: Notification(title: "Hi", body: "All"))

    static func tpns(_ platform: Platform = .ios, _ edit: (inout TPNS) -> Void = { _ in }) throws(PushError) -> TPNS {
        var tpns = try TPNS(
            accessID: platform == .ios ? ios : android, secretKey: Secret(secret), platform: platform)
        edit(&tpns)
        return tpns
    }
}

/// A client, its adapter and an access point in one process, on a virtual clock.
struct World {
    let clock = VirtualClock()
    let simulator: TPNSSimulator
    let host: SimulatorHost
    let client: PushClient
    let tpns: TPNS

    init(
        _ platform: Platform = .ios, devices: [VirtualDevice]? = nil, aliasAccountType: Int? = nil,
        authentication: TPNS.Authentication = .signature, secret: String = Sample.secret,
        configure: (inout ClientConfiguration, inout TPNS) -> Void = { _, _ in },
        app edit: (inout TPNSApp, inout TPNSSimulatorSettings) -> Void = { _, _ in }
    ) throws {
        let id = platform == .ios ? Sample.ios : Sample.android
        var settings = TPNSSimulatorSettings()
        var app = TPNSApp(
            accessID: id, secretKey: Sample.secret, platform: platform,
            devices: devices ?? [Sample.device, Sample.other].map { VirtualDevice($0.rawValue, platform) },
            attributeNames: ["nickname", "tier"])
        edit(&app, &settings)
        simulator = TPNSSimulator(apps: [app], settings: settings)
        host = SimulatorHost(simulator, clock: clock)
        var provider = try TPNS(
            accessID: id, secretKey: Secret(secret), platform: platform,
            dataCenter: TPNS.dataCenter(at: InProcessTransport.origin), authentication: authentication,
            aliasAccountType: aliasAccountType)
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configuration.random = RandomSource { .max }
        configure(&configuration, &provider)
        tpns = provider
        client = PushClient(provider, transport: InProcessTransport(host), configuration: configuration)
    }

    /// The access point's state of a device, after all pending writes.
    func snapshot(_ device: DeviceID = Sample.device) async -> DeviceSnapshot {
        clock.advance(by: .seconds(1))
        await simulator.settle(at: clock.date)
        return await simulator.snapshot(of: device.rawValue) ?? DeviceSnapshot()
    }

    func requests(_ path: String) -> Int { host.journal.entries(path: path).count }
}

extension Message {
    /// A copy with options of the vendor.
    func options(_ edit: (inout TPNSOptions) throws -> Void) throws -> Message {
        var (copy, options) = (self, TPNSOptions())
        try edit(&options)
        try copy.set(options)
        return copy
    }
}

/// The error of a call that the adapter must refuse. For bad inputs, the client's guard must.
func refusal<Output>(_ call: () throws(PushError) -> Output) -> PushError? {
    do throws(PushError) {
        let inputs = (try call() as? any WithInputs)?.inputs ?? []
        try Sample.tpns().capabilities.check(inputs, of: TPNS.id)
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
