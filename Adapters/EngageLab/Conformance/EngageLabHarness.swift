import EngageLabSimulator
import FoundationEssentials
public import PushAdapter
public import PushConformance
import PushEngageLab
public import PushSimulation

/// EngageLab for the conformance kit.
public struct EngageLabHarness: ConformanceHarness {
    static let appKey = "0123456789abcdef01234567"
    static let masterSecret = "fedcba9876543210fedcba98"

    private let settings: EngageLabSimulatorSettings

    /// An app with the documented answers.
    public init() { settings = EngageLabSimulatorSettings() }

    /// Creates the harness for a vendor that answers the open questions the other way: errors without `error` around
    /// them, writes without a body, throttles as 429, foreign keys as 400.
    public init(answersOtherwise: Bool) {
        var settings = EngageLabSimulatorSettings()
        if answersOtherwise {
            settings.sendsFlatErrors = true
            settings.writeAnswer = .empty
            settings.throttleStatus = 429
            settings.unknownKeyAnswer = .invalidKey
        }
        self.settings = settings
    }

    /// The adapter with the harness's app key, for this origin.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        var engageLab = try EngageLab(
            appKey: Self.appKey, masterSecret: Secret(Self.masterSecret), dataCenter: EngageLab.dataCenter(at: origin))
        engageLab.clockOffset = .seconds(8 * 3600)
        return engageLab
    }

    /// EngageLab with these devices. The first one is in `segment-1` and `activity-1`.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        let first = Set(devices.prefix(1).map(\.id))
        var settings = settings
        settings.clockOffset = 8
        settings.segments = ["segment-1": first]
        settings.liveActivities = ["activity-1": first]
        return EngageLabSimulator(
            EngageLabSimulator.App(key: Self.appKey, masterSecret: Self.masterSecret, devices: devices),
            settings: settings)
    }

    /// A device with an id of 19 hex digits. Device 1 runs iOS; all others run Android.
    public func device(_ number: Int) -> VirtualDevice {
        let tail = String(number, radix: 16).padded(to: 5)
        return VirtualDevice((number == 1 ? "171" : "170") + "976fa8a0000" + tail, number == 1 ? .ios : .android)
    }

    /// The master secret, and the pair in its HTTP Basic encoding.
    public var secrets: [String] {
        [Self.masterSecret, Data("\(Self.appKey):\(Self.masterSecret)".utf8).base64EncodedString()]
    }

    /// The start of a live activity, and an EngageLab option. The vendor does not name unknown devices.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.messages[.contentLiveActivity] = Message(
            liveActivity: ["event": "start", "attributes-type": "Order", "content-state": ["step": 1]])
        samples.options = ["request_id": "order-4711"]
        samples.optionMessages = Self.options
        samples.namesUnknownDevices = false
        return samples
    }

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let shown: [JSONValue] = [
            [
                "big_push_duration": 10, "plan_id": "autumn", "custom_args": "text",
                "from": "kit", "request_id": "order-4711", "override_msg_id": 4711, "classification": 1,
                "multi_language": ["fr": ["title": "T", "content": "C"]], "voice_value": "speak",
                "enhanc_message": true, "auto_truncation": true,
                "third_party_channel": ["xiaomi": ["distribution": "mtpush"]],
                "ios": [
                    "sound": ["name": "alarm", "volume": 1, "critical": 1], "alert": ["launch-image": "start"],
                ],
                "android": [
                    "style": 1, "big_text": "long", "display_foreground": "1", "builder_id": 1, "large_icon": "l",
                    "small_icon": "s", "badge_class": "c", "group_id": "g", "is_fold": true,
                ],
                "hmos": [
                    "style": 3, "inbox_content": ["a", "b"], "push_type": 2, "extra_data": "d",
                    "display_foreground": "0", "large_icon": "https://example.com/a.png", "test_message": true,
                    "receipt_id": "r",
                ],
            ],
            ["android": ["style": 2, "inbox": ["a": "b"]], "hmos": ["push_type": 10, "extra_data": "d"]],
        ]
        let custom: JSONValue = ["msg_content": ["a": 1], "test_message": true, "receipt_id": "r"]
        return shown.map { (["notification": ["title": "T", "body": "B"], "options": ["engagelab": $0]], nil) }
            + [(["custom": ["content": ""], "options": ["engagelab": ["message": custom]]], nil)]
    }()

    /// The codes of those API families that the adapter calls.
    public var documentedErrors: [DocumentedError] {
        let operations: [String: [Feature]] = [
            "rest-push": [.send], "rest-device": [.readTags, .addTags], "rest-stats": [.readDeliveries],
            "rest-schedule": [.createSchedule],
        ]
        guard let rows = try? JSONValue(parsing: PackageResources.errors_json).arrayValue else { return [] }
        return rows.flatMap { row -> [DocumentedError] in
            guard let surface = row["surface"]?.stringValue, let code = row["code"]?.identifier.map({ VendorCode($0) })
            else { return [] }
            // One of these codes is the result of a token in a successful response.
            let status = row["http"]?.intValue.flatMap { $0 == 200 ? nil : $0 }
            return (operations[surface] ?? []).map { operation in
                DocumentedError(code: code, status: status, operation: operation, isPassing: row["retry"]?.boolValue)
            }
        }
    }

    /// A refusal in the vendor's envelope. The status is 400 if the documents name none.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let detail: JSONValue = ["code": error.code.json, "message": .string(error.message)]
        let body = settings.sendsFlatErrors ? detail : ["error": detail]
        return SimulatedResponse(status: error.status ?? 400, body: JSONWriter.bytes(of: body))
    }
}
