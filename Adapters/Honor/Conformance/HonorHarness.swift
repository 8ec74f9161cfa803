import HonorSimulator
public import PushAdapter
public import PushConformance
import PushHonor
public import PushSimulation

/// Honor for the conformance kit: one app with every right.
public struct HonorHarness: ConformanceHarness {
    static let (app, client, launcher) = ("104411001", "k1tc0nf0rmance42", "com.example.kit.Start")
    static let secret = "c0nf0rmance0c0nf0rmance0c0nf0rmance0"

    private let answersOtherwise: Bool

    /// Creates the harness for an app with the assumed answers, or for one whose vendor answers the open questions the
    /// other way: codes as texts and not as statuses, another code of a success, lists of tokens in every response.
    public init(answersOtherwise: Bool = false) { self.answersOtherwise = answersOtherwise }

    /// The adapter with the app's secret, for this origin. Its app has a title for notifications without one.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        try Self.adapter(Self.app, Self.client, Secret(Self.secret), at: origin)
    }

    static func adapter(
        _ app: String, _ client: String, _ secret: Secret, at origin: String
    ) throws(PushError) -> Honor {
        var honor = try Honor(
            appID: app, clientID: client, clientSecret: secret, dataCenter: Honor.dataCenters.standard.moved(to: origin)
        )
        honor.defaultTitle = "Kit"
        honor.launcherClass = launcher
        return honor
    }

    /// Honor with these devices.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        simulator([
            HonorApp(appID: Self.app, clientID: Self.client, clientSecret: Secret(Self.secret), devices: devices)
        ])
    }

    /// A notification without a class is a service message here. As marketing, the third of a day would not be shown.
    func simulator(_ apps: [HonorApp]) -> HonorSimulator {
        var settings = HonorSimulatorSettings()
        settings.isServiceByDefault = true
        if answersOtherwise {
            (settings.usesStatuses, settings.errorStatus, settings.exchangeStatus) = (false, 400, 400)
            (settings.successCode, settings.endedTokenCode) = (80_000_000, 80_200_003)
            (settings.writesCodesAsText, settings.sendResult, settings.newTokenEndsOthers) = (true, nil, true)
            (settings.marksPartialSuccess, settings.listsAllRefused) = (true, true)
            settings.foreignTokensExpire = true
        }
        return HonorSimulator(apps, settings: settings)
    }

    /// An Android device. No source shows the form of a token.
    public func device(_ number: Int) -> VirtualDevice {
        VirtualDevice("k1t." + String(number).padded(to: 100, with: "x"), .android)
    }

    /// The client secret.
    public var secrets: [String] { [Self.secret] }

    /// Options of the vendor. It gives no reason for a token that it refuses.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.namesUnknownDevices = false
        samples.options = ["android": ["biTag": "kit"]]
        samples.optionMessages = Self.options
        return samples
    }

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let look: JSONValue = [
            "importance": "NORMAL", "style": 1, "notifyId": 7, "group": "g", "when": "2026-12-01T09:30:00.000Z",
            "buttons": [
                ["name": "Open", "actionType": 0, "intentType": 0, "intent": "intent:#Intent;end", "data": "d"]
            ],
        ]
        let android: JSONValue = ["targetUserType": 1, "biTag": "kit", "notification": look]
        return [
            (["notification": ["title": "T", "body": "B"], "options": ["honor": ["android": android]]], nil)
        ]
    }()

    /// The codes of a send, and statuses without a body.
    public var documentedErrors: [DocumentedError] {
        let rows = (try? JSONValue(parsing: PackageResources.errors_json).arrayValue) ?? []
        return rows.compactMap(Self.error)
    }

    /// The codes of a success, in whole or in part.
    private static let successes: Set<String> = ["200", "80000000", "80100000"]

    private static func error(_ row: JSONValue) -> DocumentedError? {
        guard let code = row["code"]?.stringValue, !successes.contains(code) else { return nil }
        let (status, isPassing) = (row["http"]?.intValue, row["retry"]?.boolValue)
        switch row["surface"]?.stringValue {
        case "rest":
            return DocumentedError(code: VendorCode(code), status: status, operation: .send, isPassing: isPassing)
        case "http":
            return status.map {
                DocumentedError(status: $0, operation: .send, isPassing: isPassing, isRefusal: $0 < 500 || $0 == 503)
            }
        default: return nil
        }
    }

    /// A refusal in the vendor's form. Its status is assumed, as at the simulator.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let number = answersOtherwise ? nil : Int(error.code.rawValue)
        let code = number.map { JSONValue($0) } ?? .string(error.code.rawValue)
        let body = JSONWriter.bytes(of: ["code": code, "message": .string(error.message)])
        return SimulatedResponse(status: error.status ?? (answersOtherwise ? 400 : 200), body: error.body ?? body)
    }
}
