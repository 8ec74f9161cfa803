public import PushAdapter
public import PushConformance
public import PushSimulation
import PushVivo
import VivoSimulator

/// vivo for the conformance kit: one app with every class.
public struct VivoHarness: ConformanceHarness {
    static let (appID, key, secret) = (10_004, "25509283-kit", "c0nf0rmance-c0nf0rmance-c0nf0rmance")
    /// Secrets as well: the path and the parameter of receipts.
    static let (callback, parameter) = ("https://backend.example/vivo-c0nf0rmance-path", "c0nf0rmance-parameter")
    /// A program may send to everyone several times a day.
    static let broadcastsPerDay = 1000

    private let answersOtherwise: Bool

    /// - Parameter answersOtherwise: whether the vendor does the opposite where its documents leave a question open.
    public init(answersOtherwise: Bool = false) { self.answersOtherwise = answersOtherwise }

    /// The adapter with the app's secret, for this origin. Its app has a title for notifications without one, and a
    /// class for notifications without one.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        var vivo = try Self.adapter(Self.appID, Secret(Self.secret), at: origin)
        if answersOtherwise { (vivo.textMeasure, vivo.memberType) = (.characters, 2) }
        return vivo
    }

    static func adapter(_ appID: Int, _ secret: Secret, at origin: String) throws(PushError) -> Vivo {
        var vivo = try Vivo(
            appID: appID, appKey: key, appSecret: secret, dataCenter: Vivo.dataCenters.standard.moved(to: origin))
        vivo.defaultTitle = "商城"
        vivo.callback = try VivoCallback(Secret(callback), parameter: Secret(parameter))
        // Operational messages rest at night, and a phone shows two of them a day.
        vivo.capabilities.classes = ClassSettings(defaultClass: MessageClass(.service, .subscription))
        return vivo
    }

    /// vivo with these devices. The first one has `alias-1`.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        var app = Self.app(Self.appID, Self.secret, devices)
        for device in devices.prefix(1) { app.aliases[device.id] = "alias-1" }
        var settings = Self.settings
        if answersOtherwise {
            (settings.countsWideTwice, settings.regIDType, settings.defaultClassification) = (false, 2, 1)
            (settings.tellsStatus, settings.dropsRepeats) = (false, true)
        }
        return VivoSimulator([app], settings: settings)
    }

    static func app(_ appID: Int, _ secret: String, _ devices: [VirtualDevice]) -> VivoApp {
        var app = VivoApp(appID: appID, key: key, secret: Secret(secret), devices: devices)
        (app.broadcastsPerDay, app.mayBadge) = (broadcastsPerDay, true)
        app.testDevices = Set(devices.prefix(20).map(\.id))
        return app
    }

    /// The kit's texts are English and its tags are new. The vendor takes neither.
    static let settings: VivoSimulatorSettings = {
        var settings = VivoSimulatorSettings()
        (settings.refusesTestTexts, settings.demandsTags) = (false, false)
        return settings
    }()

    /// An Android device with a regId of the usual 23 digits.
    public func device(_ number: Int) -> VirtualDevice {
        VirtualDevice("15" + String(number).padded(to: 21), .android)
    }

    /// The app secret.
    public var secrets: [String] { [Self.secret] }

    /// The alias of the first device, and options of the vendor.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.audiences = [.audienceAliases: .aliases(["alias-1"])]
        samples.options = ["notifyType": 1]
        samples.optionMessages = Self.options
        return samples
    }

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let all: JSONValue = [
            "notifyType": 2, "networkType": 1, "notifyId": 4711, "sendOnline": true, "foregroundShow": false,
            "profileId": "autumn", "pushMode": 0,
        ]
        let rows: [(JSONValue, Audience?)] = [(all, nil), (["except": ["b"]], .tagged(anyOf: ["a"]))]
        let notification: JSONValue = ["title": "订单已发货", "body": "您的包裹今天送达"]
        return rows.map { (["notification": notification, "options": ["vivo": $0.0]], $0.1) }
    }()

    /// The codes of each call, and statuses without a body.
    public var documentedErrors: [DocumentedError] {
        let rows = (try? JSONValue(parsing: PackageResources.errors_json).arrayValue) ?? []
        return rows.flatMap(Self.errors)
    }

    /// Empty for the code of a success, for statuses of targets and receipts, and for 10040, which promises nothing.
    private static func errors(_ row: JSONValue) -> [DocumentedError] {
        guard let code = row["code"]?.stringValue, !["0", "10040"].contains(code) else { return [] }
        let (status, isPassing) = (row["http"]?.intValue, row["retry"]?.boolValue)
        let operations = Self.operations(of: code)
        switch row["surface"]?.stringValue {
        case "rest":
            return operations.map {
                DocumentedError(code: VendorCode(code), status: status, operation: $0, isPassing: isPassing)
            }
        case "http":
            return operations.map {
                DocumentedError(status: status ?? 500, operation: $0, isPassing: isPassing, isRefusal: false)
            }
        default: return []
        }
    }

    /// The probe takes a refusal of its message's id as a success.
    private static func operations(of code: String) -> [Feature] {
        ["10152", "10471", "10473"].contains(code) ? [.send, .addTags] : [.send, .addTags, .probeCredentials]
    }

    /// A refusal in the vendor's form. Its status is 200.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let code = Int(error.code.rawValue).map { JSONValue($0) } ?? .string(error.code.rawValue)
        let body = JSONWriter.bytes(of: ["result": code, "desc": .string(error.message)])
        return SimulatedResponse(status: error.status ?? 200, body: error.body ?? body)
    }
}
