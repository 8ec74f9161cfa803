import FoundationEssentials
import PushAdapter
import PushSimulation
import PushWebhooks

/// The receipts of a vendor that says only by them that an app is gone.
struct StoryReceipts: Sendable {
    let simulator: any ReceiptSimulator
    /// Reads the receipts at the backend.
    let receiver: any WebhookReceiver

    /// The events of all receipts that are due within two seconds. A vendor may collect receipts before it sends them.
    func events(at now: Date) async throws -> [WebhookEvent] {
        var events: [WebhookEvent] = []
        for receipt in await simulator.takeCallbacks(.max, at: now.addingTimeInterval(2)) {
            let call = WebhookCall(headers: receipt.headers, body: receipt.body)
            let answer = try await receiver.receive(call, at: now)
            await simulator.noteAnswer(SimulatedResponse(status: 200, body: answer.body), to: receipt, at: now)
            events += answer.events
        }
        return events
    }
}
