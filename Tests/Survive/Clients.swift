import FoundationEssentials
import PushAPNs
import PushAdapter
import PushClient
import PushCrypto
import PushEngageLab
import PushFCM
import PushHarmony
import PushHonor
import PushHuawei
import PushJPush
import PushOPPO
import PushTPNS
import PushVivo
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
        var provider = try provider(of: kind, at: origin)
        provider.capabilities.quotas = [:]
        provider.capabilities.minimumInterval = [:]
        provider.capabilities.writeDelay = [:]
        provider.capabilities.leastWaits = [:]
        if !kind.hasOneTarget {
            provider.capabilities.limits[.devicesPerSend] = Limit(sliceSize, .count, .split, source: "survive")
        }
        return PushClient(provider, transport: transport, configuration: configuration)
    }

    private func provider(of kind: HostileVendor.Kind, at origin: String) throws -> any ConfigurableProvider {
        func center(of vendor: any ConfigurableProvider.Type) -> DataCenter {
            vendor.dataCenters.standard.moved(to: origin)
        }
        switch kind {
        case .jpush:
            return try JPush(appKey: Self.key, masterSecret: Self.secret, dataCenter: JPush.dataCenter(at: origin))
        case .engagelab:
            return try EngageLab(
                appKey: Self.key, masterSecret: Self.secret, dataCenter: EngageLab.dataCenter(at: origin))
        case .tpns:
            return try TPNS(
                accessID: 1_500_000_001, secretKey: Self.secret, platform: .android,
                dataCenter: TPNS.dataCenter(at: origin))
        case .fcm: return try FCM(account, dataCenter: center(of: FCM.self))
        case .apns: return try APNs(appleKey, topic: "com.example.survive", dataCenter: center(of: APNs.self))
        case .harmony: return try Harmony(huaweiAccount, dataCenter: center(of: Harmony.self))
        case .huawei:
            return try Huawei(clientID: "1042", clientSecret: Self.secret, dataCenter: center(of: Huawei.self))
        case .webpush:
            return try WebPush(
                WebPushKey(Browsers.serverKey), subject: "mailto:push@news.example.com",
                dataCenter: center(of: WebPush.self))
        case .xiaomi:
            var xiaomi = try Xiaomi(
                packageName: "com.example.survive", appSecret: Self.secret, dataCenter: center(of: Xiaomi.self))
            xiaomi.sendsPassThrough = true
            return xiaomi
        case .vivo:
            return try Vivo(
                appID: 10_004, appKey: Self.key, appSecret: Self.secret, dataCenter: center(of: Vivo.self))
        case .oppo:
            return try OPPO(appKey: Self.key, masterSecret: Self.secret, dataCenter: center(of: OPPO.self))
        case .honor:
            return try Honor(
                appID: "104200001", clientID: "1042", clientSecret: Self.secret, dataCenter: center(of: Honor.self))
        }
    }
}

extension HostileVendor.Kind {
    /// How much faster dates run. The 5 seconds that an access token needs take a twentieth of a second in a round, and
    /// the 20 minutes at APNs take two seconds.
    var pace: Double {
        switch self {
        case .fcm, .harmony, .huawei, .vivo, .oppo, .honor: 100
        case .apns: 600
        default: 1
        }
    }

    /// The same for an outbox, which waits a minute before it resends. For vendors that drop repetitions, dates run as
    /// fast as the outbox's times (`Work`): if the two disagreed, the outbox would not reuse the keys.
    var outboxPace: Double { dropsRepetitions ? Double(Work.speed) : max(pace, 60) }

    /// Whether the vendor drops a message whose key it knows. The client relies on the keys of no other vendor.
    private var dropsRepetitions: Bool { self == .jpush || self == .engagelab }
}
