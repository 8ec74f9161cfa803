import FoundationEssentials
public import PushAdapter
public import PushConformance
public import PushSimulation
import PushTPNS
import TPNSSimulator

/// TPNS for the conformance kit: an app for one platform.
public struct TPNSHarness: ConformanceHarness {
    static let secretKey = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

    private let platform: Platform
    private let isOverwriting: Bool
    private let aliasAccountType: Int?

    /// Creates the harness for an iOS app.
    public init() { self.init(platform: .ios) }

    /// Creates the harness for an iOS or an Android app.
    /// - Parameters:
    ///   - platform: the app's platform.
    ///   - isOverwriting: whether binding an account removes the device's accounts of other types; no page says so.
    ///     Requests for such an app also use HTTP Basic.
    ///   - aliasAccountType: the account type that stands for aliases; nil for none.
    public init(platform: Platform, isOverwriting: Bool = false, aliasAccountType: Int? = nil) {
        self.platform = platform
        self.isOverwriting = isOverwriting
        self.aliasAccountType = aliasAccountType
    }

    var accessID: UInt32 { platform == .ios ? 1_600_999_001 : 1_500_999_001 }

    /// The adapter for the harness's app, for this origin. The app's name replaces missing titles.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        try TPNS(
            accessID: accessID, secretKey: Secret(Self.secretKey), platform: platform,
            dataCenter: TPNS.dataCenter(at: origin), authentication: isOverwriting ? .basic : .signature,
            appName: "Conformance", aliasAccountType: aliasAccountType, bindingOverwrites: isOverwriting)
    }

    /// TPNS with three attributes and these devices. The first one is in package 7.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        var app = TPNSApp(
            accessID: accessID, secretKey: Self.secretKey, platform: platform, devices: devices,
            attributeNames: Set(samples.attributeNames))
        app.packages = [7: devices.prefix(1).map(\.id)]
        var settings = TPNSSimulatorSettings()
        settings.bindingClearsOtherTypes = isOverwriting
        return TPNSSimulator(apps: [app], settings: settings)
    }

    /// A device with a token of 36 hex digits.
    public func device(_ number: Int) -> VirtualDevice {
        VirtualDevice("01ab23cd45ef" + String(number).padded(to: 24), platform)
    }

    /// The secret key, and the pair in its HTTP Basic encoding.
    public var secrets: [String] {
        [Self.secretKey, Data("\(accessID):\(Self.secretKey)".utf8).base64EncodedString()]
    }

    /// Accounts of three types, attributes of the console, a package, and an option of TPNS.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.accounts = [0, 1, 2].map { Account(name: "account_\(11 + $0)", type: $0) }
        samples.unknownAttribute = "ghost"
        samples.audiences[.audienceFile] = TPNSPackage(7, of: .devices).audience
        samples.options = ["seq": 4711]
        samples.optionMessages = optionSamples
        return samples
    }

    private var optionSamples: [(message: JSONValue, audience: Audience?)] {
        let span: JSONValue = ["start": ["hour": "9", "min": "0"], "end": ["hour": "21", "min": "30"]]
        let rule: JSONValue = [
            "operator": "OR", "is_not": false,
            "tag_items": [
                [
                    "tag_type": "xg_user_define", "tags": ["a"], "tags_operator": "OR", "items_operator": "AND",
                    "is_not": false,
                ]
            ],
        ]
        let loop: JSONValue = [
            "startDate": "2026-12-01", "endDate": "2026-12-31", "loopType": 2, "loopDayIndexs": [0, 6],
            "dayTimes": ["09:30:00"],
        ]
        let broad: JSONValue = [
            "send_time": "2026-12-01 09:30:00", "push_speed": 2000, "collapse_id": 4711, "force_collapse": true,
            "resend_by_sms": true, "sms_info": ["sms_app_id": "1"], "ntf_wt_attrs": true, "default_title": "Hi",
            "default_content": "All", "default_subtitle": "S", "xg_media_resources": "https://example.com/a.png",
            "xg_media_audio_resources": "https://example.com/a.mp3", "thread_sumtext": "sum", "accept_time": [span],
            "show_type": 1, "tpns_online_push_type": 1, "channel_rules": [["channel": "apns", "disable": true]],
            "tag_rules": [rule], "ios": ["mutable-content": 0], "android": ["hw_importance": 1], "loop_param": loop,
        ]
        let plain: JSONValue = ["multi_pkg": true, "plan_id": "7", "seq": 4711, "supply_inapp_msg": true]
        let group: JSONValue = platform == .android ? ["thread_id": "orders"] : ["show_type": 2]
        let samples: [(options: JSONValue, audience: Audience?)] = [
            (plain, nil), (group, nil), (broad, .everyone),
            (["account_push_type": 1], .accounts([Account(name: "account_11", type: 0)])),
            (["ignore_invalid_token": 0], nil),
        ]
        return samples.map { options, audience in
            (["notification": ["title": "T", "body": "B"], "options": ["tpns": options]], audience)
        }
    }

    /// The vendor's codes for the model's calls, except the codes that are valid results there.
    public var documentedErrors: [DocumentedError] {
        let answers: [Feature: VendorCode] = [
            .readAccounts: 10_110_008, .probeCredentials: 10_110_008, .readDeliveries: 1_008_015,
        ]
        let operations: [Feature] = [
            .send, .addTags, .readAccounts, isOverwriting ? .replaceAccounts : .addAccounts, .readAttributes,
            .readDeliveries, .probeCredentials,
        ]
        guard let rows = try? JSONValue(parsing: PackageResources.errors_json).arrayValue else { return [] }
        return rows.flatMap { row -> [DocumentedError] in
            guard let code = row["code"]?.identifier.map({ VendorCode($0) }) else { return [] }
            return operations.filter { answers[$0] != code }.map { operation in
                DocumentedError(
                    code: code, status: row["http"]?.intValue, operation: operation,
                    isPassing: row["retry"]?.boolValue, isDone: code == 10_010_018)
            }
        }
    }

    /// A refusal in the call's envelope. If the documents name no status, it has HTTP 200, which is inferred.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let isSnake = [Feature.send, .addTags, .addAccounts, .replaceAccounts].contains(error.operation)
        let body: JSONValue = [
            isSnake ? "ret_code" : "retCode": error.code.json,
            isSnake ? "err_msg" : "errMsg": .string(error.message),
        ]
        return SimulatedResponse(status: error.status ?? 200, body: JSONWriter.bytes(of: body))
    }
}
