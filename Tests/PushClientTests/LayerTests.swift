import PushAdapter
import PushClient
import Testing

/// The layers in the documentation of `CallLayer`.
@Suite("Layers of a backend's own")
struct LayerTests {
    private struct AuditLayer: CallLayer {
        let write: @Sendable (String) -> Void

        func intercept<Output: Sendable>(
            _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
        ) async throws(PushError) -> Output {
            do throws(PushError) {
                let output = try await next(call)
                write("\(call.provider) \(call.operation): done")
                return output
            } catch {
                write("\(call.provider) \(call.operation): \(error.kind), \(error.effect.rawValue)")
                throw error
            }
        }
    }

    private struct SwitchLayer: CallLayer {
        let isOff: @Sendable () -> Bool

        func intercept<Output: Sendable>(
            _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
        ) async throws(PushError) -> Output {
            guard !isOff() else {
                throw PushError(.invalidState, "pushes are switched off; nothing was sent", operation: call.operation)
            }
            return try await next(call)
        }
    }

    @Test("an audit log sees what a switch inside it refuses, and nothing is sent")
    func auditAndSwitch() async throws {
        let (lines, isOff) = (Locked<[String]>([]), Locked(false))
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport) {
            $0.layers = [
                AuditLayer { line in lines.withLock { $0.append(line) } }, SwitchLayer { isOff.withLock { $0 } },
            ]
        }
        try await client.run(Acme().call(.idempotent))
        isOff.withLock { $0 = true }
        let error = await #expect(throws: PushError.self) { try await client.run(Acme().call(.idempotent)) }
        #expect(error?.effect == .notApplied && transport.requests.count == 1)
        let written = lines.withLock { $0 }
        try #require(written.count == 2)
        #expect(written[0].hasSuffix(": done") && written[1].hasSuffix(": invalidState, notApplied"))
    }
}
