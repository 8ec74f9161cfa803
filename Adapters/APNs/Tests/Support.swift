import APNsSimulator
import FoundationEssentials
import PushAPNs
import PushAdapter
import PushClient
import PushCrypto
import PushSimulation

/// The adapter of a shop's app, its messages, and the requests that the adapter writes.
enum Shop {
    static let topic = "com.example.shop"
    static let keyID = "K7EXAMPLE9"
    static let teamID = "T3AMEXAMP1"
    /// The topic of a certificate for device management.
    static let management = "com.apple.mgmt.External.4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55"
    static let now = Date(timeIntervalSince1970: 1_795_165_200)
    /// One key for all tests.
    private static let pair = Result { try SigningKey.generate(.es256) }

    static func signingKey() throws -> SigningKey { try pair.get() }

    static func key(keyID: String = Shop.keyID, teamID: String = Shop.teamID) throws -> APNsKey {
        try APNsKey(pem: signingKey().privateKey, keyID: keyID, teamID: teamID)
    }

    static func apns() throws -> APNs { try APNs(key(), topic: topic) }

    /// A device token of 32 bytes.
    static func device(_ number: Int) -> DeviceID {
        let digits = String(number, radix: 16)
        return DeviceID("7c1e" + String(repeating: "0", count: 60 - digits.count) + digits)
    }

    static func devices(_ count: Int) -> Audience { .devices((0..<count).map(device)) }

    // MARK: Messages

    static func shown(_ ios: IOSNotification? = nil) -> Message {
        Message(notification: Notification(title: "T", body: "B", ios: ios))
    }

    /// A custom message of a type.
    static func custom(
        _ type: APNsPushType, content: String = "", extras: [String: JSONValue] = [:], topic: String? = nil
    ) throws -> Message {
        var options = APNsOptions(pushType: type)
        options.topic = topic
        var message = Message(custom: CustomMessage(content: content, extras: extras))
        try message.set(options)
        return message
    }

    /// The plainest message of a type.
    static func message(_ type: APNsPushType) throws -> Message {
        switch type {
        case .alert: return shown()
        case .background: return Message(custom: CustomMessage(content: "c"))
        case .voip: return Message(voip: ["caller": "Ann"])
        case .liveActivity: return Message(liveActivity: ["event": "update", "content-state": ["eta": 9]])
        case .mdm: return try custom(.mdm, content: "magic", topic: management)
        case .complication, .fileProvider, .pushToTalk, .location, .widgets, .controls: return try custom(type)
        }
    }

    /// A copy of the message with changed options.
    static func changed(_ message: Message, _ edit: (inout APNsOptions) -> Void) throws -> Message {
        var message = message
        var options = try message.options(APNsOptions.self) ?? APNsOptions()
        edit(&options)
        try message.set(options)
        return message
    }

    /// A message in its JSON form.
    static func message(_ json: String) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(json.utf8))
    }

    // MARK: Requests

    static func exchange(
        of message: Message, from apns: APNs? = nil, to device: DeviceID = Shop.device(0), at moment: Date = Shop.now
    ) throws -> Exchange<SendReceipt> {
        let apns = try apns ?? self.apns()
        return try apns.send(message, to: .devices([device]), in: SendContext(at: moment))
    }

    static func request(
        of message: Message, from apns: APNs? = nil, to device: DeviceID = Shop.device(0), at moment: Date = Shop.now
    ) throws -> WireRequest {
        try exchange(of: message, from: apns, to: device, at: moment).request
    }

    /// The error that refuses a message before anything is sent; nil if there is none.
    static func refusal(of message: Message, from apns: APNs? = nil) throws -> PushError? {
        let apns = try apns ?? self.apns()
        do throws(PushError) {
            let exchange = try apns.send(message, to: .devices([device(0)]), in: SendContext(at: now))
            try apns.capabilities.check(exchange.inputs, of: APNs.id)
        } catch {
            return error
        }
        return nil
    }

    static func bytes(of request: WireRequest) -> [UInt8] {
        if case .bytes(let bytes, _) = request.body { return bytes }
        return []
    }

    static func body(of request: WireRequest) throws -> JSONValue { try JSONValue(parsing: bytes(of: request)) }

    /// The encoded body of a message.
    static func body(of message: Message) throws -> JSONValue { try body(of: request(of: message)) }

    static func header(_ name: String, of request: WireRequest) -> String? { header(name, of: request.headers) }

    static func header(_ name: String, of fields: HTTPFields) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }

    /// All header fields by name. A repeated field has all its values.
    static func headers(of request: WireRequest) -> [String: String] {
        Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
    }

    static func headers(_ fields: [String: String]) -> HTTPFields {
        var headers = HTTPFields()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }

    /// The body of a refusal in Apple's form.
    static func refusalBody(_ reason: String) -> [UInt8] { JSONWriter.bytes(of: ["reason": .string(reason)]) }
}

/// The shop's client, with Apple's servers for both environments in this process.
struct ShopClient: Sendable {
    typealias Purpose = APNsRegistration.Purpose

