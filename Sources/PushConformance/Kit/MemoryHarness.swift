public import PushAdapter
import PushMemory
public import PushSimulation

/// The kit's own reference: a provider that supports everything, in memory.
public struct MemoryHarness: ConformanceHarness {
    private static let key = "memory-key-0815"

    private let makesKeys: Bool
    private let keyGrade: KeyMemory.Grade

    /// Creates a harness for the memory provider and its vendor, which share a key.
    /// - Parameters:
    ///   - makesKeys: false for a vendor that accepts the caller's idempotency keys and makes none.
    ///   - keyGrade: the effect of a caller's key on a repeated push.
    public init(makesKeys: Bool = true, keyGrade: KeyMemory.Grade = .vendor) {
        (self.makesKeys, self.keyGrade) = (makesKeys, keyGrade)
    }

    /// Creates the memory provider for a vendor at this origin.
    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        var provider = MemoryProvider(key: Secret(Self.key), origin: origin, makesKeys: makesKeys)
        for (kind, memory) in provider.capabilities.callerKeys {
            provider.capabilities.callerKeys[kind] = KeyMemory(
                memory.duration, grade: keyGrade, source: memory.source)
        }
        return provider
    }

    /// Creates a memory vendor whose first device is in a segment, a live activity and a file, and whose app has three
    /// attributes.
    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        let members = Set(devices.prefix(1).map(\.id))
        let names = ["segment-1", "activity-1", "file-1"]
        return MemoryVendor(
            key: Secret(Self.key), devices: devices,
            groups: Dictionary(uniqueKeysWithValues: names.map { ($0, members) }),
            attributeNames: Set(samples.attributeNames), takesCallerKeys: !makesKeys, keyGrade: keyGrade)
    }

    /// `memory-device-1000` and so on; number 1 is an iOS device, all others are Android devices.
    public func device(_ number: Int) -> VirtualDevice {
        VirtualDevice("memory-device-\(1000 + number)", number == 1 ? .ios : .android)
    }

    /// The key that every call carries.
    public var secrets: [String] { [Self.key] }

    /// An option of the memory vendor, and keys that it remembers for a day.
    public var samples: ConformanceSamples {
        var samples = ConformanceSamples()
        samples.options = ["note": "hello"]
        samples.optionMessages = [
            (["notification": ["body": "Hello"], "options": ["memory": ["note": "hello"]]], nil)
        ]
        samples.unknownAttribute = "ghost"
        samples.keyLifetime = .seconds(86_400)
        return samples
    }

    /// The memory vendor's codes 1 to 8 and 10, each for the calls that can return it, and a throttle without a code.
    public var documentedErrors: [DocumentedError] {
        let rows = [(1, 400, false), (3, 429, true), (4, 401, false), (5, 500, true), (6, 403, false)]
        let operations: [Feature] = [.send, .readTags, .addTags, .probeCredentials]
        let common = operations.flatMap { operation in
            rows.map { DocumentedError(code: VendorCode($0.0), status: $0.1, operation: operation, isPassing: $0.2) }
        }
        var crowded = DocumentedError(code: 10, status: 503, operation: .send, isPassing: true)
        crowded.isRefusal = true
        return common + [
            crowded, DocumentedError(status: 503, operation: .send, isPassing: true),
            DocumentedError(code: 2, status: 404, operation: .readTags),
            DocumentedError(code: 7, status: 400, operation: .send),
            DocumentedError(code: 8, status: 400, operation: .send),
        ]
    }

    /// The memory vendor's error body; the status is 400 if the error has none.
    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let body: JSONValue = ["code": error.code.json, "message": .string(error.message)]
        return SimulatedResponse(status: error.status ?? 400, body: JSONWriter.bytes(of: body))
    }
}
