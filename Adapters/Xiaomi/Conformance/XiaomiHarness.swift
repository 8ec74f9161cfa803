public import PushAdapter
public import PushConformance
public import PushSimulation
public import PushWebhooks
import PushXiaomi
import XiaomiSimulator

/// Xiaomi for the conformance kit: one app with private channels.
public struct XiaomiHarness: ConformanceHarness {
    static let (package, secret) = ("com.example.kit", "c0nf0rmance+c0nf0rmance/c0nf0rmance=")
    private static let address = "https://backend.example/xiaomi/c0nf0rmance0path"
    private static let parameter = "c0nf0rmance0parameter"
    /// The channels of the default class, of service and of marketing.
    static let channels: [MessageClass.Category: String] = [
        .subscription: "137041", .service: "137042", .marketing: "137043",
    ]

    /// Creates the harness for an app with the documented answers.
    public init() {}

    /// The adapter with the app's secret and an address for receipts, for this origin. Its app has a title for
    /// notifications without one, and a channel for notifications without a class.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        var xiaomi = try Self.adapter(Self.package, Secret(Self.secret), at: origin)
        xiaomi.callback = try Self.makeCallback()
        return xiaomi
    }

    /// `XiaomiReceipts` for the adapter's address.
    public func makeReceiver() throws(PushError) -> (any WebhookReceiver)? { XiaomiReceipts(try Self.makeCallback()) }

    private static func makeCallback() throws(PushError) -> XiaomiCallback {
        try XiaomiCallback(Secret(address), parameter: Secret(parameter))
    }

    static func adapter(_ package: String, _ secret: Secret, at origin: String) throws(PushError) -> Xiaomi {
        var xiaomi = try Xiaomi(
            packageName: package, appSecret: secret, dataCenter: Xiaomi.dataCenters.standard.moved(to: origin))
        xiaomi.defaultTitle = "Kit"
        // Without a channel, the second notification of a day would not be shown.
        xiaomi.capabilities.classes = ClassSettings(
            defaultClass: MessageClass(.service, .subscription), words: ["xiaomi": channels])
        return xiaomi
    }

    /// Xiaomi with these devices. The first one has `alias-1` and the account `account_1`.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        var app = Self.app(Self.package, Self.secret, devices)
        for device in devices.prefix(1) {
            app.aliases[device.id] = ["alias-1"]
            app.accounts[device.id] = ["account_1"]
        }
        return Self.simulator([app])
    }

    /// An app whose private channels have the template `P10086`.
    static func app(_ package: String, _ secret: String, _ devices: [VirtualDevice]) -> XiaomiApp {
        let channel = XiaomiChannel(.private, templates: ["P10086": ["shop", "number"]])
        // "channel" is the one that the kit's messages name.
        let all = Dictionary(uniqueKeysWithValues: (Array(channels.values) + ["channel"]).map { ($0, channel) })
        return XiaomiApp(packageName: package, secret: Secret(secret), channels: all, devices: devices)
    }

    /// The kit's messages have no template, which the vendor demands from 2027 on.
    static func simulator(_ apps: [XiaomiApp]) -> XiaomiSimulator {
        var settings = XiaomiSimulatorSettings()
        settings.demandsTemplates = false
        return XiaomiSimulator(apps, settings: settings)
    }

    /// An Android device with a regid of the usual form.
    public func device(_ number: Int) -> VirtualDevice {
        VirtualDevice("k1t/" + String(number).padded(to: 40, with: "x") + "=", .android)
    }

    /// The app secret.
    public var secrets: [String] { [Self.secret] }

    /// The alias and the account of the first device, options of the vendor, and the secrets of receipts.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.audiences = [
            .audienceAliases: .aliases(["alias-1"]), .audienceAccounts: .accounts([Account(name: "account_1")]),
        ]
        samples.unknownSchedule = "Xcm0"
        samples.options = ["notify_type": 1]
        samples.optionMessages = Self.options
        return samples
    }

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let fields: JSONValue = ["ticker": "T", "sound_uri": "bell", "only_send_once": "0", "locale_not_in": "fr_FR"]
        let all: [(JSONValue, Audience?)] = [
            (["notify_type": 7, "notify_id": 4711, "extra": fields], nil),
            (["except": ["b"]], .tagged(anyOf: ["a"])),
        ]
        return all.map { (["notification": ["title": "T", "body": "B"], "options": ["xiaomi": $0.0]], $0.1) }
    }()

    /// The codes of each call, and statuses without a body.
    public var documentedErrors: [DocumentedError] {
        let rows = (try? JSONValue(parsing: PackageResources.errors_json).arrayValue) ?? []
        return rows.flatMap(Self.errors)
    }

    /// The vendor's pages do not say that a message was sent or was not.
    private static let unexplained: Set<String> = ["26006", "66006"]
    private static let special: [String: [Feature]] = [
        "20215": [.addTags], "20216": [.removeTags], "20315": [.removeSchedule], "65028": [.removeSchedule],
    ]

    /// Empty for the code of a success, for the types of receipts, and for codes that promise nothing.
    private static func errors(_ row: JSONValue) -> [DocumentedError] {
        guard let code = row["code"]?.stringValue, code != "0", !unexplained.contains(code),
            let surface = row["surface"]?.stringValue, surface != "receipt"
        else { return [] }
        let (status, isPassing) = (row["http"]?.intValue, row["retry"]?.boolValue)
        return (special[code] ?? [.send, .readTags, .addTags]).compactMap { operation in
            guard surface == "http" else {
                var error = DocumentedError(
                    code: VendorCode(code), status: status, operation: operation, isPassing: isPassing)
                // The request had expired before the vendor came to it.
                error.isRefusal = code == "10037"
                return error
            }
            return status.map {
                DocumentedError(status: $0, operation: operation, isPassing: isPassing, isRefusal: $0 < 500)
            }
        }
    }

    /// A refusal in the vendor's form. Its status is 200.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let code = Int(error.code.rawValue).map { JSONValue($0) } ?? .string(error.code.rawValue)
        let body = JSONWriter.bytes(of: [
            "result": "error", "reason": .string(error.message), "trace_id": "Xdm0kit", "code": code,
            "description": .string(error.message),
        ])
        return SimulatedResponse(status: error.status ?? 200, body: error.body ?? body)
    }
}
