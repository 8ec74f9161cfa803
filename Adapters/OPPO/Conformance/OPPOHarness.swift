import OPPOSimulator
public import PushAdapter
public import PushConformance
import PushOPPO
public import PushSimulation
public import PushWebhooks

/// OPPO for the conformance kit: one app with every right, in mainland China or abroad.
public struct OPPOHarness: ConformanceHarness {
    static let (key, secret) = ("c0nf0rmance0key", "c0nf0rmance0c0nf0rmance0master")
    private static let address = "https://backend.example/oppo/c0nf0rmance0path"
    private static let parameter = "c0nf0rmance0parameter"

    private let isAbroad: Bool
    private let answersOtherwise: Bool

    /// Creates the harness for an app.
    /// - Parameters:
    ///   - isAbroad: whether the app is in the region abroad, where the vendor has sends only.
    ///   - answersOtherwise: whether the vendor does the opposite where its documents leave a question open.
    public init(isAbroad: Bool = false, answersOtherwise: Bool = false) {
        (self.isAbroad, self.answersOtherwise) = (isAbroad, answersOtherwise)
    }

    /// The adapter with the app's secret and an address for receipts, for this origin. Its app has a title and a class
    /// for notifications without one.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        let center = try OPPO.dataCenters.named((isAbroad ? OPPO.Region.international : .china).rawValue)
        var oppo = try Self.adapter(Self.key, Secret(Self.secret), center.moved(to: origin))
        oppo.callback = try Self.makeCallback()
        if answersOtherwise { (oppo.trustsDuplicates, oppo.writesTemplateObjects) = (true, true) }
        return oppo
    }

    /// `OPPOReceipts` for the adapter's address.
    public func makeReceiver() throws(PushError) -> (any WebhookReceiver)? { OPPOReceipts(try Self.makeCallback()) }

    private static func makeCallback() throws(PushError) -> OPPOCallback {
        try OPPOCallback(Secret(address), parameter: Secret(parameter))
    }

    static func adapter(_ key: String, _ secret: Secret, _ center: DataCenter) throws(PushError) -> OPPO {
        var oppo = try OPPO(appKey: key, masterSecret: secret, dataCenter: center)
        oppo.defaultTitle = "Kit"
        // Without a class, the third notification of a day would not be shown.
        oppo.capabilities.classes.defaultClass = MessageClass(.service, .subscription)
        return oppo
    }

    /// OPPO with these devices. Abroad, where no call sets one, the first has the alias `alias-1`.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        var settings = OPPOSimulatorSettings()
        if answersOtherwise {
            (settings.repeatAnswer, settings.rateCode, settings.newTokenEndsOthers) = (.duplicate, -2, true)
            (settings.callbackParameterLength, settings.countsDeliveries) = (50, true)
            (settings.unknownAliasCode, settings.tagSeparator, settings.tellsChannelFaults) = (31, ",", true)
        }
        var app = Self.app(Self.key, Self.secret, devices)
        if isAbroad, let first = devices.first { app.aliases[first.id] = "alias-1" }
        return OPPOSimulator([app], region: isAbroad ? .abroad : .china, settings: settings)
    }

    /// An app with every right.
    static func app(_ key: String, _ secret: String, _ devices: [VirtualDevice]) -> OPPOApp {
        var app = OPPOApp(key: key, masterSecret: Secret(secret), devices: devices)
        app.approved = ["IM", "ACCOUNT", "TODO", "DEVICE_REMINDER", "ORDER", "SUBSCRIPTION"]
        app.levels = [1, 2, 16]
        app.channels = ["channel"]
        app.hasExtras = true
        app.templates = ["10086": OPPOTemplate(title: "{shop}", content: "您的订单 {number} 已发货")]
        return app
    }

    /// An Android device with a registration id of the region.
    public func device(_ number: Int) -> VirtualDevice {
        VirtualDevice((isAbroad ? "IN_" : "CN_") + String(number, radix: 16).padded(to: 32), .android)
    }

    /// The master secret.
    public var secrets: [String] { [Self.secret] }

    /// Options of the vendor, the address and the parameter of receipts, which messages hold, and the alias of the first
    /// device abroad.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        if isAbroad { samples.audiences = [.audienceAliases: .aliases(["alias-1"])] }
        samples.options = ["notify_id": 7]
        samples.optionMessages = Self.options
        return samples
    }

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let options: JSONValue = [
            "style": 2, "sub_title": "快递", "category": "ORDER", "notify_level": 2, "notify_id": 7, "show_ttl": 3600,
            "network_type": 1, "fields": ["small_picture_url": "https://example.com/a.png"],
        ]
        return [(["notification": ["title": "商店", "body": "您的订单已发货"], "options": ["oppo": options]], nil)]
    }()

    /// The codes of each call.
    public var documentedErrors: [DocumentedError] {
        let rows = (try? JSONValue(parsing: PackageResources.errors_json).arrayValue) ?? []
        return rows.flatMap(errors)
    }

    /// 32 promises nothing about the message.
    private static let unexplained: Set<String> = ["0", "32"]

    /// Empty for the code of a success, for the codes of rows, for the types of receipts, and for codes that promise
    /// nothing.
    private func errors(_ row: JSONValue) -> [DocumentedError] {
        guard let code = row["code"]?.stringValue, !Self.unexplained.contains(code), row["surface"] == "rest" else {
            return []
        }
        let operations: [Feature] = isAbroad ? [.send] : [.send, .probeCredentials, .addTags, .setAlias]
        return operations.map { operation in
            DocumentedError(
                code: VendorCode(code), status: row["http"]?.intValue, operation: operation,
                isPassing: row["retry"]?.boolValue)
        }
    }

    /// A refusal in the vendor's form. Its status is 200.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let code = Int(error.code.rawValue).map { JSONValue($0) } ?? .string(error.code.rawValue)
        let body = JSONWriter.bytes(of: ["code": code, "message": .string(error.message)])
        return SimulatedResponse(status: error.status ?? 200, body: error.body ?? body)
    }
}
