public import PushCore
public import PushSimulation

/// The kit's own reference: a provider that has everything, in memory.
public struct MemoryHarness: ConformanceHarness {
    private static let key = "memory-key-0815"

    /// What the provider is said to do; narrow it to see how the checks demand refusals.
    public var capabilities: Capabilities?

    public init(capabilities: Capabilities? = nil) { self.capabilities = capabilities }

    public func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        var provider = MemoryProvider(key: Self.key, origin: origin)
        if let capabilities { provider.capabilities = capabilities }
        return provider
    }

    public func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        let members = Set(devices.prefix(1).map(\.id))
        let names = ["account-1", "segment-1", "activity-1", "file-1"]
        return MemoryVendor(
            key: Self.key, devices: devices, groups: Dictionary(uniqueKeysWithValues: names.map { ($0, members) }))
    }

    public func device(_ number: Int) -> VirtualDevice {
        VirtualDevice("memory-device-\(1000 + number)", number == 1 ? .ios : .android)
    }

    public var secrets: [String] { [Self.key] }

    public var documentedErrors: [DocumentedError] {
        let rows = [(1, 400), (3, 429), (4, 401), (5, 500), (6, 403)]
        let operations: [Feature] = [.send, .readTags, .addTags, .probeCredentials]
        let common = operations.flatMap { operation in
            rows.map { DocumentedError(code: $0.0, status: $0.1, operation: operation) }
        }
        return common + [
            DocumentedError(code: 2, status: 404, operation: .readTags),
            DocumentedError(code: 7, status: 400, operation: .send),
            DocumentedError(code: 8, status: 400, operation: .send),
        ]
    }

    public func answer(_ error: DocumentedError) -> SimulatedResponse {
        let body: JSONValue = ["code": JSONValue(integerLiteral: error.code), "message": .string(error.message)]
        return SimulatedResponse(status: error.status ?? 400, body: JSONWriter.bytes(of: body))
    }
}
