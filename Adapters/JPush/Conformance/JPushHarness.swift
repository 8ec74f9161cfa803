import FoundationEssentials
import JPushSimulator
public import PushAdapter
public import PushConformance
import PushJPush
public import PushSimulation

/// JPush for the conformance kit.
public struct JPushHarness: ConformanceHarness {
    private static let appKey = "0123456789abcdef01234567"
    private static let masterSecret = "c0ffee00c0ffee00c0ffee00"

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
        let digits = String(repeating: "0", count: max(0, 4 - String(number).count)) + String(number)
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
        samples.keyLifetime = .seconds(86_400)
        return samples
    }

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
