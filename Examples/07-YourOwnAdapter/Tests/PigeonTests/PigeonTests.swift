import PigeonSimulator
import PushAdapter
import PushConformance
import PushPigeon
import PushSimulation
import Testing

@Suite("Pigeon")
struct PigeonTests {
    @Test("the adapter passes every check", arguments: ConformanceCheck.all)
    func conformance(check: ConformanceCheck) async throws {
        try await check.run(on: PigeonHarness())
    }
}

/// Pigeon for the conformance kit.
struct PigeonHarness: ConformanceHarness {
    private let key = "coo-coo-0815-coo"

    func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        try Pigeon(
            ProviderSettings(["key": .secret(Secret(key))]), dataCenter: Pigeon.dataCenters.standard.moved(to: origin))
    }

    func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        PigeonSimulator(key: key, devices: devices)
    }

    func device(_ number: Int) -> VirtualDevice {
        VirtualDevice("bird-\(1000 + number)", number == 1 ? .ios : .android)
    }

    var secrets: [String] { [key] }

    var documentedErrors: [DocumentedError] {
        let numbers = [(10, 401), (11, 401), (20, 400), (21, 404), (30, 429), (90, 500)]
        let operations: [Feature] = [.send, .readTags, .addTags, .probeCredentials]
        return operations.flatMap { operation in
            numbers.map { DocumentedError(code: VendorCode($0.0), status: $0.1, operation: operation) }
        }
    }

    func answer(_ error: DocumentedError) -> SimulatedResponse {
        let body: JSONValue = ["error": ["no": error.code.json, "text": .string(error.message)]]
        return SimulatedResponse(status: error.status ?? 400, body: JSONWriter.bytes(of: body))
    }
}
