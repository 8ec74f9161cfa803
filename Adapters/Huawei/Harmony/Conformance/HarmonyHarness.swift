import HarmonySimulator
import HuaweiFixtures
public import PushAdapter
public import PushConformance
import PushCrypto
import PushHarmony
public import PushSimulation
public import PushWebhooks

/// HarmonyOS for the conformance kit: one project with every right.
public struct HarmonyHarness: ConformanceHarness {
    static let (project, client) = ("388421841221882778", "1000000042")
    private static let receiptKey = "receipts0c0nf0rmance"
    private static let made = try? HarmonyProject.generate(
        id: project, clientID: client, with: SigningKey(pem: ConformanceSamples.rsaKey))

    /// Creates the harness for a project with the documented answers.
    public init() {}

    /// The adapter with the key of the project's service account, for this origin. Its app has a title and a class for
    /// notifications without one, and a known rate.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        let file = JSONWriter.bytes(of: .object(Self.made?.keyFile ?? [:]))
        return try Self.adapter(file, Self.client, at: origin)
    }

    static func adapter(_ file: [UInt8], _ client: String, at origin: String) throws(PushError) -> Harmony {
        var harmony = try Harmony(
            HuaweiServiceAccount(json: Secret(file)), clientID: client,
            dataCenter: Harmony.dataCenters.standard.moved(to: origin))
        harmony.defaultTitle = "Kit"
        harmony.capabilities.quotas["huawei.devices"] = Quota(6000, per: .seconds(1), source: "the app's console")
        harmony.capabilities.classes.defaultClass = MessageClass(.service, .subscription)
        return harmony
    }

    /// HarmonyOS with these devices.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        var project = Self.made?.project
        project?.devices = devices
        var settings = HarmonySimulatorSettings()
        settings.receipts = .init(url: "https://backend.example/r", user: "kit", key: Secret(Self.receiptKey))
        return HarmonySimulator(project.map { [$0] } ?? [], settings: settings)
    }

    /// `HuaweiReceipts` with the simulator's key.
    public func makeReceiver() throws(PushError) -> (any WebhookReceiver)? {
        try HuaweiReceipts(username: "kit", key: Secret(Self.receiptKey))
    }

    /// A device with a token of 112 characters.
    public func device(_ number: Int) -> VirtualDevice {
        VirtualDevice("MAMzLgIkEU" + String(number).padded(to: 102, with: "x"), .harmony)
    }

    /// The lines of the private key.
    public var secrets: [String] {
        let pem = Self.made?.keyFile["private_key"]?.stringValue ?? ""
        return pem.split(separator: "\n").map(String.init).filter { !$0.contains("-----") && $0.count > 32 }
    }

    /// Options of the vendor, a live view and a call.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.options = ["notification": ["foregroundShow": false]]
        samples.optionMessages = Self.options
        let work = Notification(body: "Hello", harmony: HarmonyNotification(category: "WORK"))
        samples.fields = [.harmony("category"): Message(notification: work)]
        samples.messages = [
            .contentLiveActivity: Message(liveActivity: Self.view), .contentVoIP: Message(voip: ["caller": "Ann"]),
        ]
        return samples
    }

    private static let view: JSONValue = [
        "activityId": 7, "operation": 0, "event": "FLIGHT", "status": "CHECK_IN", "version": 1, "title": "Flight",
        "content": "Check-in is open",
        "activityData": [
            "notificationData": [
                "type": 3, "contentTitle": "Flight", "contentText": [["text": "{{status}}"]],
                "keywords": ["flightNo": "MU1"],
            ]
        ],
    ]

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let lines: JSONValue = [
            "pushOptions": ["biTag": "kit", "collapseKey": 7, "receiptId": "r", "testMessage": false],
            "notification": [
                "category": "EXPRESS", "style": 3, "inboxContent": ["a"], "profileId": "p",
                "soundDuration": 5, "foregroundShow": false,
            ],
        ]
        let big: JSONValue = ["notification": ["style": 1, "bigTitle": "T", "bigBody": "B"]]
        let shown: JSONValue = ["title": "T", "body": "B", "harmony": ["sound": "a.mp3"]]
        let background: JSONValue = ["pushOptions": ["backgroundMode": 1], "proxyData": "ENABLE"]
        return [lines, big, ["extraData": "Speak"]].map { (["notification": shown, "options": ["harmony": $0]], nil) }
            + [(["custom": ["content": "c"], "options": ["harmony": background]], nil)]
    }()

    /// The codes of a send, and statuses without a body. 503 is flow control.
    public var documentedErrors: [DocumentedError] {
        HuaweiCodes.documented(PackageResources.errors_json, ["send": [.send], "http": [.send]])
    }

    /// A refusal in the vendor's form: the code is a text.
    public func answer(_ error: DocumentedError) -> SimulatedResponse { HuaweiCodes.answer(error) }
}
