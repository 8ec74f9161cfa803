import APNsSimulator
import PushAPNs
public import PushAdapter
public import PushConformance
public import PushSimulation

/// APNs for the conformance kit: one app of one team, whose devices have tokens of the production environment.
public struct APNsHarness: ConformanceHarness {
    static let (team, key, bundle) = ("T3AMEXAMP1", "K7EXAMPLE9", "com.example.kit")
    /// Generated once for all checks.
    private static let signer = try? APNsSigner.generate(keyID: key, teamID: team)

    /// Creates the harness for an app with the documented answers.
    public init() {}

    /// The adapter with the key of the app's team, for this origin.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        try APNs(
            APNsKey(pem: Self.signer?.pem ?? Secret(""), keyID: Self.key, teamID: Self.team), topic: Self.bundle,
            dataCenter: APNs.dataCenters.standard.moved(to: origin))
    }

    /// APNs with these devices. The first device also has a VoIP token and a Live Activity.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        var app = APNsApp(bundleID: Self.bundle, teamID: Self.team, devices: devices)
        if let first = devices.first {
            app.registrations += [
                APNsRegistration(first, token: Self.callToken, purpose: .voip),
                APNsRegistration(first, token: Self.activityToken, purpose: .liveActivity),
            ]
        }
        return APNsSimulator(apps: [app], signers: Self.signer.map { [$0.signer] } ?? [])
    }

    /// An iOS device with a token of 32 bytes. APNs reaches no other system.
    public func device(_ number: Int) -> VirtualDevice { VirtualDevice(Self.token(number), .ios) }

    private static let callToken = token(0xCA11)
    private static let activityToken = token(0xAC7)

    private static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "7c1e" + String(repeating: "0", count: 60 - digits.count) + digits
    }

    /// The lines of the private key.
    public var secrets: [String] {
        let pem = Self.signer?.pem.withBytes { String(decoding: $0, as: UTF8.self) } ?? ""
        return pem.split(separator: "\n").map(String.init).filter { !$0.contains("-----") && $0.count > 32 }
    }

    /// An option of the vendor, and the tokens and contents of calls and Live Activities.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.options = ["aps": ["target-content-id": "kit"]]
        samples.optionMessages = Self.options
        samples.audiences = [
            .contentVoIP: .devices([DeviceID(Self.callToken)]),
            .contentLiveActivity: .devices([DeviceID(Self.activityToken)]),
        ]
        samples.messages = [
            .contentVoIP: Message(voip: ["caller": "kit"]),
            .contentLiveActivity: Message(liveActivity: ["event": "update", "content-state": ["eta": 9]]),
        ]
        return samples
    }

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let aps: JSONValue = [
            "alert": [
                "launch-image": "start", "action-loc-key": "OPEN", "summary-arg": "Ann", "summary-arg-count": 2,
            ],
            "sound": ["name": "alarm", "volume": 1, "critical": 1], "target-content-id": "window", "url-args": ["a"],
            "relevance-score": 1, "filter-criteria": "work",
        ]
        let shown: JSONValue = ["priority": 5, "collapseID": "kit", "aps": aps]
        let talk: JSONValue = ["pushType": "pushtotalk", "pushToTalkType": "service-update"]
        return [
            (["notification": ["body": "B"], "options": ["apns": shown]], nil),
            (["custom": ["content": "c"], "options": ["apns": talk]], nil),
        ]
    }()

    private static let rows: [(surface: String, code: VendorCode, status: Int?, isPassing: Bool?)] = {
        let rows = try? JSONValue(parsing: PackageResources.errors_json).arrayValue
        return (rows ?? []).compactMap { row in
            guard let surface = row["surface"]?.stringValue, let code = row["code"]?.stringValue else { return nil }
            return (surface, VendorCode(code), row["http"]?.intValue, row["retry"]?.boolValue)
        }
    }()

    /// The reasons of a push. The credential check may get them too, and expects one of them.
    public var documentedErrors: [DocumentedError] {
        Self.rows.filter { $0.surface == "provider-push" }.flatMap { row in
            let operations: [Feature] = row.code == "BadDeviceToken" ? [.send] : [.send, .probeCredentials]
            return operations.map {
                DocumentedError(code: row.code, status: row.status, operation: $0, isPassing: row.isPassing)
            }
        }
    }

    /// A refusal in the vendor's form, with a date if the token is gone.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        var body: [String: JSONValue] = ["reason": .string(error.code.rawValue)]
        if error.status == 410 { body["timestamp"] = 1_795_161_600_123 }
        return SimulatedResponse(status: error.status ?? 400, body: JSONWriter.bytes(of: .object(body)))
    }
}
