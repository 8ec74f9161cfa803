import FoundationEssentials
import PushAPNs
import PushAdapter
import PushClient
import PushCrypto
import PushEngageLab
import PushFCM
import PushHarmony
import PushHuawei
import PushJPush
import PushTPNS
import PushWebPush
import PushXiaomi

/// Clients of the hostile vendors, without quotas and with short timeouts.
struct Clients: Sendable {
    private static let key = "0123456789abcdef01234567"
    private static let secret = Secret("51c3e7cret51c3e7cret0000")

    private let account: ServiceAccount
    private let appleKey: APNsKey
    private let huaweiAccount: HuaweiServiceAccount
    /// The keys in PEM form, for other processes.
    let keys: String
    /// Parts of the private keys, which no output may contain.
    let secrets: [String]

    /// Creates clients with new keys.
    init() throws {
        let keys = try [SignatureAlgorithm.rs256, .es256].map { algorithm in
            try SigningKey.generate(algorithm).privateKey.withBytes { String(decoding: $0, as: UTF8.self) }
        }
        try self.init(keys: keys.joined())
    }

    /// - Parameter keys: a key for Google and Huawei and one for Apple, in PEM form.
    init(keys: String) throws {
        self.keys = keys
        let end = keys.firstRange(of: "-----\n-----")?.lowerBound ?? keys.startIndex
        let texts = [keys[..<end] + "-----\n", keys[end...].dropFirst(6)].map(String.init)
        let file: JSONValue = [
            "type": "service_account", "project_id": "survive", "private_key_id": "k1",
            "private_key": .string(texts[0]), "client_email": "survive@survive.iam.gserviceaccount.com",
            "key_id": "k1", "sub_account": "survive",
        ]
        account = try ServiceAccount(json: Secret(JSONWriter.bytes(of: file)))
        huaweiAccount = try HuaweiServiceAccount(json: Secret(JSONWriter.bytes(of: file)))
        appleKey = try APNsKey(pem: Secret(texts[1]), keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1")
        // A key's first line names its kind, and its second line begins as in every key.
        secrets = texts.map { String($0.split(separator: "\n")[2].prefix(24)) }
    }

    static func configuration(_ kind: HostileVendor.Kind) -> ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.deadline = .seconds(3)
        configuration.attemptTimeout = .seconds(1)
        configuration.plannedDeadline = .seconds(4)
        configuration.keysPerMint = 20
        configuration.retry.throttledBase = .milliseconds(200)
        // The retries are under test.
        configuration.retry.budget = 1_000_000
        configuration.clock = SetClock(pace: kind.pace)
        return configuration
    }

    /// - Parameter sliceSize: the maximum number of devices per request, if the vendor takes several.
    func client(
        of kind: HostileVendor.Kind, at origin: String, _ transport: any HTTPTransport, sliceSize: Int,
        _ configuration: ClientConfiguration
    ) throws -> PushClient {
        func tame(_ capabilities: inout Capabilities) {
            capabilities.quotas = [:]
            capabilities.minimumInterval = [:]
            capabilities.writeDelay = [:]
            capabilities.leastWaits = [:]
            guard !kind.hasOneTarget else { return }
            capabilities.limits[.devicesPerSend] = Limit(sliceSize, .count, .split, source: "survive")
        }
        switch kind {
        case .jpush:
            var jpush = try JPush(
                appKey: Self.key, masterSecret: Self.secret, dataCenter: JPush.dataCenter(at: origin))
            tame(&jpush.capabilities)
            return PushClient(jpush, transport: transport, configuration: configuration)
        case .engagelab:
            var engageLab = try EngageLab(
                appKey: Self.key, masterSecret: Self.secret, dataCenter: EngageLab.dataCenter(at: origin))
            tame(&engageLab.capabilities)
            return PushClient(engageLab, transport: transport, configuration: configuration)
        case .tpns:
            var tpns = try TPNS(
                accessID: 1_500_000_001, secretKey: Self.secret, platform: .android,
                dataCenter: TPNS.dataCenter(at: origin))
            tame(&tpns.capabilities)
            return PushClient(tpns, transport: transport, configuration: configuration)
        case .fcm:
            var fcm = try FCM(account, dataCenter: FCM.dataCenters.standard.moved(to: origin))
            tame(&fcm.capabilities)
            return PushClient(fcm, transport: transport, configuration: configuration)
        case .apns:
            var apns = try APNs(
                appleKey, topic: "com.example.survive", dataCenter: APNs.dataCenters.standard.moved(to: origin))
            tame(&apns.capabilities)
            return PushClient(apns, transport: transport, configuration: configuration)
        case .harmony:
            var harmony = try Harmony(huaweiAccount, dataCenter: Harmony.dataCenters.standard.moved(to: origin))
            tame(&harmony.capabilities)
            return PushClient(harmony, transport: transport, configuration: configuration)
        case .huawei:
            var huawei = try Huawei(
                clientID: "1042", clientSecret: Self.secret, dataCenter: Huawei.dataCenters.standard.moved(to: origin))
            tame(&huawei.capabilities)
            return PushClient(huawei, transport: transport, configuration: configuration)
        case .webpush:
            var webpush = try WebPush(
                WebPushKey(Browsers.serverKey), subject: "mailto:push@news.example.com",
                dataCenter: WebPush.dataCenters.standard.moved(to: origin))
            tame(&webpush.capabilities)
            return PushClient(webpush, transport: transport, configuration: configuration)
        case .xiaomi:
            var xiaomi = try Xiaomi(
                packageName: "com.example.survive", appSecret: Self.secret,
                dataCenter: Xiaomi.dataCenters.standard.moved(to: origin))
            xiaomi.sendsPassThrough = true
            tame(&xiaomi.capabilities)
            return PushClient(xiaomi, transport: transport, configuration: configuration)
        }
    }
}

extension HostileVendor.Kind {
    /// How much faster dates run. The 5 seconds that an access token needs take a twentieth of a second in a round, and
    /// the 20 minutes at APNs take two seconds.
    var pace: Double {
        switch self {
        case .fcm, .harmony, .huawei: 100
        case .apns: 600
        default: 1
        }
    }

    /// The same for an outbox, which waits a minute before it resends. For vendors that drop repetitions, dates run as
    /// fast as the outbox's times (`Work`): if the two disagreed, the outbox would not reuse the keys.
    var outboxPace: Double { dropsRepetitions ? Double(Work.speed) : max(pace, 60) }

    /// Whether the vendor drops a message whose key it knows. HarmonyOS and Xiaomi leave that to phones, so the client
    /// does not rely on their keys.
    private var dropsRepetitions: Bool { self == .jpush || self == .engagelab }
}
