import FoundationEssentials
import PushAdapter
import PushConformance
import PushSimulation
import PushWebhooks
import VendorRegistry

/// A vendor with receipts, and a reader of them with one flaw.
struct ReceiptTwin: ConformanceHarness {
    private static let known = KnownVendors.all.first { $0.provider.id == "oppo" }
    private let base: any ConformanceHarness
    var call: @Sendable (inout WebhookCall) -> Void = { _ in }
    var events: @Sendable (inout [WebhookEvent]) -> Void = { _ in }
    /// Whether it accepts what it cannot read.
    var acceptsAll = false
    var hasReceiver = true

    init?(_ edit: (inout ReceiptTwin) -> Void) {
        guard let known = Self.known else { return nil }
        base = known
        edit(&self)
    }

    func makeReceiver() throws(PushError) -> (any WebhookReceiver)? {
        guard hasReceiver, let receiver = try base.makeReceiver() else { return nil }
        return Reader(base: receiver, twin: self)
    }

    func makeProvider(at origin: String) throws(PushError) -> any PushProvider { try base.makeProvider(at: origin) }
    func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator { base.makeSimulator(devices: devices) }
    func device(_ number: Int) -> VirtualDevice { base.device(number) }
    var secrets: [String] { base.secrets }
    var documentedErrors: [DocumentedError] { base.documentedErrors }
    func answer(_ error: DocumentedError) -> SimulatedResponse { base.answer(error) }
    var samples: ConformanceSamples { base.samples }

    private struct Reader: WebhookReceiver {
        let base: any WebhookReceiver
        let twin: ReceiptTwin

        func receive(_ call: WebhookCall, at now: Date) async throws(WebhookRefusal) -> WebhookAnswer {
            var call = call
            twin.call(&call)
            do throws(WebhookRefusal) {
                var answer = try await base.receive(call, at: now)
                twin.events(&answer.events)
                return answer
            } catch {
                guard twin.acceptsAll else { throw error }
                return WebhookAnswer([])
            }
        }
    }
}

extension BrokenTwin {
    static let receipts: [BrokenTwin] = [
        of("gone") { $0.hasReceiver = false }, of("refused") { $0.hasReceiver = false },
        of("gone") { $0.events = { events in for index in events.indices { events[index].verdict = nil } } },
        of("gone") { $0.events = { events in for index in events.indices { events[index].verdict = .dead() } } },
        of("gone") { $0.events = { events in for index in events.indices { events[index].device = nil } } },
        of("gone") { $0.events = { events in for index in events.indices { events[index].date = nil } } },
        of("refused") { $0.acceptsAll = true }, of("refused") { $0.call = { $0.method = .post } },
    ].compactMap(\.self)

    private static func of(_ check: String, _ edit: (inout ReceiptTwin) -> Void) -> BrokenTwin? {
        ReceiptTwin(edit).map { twin in BrokenTwin("behavior.receipts.\(check)") { $0.other = twin } }
    }
}