    /// Another app of the team. It has no devices.
    static let otherTopic = "com.example.cafe"
    /// A second key of the team.
    static let secondKeyID = "K8EXAMPLE8"
    /// A token of the development environment.
    static let sandboxed = DeviceID(String(repeating: "5b", count: 32))
    private static let sandbox = "https://sandbox.invalid"

    let production: APNsSimulator
    let development: APNsSimulator
    let host: SimulatorHost
    let sandboxHost: SimulatorHost
    let clock: VirtualClock
    let apns: APNs
    let client: PushClient

    /// - Parameters:
    ///   - devices: the devices of the app. The first one has a token for every purpose.
    ///   - topic: the topic of the adapter.
    init(
        devices: Int = 3, topic: String = Shop.topic,
        _ edit: (inout APNsApp, inout APNsSigner, inout APNsSimulatorSettings) -> Void = { _, _, _ in },
        configure: (inout APNs, inout ClientConfiguration) -> Void = { _, _ in }
    ) throws {
        let verifyingKey = try Shop.signingKey().verifyingKey
        var app = APNsApp(
            bundleID: Shop.topic, teamID: Shop.teamID,
            devices: (0..<devices).map { VirtualDevice(Shop.device($0).rawValue, .ios) })
        app.registrations.append(
            APNsRegistration(VirtualDevice(Self.sandboxed.rawValue, .ios, environment: .development)))
        var managed = APNsApp(bundleID: Shop.management, teamID: Shop.teamID)
        let first = VirtualDevice(Shop.device(0).rawValue, .ios)
        for purpose in Purpose.allCases where purpose != .app {
            let registration = APNsRegistration(first, token: Self.token(for: purpose).rawValue, purpose: purpose)
            if purpose == .mdm {
                managed.registrations.append(registration)
            } else {
                app.registrations.append(registration)
            }
        }
        var signer = APNsSigner(keyID: Shop.keyID, teamID: Shop.teamID, verifyingKey: verifyingKey)
        var settings = APNsSimulatorSettings()
        edit(&app, &signer, &settings)
        let apps = [app, managed, APNsApp(bundleID: Self.otherTopic, teamID: Shop.teamID)]
        let signers = [
            signer, APNsSigner(keyID: Self.secondKeyID, teamID: Shop.teamID, verifyingKey: verifyingKey),
        ]
        production = APNsSimulator(apps: apps, signers: signers, environment: .production, settings: settings)
        development = APNsSimulator(apps: apps, signers: signers, environment: .development, settings: settings)
        clock = VirtualClock(startingAt: Shop.now)
        host = SimulatorHost(production, clock: clock)
        sandboxHost = SimulatorHost(development, clock: clock)
        var apns = try APNs(Shop.key(), topic: topic, dataCenter: Self.dataCenter)
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configure(&apns, &configuration)
        self.apns = apns
        let transport = TwoEnvironments(
            production: InProcessTransport(host), development: InProcessTransport(sandboxHost), sandbox: Self.sandbox)
        client = PushClient(apns, transport: transport, configuration: configuration)
    }

    /// Apple's services. The development environment has an address of its own.
    static var dataCenter: DataCenter {
        var center = APNs.dataCenters.standard
        center.services = center.services.mapValues { $0.contains("sandbox") ? sandbox : InProcessTransport.origin }
        return center
    }

    /// The first device's token for a purpose.
    static func token(for purpose: Purpose) -> DeviceID {
        guard purpose != .app, let index = Purpose.allCases.firstIndex(of: purpose) else { return Shop.device(0) }
        return DeviceID(String(repeating: "a" + String(index, radix: 16), count: 32))
    }

    /// The report of a send, even if the vendor accepted nothing.
    func report(_ message: Message, to audience: Audience) async throws -> SendReport {
        do throws(PushError) {
            return try await client.send(message, to: audience)
        } catch {
            guard let report = error.report else { throw error }
            return report
        }
    }

    /// The provider tokens that reached Apple.
    var bearers: Set<String> {
        Set((host.journal.entries + sandboxHost.journal.entries).compactMap { $0.request.headers[.authorization] })
    }

    /// The connections of requests to the production environment.
    var connections: Set<Int> { Set(host.journal.entries.compactMap { $0.request.connection?.id }) }

    /// The messages that a device got in the production environment.
    func inbox(_ number: Int = 0) async -> [DeliveredMessage] {
        await production.inbox(of: Shop.device(number).rawValue)
    }
}

/// One transport for two simulators. The address selects the simulator.
private struct TwoEnvironments: HTTPTransport {
    let production: InProcessTransport
    let development: InProcessTransport
    /// The origin of the development environment.
    let sandbox: String

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        guard request.url.hasPrefix(sandbox) else { return try await production.send(request) }
        var moved = request
        moved.url = InProcessTransport.origin + String(request.url.dropFirst(sandbox.count))
        return try await development.send(moved)
    }

    /// Connection numbers are unique in the whole process.
    func retire(_ connection: Int) {
        production.retire(connection)
        development.retire(connection)
    }

    func shutdown() async {
        await production.shutdown()
        await development.shutdown()
    }
}
