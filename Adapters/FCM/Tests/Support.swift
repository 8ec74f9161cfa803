import FCMSimulator
import FoundationEssentials
import PushAdapter
import PushClient
import PushCrypto
import PushFCM
import PushSimulation

/// A service account with a new key, and a simulator of its project.
struct Firebase: Sendable {
    static let email = "sender@shop.iam.gserviceaccount.com"
    /// One key for all tests: generating one takes longer than a test.
    private static let key = try? SigningKey.generate(.rs256)

    let simulator: FCMSimulator
    let host: SimulatorHost
    let clock: VirtualClock
    let fcm: FCM
    let client: PushClient

    init(
        devices: Int = 3, ids: FCM.DeviceIDs = .tokens, prefix: String = "", topicAPI: FCM.TopicAPI = .subscriptions,
        _ edit: (inout FCMProject, inout FCMServiceAccount, inout FCMSimulatorSettings) -> Void = { _, _, _ in },
        configure: (inout FCM, inout ClientConfiguration) -> Void = { _, _ in }
    ) throws {
        guard let key = Self.key else { throw PushError(.invalidState, "no key") }
        let installations = (0..<devices).map { number in
            let id = ids == .tokens ? Self.device(number) : Self.installation(number)
            return VirtualDevice(id.rawValue, number == 1 ? .ios : .android)
        }
        var project = FCMProject(
            id: "shop", number: "42", devices: installations, idKind: ids == .tokens ? .token : .fid)
        var account = FCMServiceAccount(email: Self.email, project: "shop", keys: ["k1": try key.verifyingKey])
        var settings = FCMSimulatorSettings()
        edit(&project, &account, &settings)
        simulator = FCMSimulator(projects: [project], accounts: [account], settings: settings)
        clock = VirtualClock(startingAt: Date(timeIntervalSince1970: 1_790_000_000))
        host = SimulatorHost(simulator, clock: clock)
        var fcm = try FCM(
            ServiceAccount(json: Self.file(key)),
            dataCenter: FCM.dataCenters.standard.moved(to: InProcessTransport.origin),
            deviceIDs: ids, topicPrefix: prefix, topicAPI: topicAPI)
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configure(&fcm, &configuration)
        self.fcm = fcm
        client = PushClient(fcm, transport: InProcessTransport(host), configuration: configuration)
    }

    /// A registration token of the usual form.
    static func device(_ number: Int) -> DeviceID {
        let digits = String(number)
        let padding = String(repeating: "x", count: 134 - digits.count)
        return DeviceID("dEvIcE00000:APA91b\(padding)\(digits)")
    }

    /// An installation id of the usual form.
    static func installation(_ number: Int) -> DeviceID {
        DeviceID("cIdOfAnInstallat\(100_000 + number)")
    }

    static func devices(_ count: Int) -> Audience { .devices((0..<count).map(device)) }

    /// The JSON file of an account.
    static func file(_ key: SigningKey, _ changes: [String: JSONValue] = [:]) -> Secret {
        let pem = key.privateKey.withBytes { String(decoding: $0, as: UTF8.self) }
        var fields: [String: JSONValue] = [
            "type": "service_account", "project_id": "shop", "private_key_id": "k1", "private_key": .string(pem),
            "client_email": .string(email), "token_uri": "https://oauth2.googleapis.com/token",
        ]
        fields.merge(changes) { $1 }
        return Secret(JSONWriter.bytes(of: .object(fields)))
    }

    static func keyFile(_ changes: [String: JSONValue] = [:]) throws -> Secret {
        guard let key = Self.key else { throw PushError(.invalidState, "no key") }
        return file(key, changes)
    }

    static func account(_ changes: [String: JSONValue] = [:]) throws -> ServiceAccount {
        try ServiceAccount(json: keyFile(changes))
    }
}
