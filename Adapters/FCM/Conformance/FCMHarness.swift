import FCMSimulator
public import PushAdapter
public import PushConformance
import PushCrypto
import PushFCM
public import PushSimulation

/// FCM for the conformance kit: one project whose devices have tokens.
public struct FCMHarness: ConformanceHarness {
    private static let account = try? FCMServiceAccount.generate(
        in: "kit", with: SigningKey(pem: ConformanceSamples.rsaKey))

    /// Creates the harness for a project with the documented answers.
    public init() {}

    /// The adapter with the key of the project's account, for this origin.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        let file = JSONWriter.bytes(of: .object(Self.account?.keyFile ?? [:]))
        return try FCM(
            ServiceAccount(json: Secret(file)),
            dataCenter: FCM.dataCenters.standard.moved(to: origin))
    }

    /// FCM with these devices.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        FCMSimulator(
            projects: [FCMProject(id: "kit", number: "42", devices: devices)],
            accounts: Self.account.map { [$0.account] } ?? [])
    }

    /// A device with a token of the usual form. Device 1 runs iOS; all others run Android.
    public func device(_ number: Int) -> VirtualDevice {
        VirtualDevice(
            "kItDeViCe00:APA91b" + String(number).padded(to: 134, with: "x"), number == 1 ? .ios : .android)
    }

    /// The lines of the private key.
    public var secrets: [String] {
        let pem = Self.account?.keyFile["private_key"]?.stringValue ?? ""
        return pem.split(separator: "\n").map(String.init).filter { !$0.contains("-----") && $0.count > 32 }
    }

    /// An option of the vendor, and a change of a Live Activity.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.options = ["fcm_options": ["analytics_label": "kit"]]
        samples.optionMessages = Self.options
        samples.messages = [.contentLiveActivity: Self.activity]
        // Reports need a wider scope than sends do.
        samples.scopes = [.app, .account]
        return samples
    }

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let label: JSONValue = ["analytics_label": "kit"]
        let android: JSONValue = [
            "fcm_options": label, "collapse_key": "offers", "restricted_package_name": "com.example",
            "direct_boot_ok": true, "bandwidth_constrained_ok": true, "restricted_satellite_ok": true,
            "notification": [
                "icon": "star", "ticker": "T", "sticky": true, "local_only": true, "visibility": "SECRET",
                "color": "#12aBcd", "event_time": "2026-12-01T09:30:00Z", "vibrate_timings": ["0.5s"], "proxy": "ALLOW",
                "light_settings": [
                    "color": ["red": 1, "green": 0, "blue": 0, "alpha": 1], "light_on_duration": "1s",
                    "light_off_duration": "0.5s",
                ],
            ],
        ]
        let aps: JSONValue = [
            "alert": [
                "launch-image": "start", "action-loc-key": "OPEN", "summary-arg": "Ann", "summary-arg-count": 2,
            ],
            "sound": ["name": "alarm", "volume": 1, "critical": 1], "target-content-id": "window", "url-args": ["a"],
            "relevance-score": 1, "filter-criteria": "work",
        ]
        let apns: JSONValue = [
            "fcm_options": label, "headers": ["apns-topic": "com.example"], "payload": ["aps": aps, "own": ["k": 1]],
        ]
        let webpush: JSONValue = [
            "headers": ["TTL": "60"], "data": ["k": "v"], "notification": ["icon": "https://shop.example/icon.png"],
            "fcm_options": ["analytics_label": "kit", "link": "https://shop.example"],
        ]
        let shown: [JSONValue] = [
            ["fcm_options": label, "android": android, "apns": apns, "webpush": webpush],
            [
                "android": [
                    "notification": [
                        "default_vibrate_timings": true, "default_light_settings": true, "default_sound": true,
                        "bypass_proxy_notification": true,
                    ]
                ]
            ],
            ["android_v2": ["background_sync": [:], "data": ["k": "v"], "fcm_options": label]],
        ]
        let activity: JSONValue = [
            "liveActivity": LiveActivityUpdate(.update, content: ["eta": 9]).json,
            "options": ["fcm": ["apns": ["live_activity_token": "a1b2c3"]]],
        ]
        return shown.map { (["notification": ["body": "B"], "options": ["fcm": $0]], nil) } + [(activity, nil)]
    }()

    private static let activity: Message = {
        var message = Message(liveActivity: LiveActivityUpdate(.update, content: ["eta": 9]).json)
        try? message.set(FCMOptions(liveActivityToken: "a1b2c3"))
        return message
    }()

    private static let rows: [(surface: String, code: VendorCode, status: Int?, isPassing: Bool?)] = {
        let rows = try? JSONValue(parsing: PackageResources.errors_json).arrayValue
        return (rows ?? []).compactMap { row in
            // UNSPECIFIED_ERROR promises nothing that a check could test.
            guard let surface = row["surface"]?.stringValue, let code = row["code"]?.stringValue,
                code != "UNSPECIFIED_ERROR"
            else { return nil }
            return (surface, VendorCode(code), row["http"]?.intValue, row["retry"]?.boolValue)
        }
    }()

    /// The codes of a send, and the codes that every call may return.
    public var documentedErrors: [DocumentedError] {
        let operations: [String: [Feature]] = [
            "send": [.send], "reason": [.send, .addTags, .readTags], "status": [.addTags, .readTags],
        ]
        return Self.rows.flatMap { row in
            (operations[row.surface] ?? []).map {
                DocumentedError(code: row.code, status: row.status, operation: $0, isPassing: row.isPassing)
            }
        }
    }

    /// A refusal in the vendor's envelope: a send code in an FcmError, a reason in an ErrorInfo, any other code as the
    /// status.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let surfaces = Set(Self.rows.filter { $0.code == error.code }.map(\.surface))
        var failure: [String: JSONValue] = ["message": .string(error.message), "status": .string(error.code.rawValue)]
        let type = "type.googleapis.com/google."
        if error.operation == .send, surfaces.contains("send") {
            failure["details"] = [
                ["@type": .string(type + "firebase.fcm.v1.FcmError"), "errorCode": failure["status"] ?? .null]
            ]
        } else if surfaces.contains("reason") {
            failure["details"] = [["@type": .string(type + "rpc.ErrorInfo"), "reason": failure["status"] ?? .null]]
        }
        return SimulatedResponse(status: error.status ?? 400, body: JSONWriter.bytes(of: ["error": .object(failure)]))
    }
}
