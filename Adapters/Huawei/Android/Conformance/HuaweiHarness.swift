import HuaweiFixtures
import HuaweiSimulator
public import PushAdapter
public import PushConformance
import PushHuawei
public import PushSimulation
public import PushWebhooks

/// Huawei's Android phones for the conformance kit: one app with every right, and its client secret.
public struct HuaweiHarness: ConformanceHarness {
    static let (client, project, launcher) = ("1000000042", "388421841221882778", "com.example.kit.Start")
    static let secret = "c0nf0rmance0c0nf0rmance0c0nf0rmance0"
    private static let receiptKey = "receipts0c0nf0rmance"

    /// Creates the harness for an app with the documented answers.
    public init() {}

    /// The adapter with the app's secret, for this origin. Its app has a title and a class for notifications
    /// without one, and a known rate.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        try Self.adapter(Self.client, Secret(Self.secret), at: origin)
    }

    static func adapter(_ client: String, _ secret: Secret, at origin: String) throws(PushError) -> Huawei {
        var huawei = try Huawei(
            clientID: client, clientSecret: secret, dataCenter: Huawei.dataCenters.standard.moved(to: origin))
        huawei.defaultTitle = "Kit"
        huawei.launcherClass = launcher
        // Without a class, the third notification of a day would not be shown.
        huawei.capabilities.classes.defaultClass = MessageClass(.service, .subscription)
        huawei.capabilities.quotas["huawei.devices"] = Quota(6000, per: .seconds(1), source: "the app's console")
        return huawei
    }

    /// Huawei with these devices.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        let app = HuaweiApp(
            clientID: Self.client, clientSecret: Secret(Self.secret), projectID: Self.project, devices: devices)
        var settings = HuaweiSimulatorSettings()
        settings.receipts = .init(url: "https://backend.example/r", user: "kit", key: Secret(Self.receiptKey))
        return HuaweiSimulator([app], settings: settings)
    }

    /// `HuaweiReceipts` with the simulator's key.
    public func makeReceiver() throws(PushError) -> (any WebhookReceiver)? {
        try HuaweiReceipts(username: "kit", key: Secret(Self.receiptKey))
    }

    /// An Android device with a token of the usual form.
    public func device(_ number: Int) -> VirtualDevice {
        VirtualDevice("IQAAAACy0k1t" + String(number).padded(to: 100, with: "x"), .android)
    }

    /// The client secret.
    public var secrets: [String] { [Self.secret] }

    /// Options of the vendor.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.options = ["android": ["bi_tag": "kit"]]
        samples.optionMessages = Self.options
        return samples
    }

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let look: JSONValue = [
            "color": "#12aBcd", "multi_lang_key": ["title_key": ["en": "T"]], "style": 3, "inbox_content": ["a"],
            "importance": "NORMAL", "vibrate_config": ["1"], "profile_id": "p", "default_sound": true,
            "buttons": [["name": "Open", "action_type": 0]], "icon": "star", "notify_id": 7, "group": "g",
            "when": "2026-12-01T09:30:00.000Z", "visibility": "PRIVATE", "foreground_show": false,
            "light_settings": ["light_on_duration": "1s"],
        ]
        let big: JSONValue = ["style": 1, "big_title": "T", "big_body": "B"]
        let lines: JSONValue = [
            "android": [
                "category": "EXPRESS", "collapse_key": 7, "target_user_type": 0, "bi_tag": "kit", "receipt_id": "r",
                "notification": look,
            ],
            "review": [["reviewer": "kit"]],
        ]
        return [lines, ["android": ["notification": big]]].map {
            (["notification": ["title": "T", "body": "B"], "options": ["huawei": $0]], nil)
        }
    }()

    /// The codes of a send, and statuses without a body. 503 is flow control.
    public var documentedErrors: [DocumentedError] {
        HuaweiCodes.documented(
            PackageResources.errors_json, ["send": [.send, .readTags, .addTags], "http": [.send, .readTags]])
    }

    /// A refusal in the vendor's form: the code is a text.
    public func answer(_ error: DocumentedError) -> SimulatedResponse { HuaweiCodes.answer(error) }
}
