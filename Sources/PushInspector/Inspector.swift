public import PushAdapter
import PushPages
public import PushPhone
public import PushSimulation
import PushSimulationServer

/// A page about a simulator, for a browser on this machine: its phones, its devices, and its requests as they come.
///
/// The page can tap on notifications, cause faults, and send messages. It shows no credentials.
///
/// ```swift
/// let inspector = Inspector(host, phones: [phone]) { code in
///     JPush.errorRows.first { $0.code.rawValue == code }?.advice
/// } send: { (message) async throws(PushError) in
///     try await client.send(message.message, to: message.audience).messageIDs.first?.rawValue ?? ""
/// }
/// try await Inspector.withServer(inspector) { address in print("open \(address)") }
/// ```
public struct Inspector: Sendable {
    /// The simulator with its journal and faults.
    public var host: SimulatorHost
    /// The phones to show. They need not be phones of the simulator's devices.
    public var phones: [VirtualPhone]
    /// Secrets that the page hides wherever they occur, besides everything that looks like a credential.
    public var secrets: [Secret]
    /// The clock by which the simulator's work is due.
    public var clock: any PushClock
    /// The meaning of a vendor's error code; nil for a code without one.
    public var verdicts: @Sendable (_ vendorCode: String) -> String?
    /// Sends a message as the vendor's console does, and returns its id.
    public var send: @Sendable (ConsoleMessage) async throws(PushError) -> String

    /// An inspector of a simulator, by default on the clock of its host.
    public init(
        _ host: SimulatorHost, phones: [VirtualPhone] = [], secrets: [Secret] = [], clock: (any PushClock)? = nil,
        verdicts: @escaping @Sendable (_ vendorCode: String) -> String? = { _ in nil },
        send: @escaping @Sendable (ConsoleMessage) async throws(PushError) -> String
    ) {
        self.host = host
        self.phones = phones
        self.secrets = secrets
        self.clock = clock ?? host.clock
        self.verdicts = verdicts
        self.send = send
    }

    /// Serves the page on 127.0.0.1 while `body` runs, and always stops afterwards. Once a second, the simulator and
    /// the phones do the work that is due.
    ///
    /// Throws `unsupported` for a simulator without phones, and `invalidState` if it cannot get the port.
    /// - Parameters:
    ///   - inspector: the inspector whose page is served.
    ///   - port: 0 for any free port.
    ///   - body: runs while the server runs; gets the address of the page, `http://127.0.0.1:41234`.
    public static func withServer<Result: Sendable>(
        _ inspector: Inspector, port: Int = 0, _ body: @Sendable (_ address: String) async throws -> Result
    ) async throws -> Result {
        guard let simulator = inspector.host.simulator as? any ConnectableSimulator else {
            throw PushError(
                .unsupported, "the simulator of \(inspector.host.simulator.vendor) takes no phones, so it has no page")
        }
        let streams = EventStreams()
        let observation = inspector.host.journal.observe { [weak streams] in streams?.noteChange() }
        defer { inspector.host.journal.remove(observation) }
        for phone in inspector.phones { phone.onChange { [weak streams] in streams?.noteChange() } }
        let desk = InspectorDesk(inspector, simulator, streams)
        async let _: Void = desk.tick()
        return try await LoopbackServer("the inspector", port: port).run(
            PageResponder(desk), stopping: { streams.close() },
            { port in try await body("http://127.0.0.1:\(port)") })
    }
}
