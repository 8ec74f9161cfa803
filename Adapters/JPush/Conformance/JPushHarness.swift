import FoundationEssentials
import JPushSimulator
public import PushAdapter
public import PushConformance
import PushJPush
public import PushSimulation

/// JPush for the conformance kit.
public struct JPushHarness: ConformanceHarness {
    static let appKey = "0123456789abcdef01234567"
    static let masterSecret = "c0ffee00c0ffee00c0ffee00"

    private let layout: JPush.PathLayout

    /// JPush in its default data center, with one app's credentials.
    public init() { layout = .standard }

    /// - Parameter dataCenter: `default` or `beijing`. Their paths differ.
    public init(dataCenter: String) { layout = dataCenter == "beijing" ? .beijing : .standard }

    /// The adapter with the harness's app key. All its addresses are at this origin, with the data center's paths.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        try JPush(
            appKey: Self.appKey, masterSecret: Secret(Self.masterSecret),
            dataCenter: JPush.dataCenter(at: origin, layout: layout))
    }

    /// JPush with these devices. The first one is in `segment-1`, `activity-1` and `file-1`.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        let first = Set(devices.prefix(1).map(\.id))
        var settings = JPushSimulatorSettings()
        settings.segments = ["segment-1": first]
        settings.liveActivities = ["activity-1": first]
        settings.files = ["file-1": first.sorted()]
        return JPushSimulator(
            appKey: Self.appKey, masterSecret: Self.masterSecret, devices: devices, settings: settings)
    }

    /// A device with an id of 19 hex digits. Device 1 runs iOS; all others run Android.
    public func device(_ number: Int) -> VirtualDevice {
        let digits = String(number).padded(to: 4)
        return VirtualDevice((number == 1 ? "191" : "190") + "e35f7e0a1b2c" + digits, number == 1 ? .ios : .android)
    }

    /// The master secret, and the pair in its HTTP Basic encoding.
    public var secrets: [String] {
        [Self.masterSecret, Data("\(Self.appKey):\(Self.masterSecret)".utf8).base64EncodedString()]
    }

    /// The start of a live activity, a JPush option, and keys that JPush remembers for a day.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.messages[.contentLiveActivity] = Message(
            liveActivity: ["event": "start", "attributes-type": "Order", "content-state": ["step": 1]])
        samples.options = ["sendno": 4711]
        samples.optionMessages = Self.options
        samples.keyLifetime = .seconds(86_400)
        return samples
    }

    private static let options: [(message: JSONValue, audience: Audience?)] = {
        let quickApp: JSONValue = ["alert": "a", "title": "t", "page": "/home", "extras": ["k": "v"]]
        let android: JSONValue = [
            "style": 1, "big_text": "long", "alert_type": 7, "builder_id": 1, "large_icon": "l", "small_icon_uri": "s",
            "icon_bg_color": "#12aBcd", "badge_class": "c", "show_begin_time": "2026-12-01 09:30:00",
            "show_end_time": "2026-12-02 09:30:00", "display_foreground": "0", "custom_buttons": [["name": "Open"]],
        ]
        let harmony: JSONValue = [
            "style": 2, "inbox": ["a": "b"], "sound_duration": 30, "large_icon": "l", "test_message": true,
            "receipt_id": "r", "display_foreground": "0",
        ]
        let plain: JSONValue = [
            "override_msg_id": 4711, "target_event": ["jg_app_show"], "test_message": true, "receipt_id": "r",
            "third_party_channel": ["xiaomi": ["distribution": "jpush"]], "business_operation_code": "autumn",
            "test_model": true, "auto_truncation": true, "mkt_enable": true, "notification_switch_filter": true,
            "alternate_set": true, "geofence": ["geofenceid": "g"], "portal_extra": ["k": "v"],
        ]
        let shown: [JSONValue] = [
            [
                "sendno": 4711, "big_push_duration": 10, "classification": 1, "alternate_alert": "for others",
                "sms_message": [
                    "temp_id": 1250, "delay_time": 60, "signid": 7, "temp_para": ["k": "v"], "active_filter": false,
                ],
                "callback": ["type": 15, "url": "https://example.com", "params": ["k": "v"]], "quickapp": quickApp,
                "ios": [
                    "sound": ["name": "alarm", "volume": 1, "critical": 1], "alert": ["launch-image": "start"],
                ],
                "android": android, "hmos": harmony,
            ], plain,
            [
                "active_push": true, "need_backup": true, "android": ["style": 2, "inbox": ["a": "b"]],
                "hmos": ["push_type": 2, "extra_data": "d"],
            ],
            [
                "android": ["style": 3, "big_pic_path": "media"],
                "hmos": ["push_type": 10, "extra_data": "d"],
            ],
            ["hmos": ["push_type": 1, "hm_payload": ["a": 1]]], ["hmos": ["push_type": 7, "hm_payload": ["a": 1]]],
            ["inapp_message": true],
        ]
        let custom: [JSONValue] = [
            ["alternate_title": "t", "alternate_content": "c", "notification_3rd": ["content": "shown instead"]],
            ["notification_3rd_ver": "v2", "notification_3rd": ["android": ["alert": "a"]]],
        ]
        return shown.map { (["notification": ["title": "T", "body": "B"], "options": ["jpush": $0]], nil) }
            + custom.map { (["custom": ["content": "c"], "options": ["jpush": $0]], nil) }
    }()

    /// The codes of those API families that the adapter calls.
    public var documentedErrors: [DocumentedError] {
        let operations: [String: [Feature]] = [
            "rest-push": [.send], "rest-device": [.readTags, .addTags], "rest-report": [.readDeliveries],
            "rest-schedule": [.createSchedule],
        ]
        guard let rows = try? JSONValue(parsing: PackageResources.errors_json).arrayValue else { return [] }
        return rows.flatMap { row -> [DocumentedError] in
            // Schedules use 8000 for success.
            guard let surface = row["surface"]?.stringValue, let code = row["code"]?.identifier.map({ VendorCode($0) }),
                code != 8000
            else {
                return []
            }
            return (operations[surface] ?? []).map { operation in
                DocumentedError(
                    code: code, status: row["http"]?.intValue, operation: operation,
                    isPassing: row["retry"]?.boolValue)
            }
        }
    }

    /// A refusal in the vendor's envelope. The status is 400 if the documents name none.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let body: JSONValue = [
            "error": ["code": error.code.json, "message": .string(error.message)]
        ]
        return SimulatedResponse(status: error.status ?? 400, body: JSONWriter.bytes(of: body))
    }
}
