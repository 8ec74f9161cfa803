import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import PushWebhooks

extension ConformanceCheck {
    /// The receipts of a vendor that says only by them that an app was removed.
    static let receipts: [ConformanceCheck] = [
        ofReceipts("gone", "A receipt about a removed app calls that device dead, and no other.") { world, receipts in
            let gone = world.deviceIDs[1]
            await receipts.vendor.setGone(true, gone.rawValue, at: world.clock.date)
            let sentAt = world.clock.date
            _ = try await world.client.send(world.message("Shipped"), to: .devices(world.deviceIDs))
            let dead = try await receipts.dead()
            try expectEqual(dead.map(\.device), [gone], "the devices called dead", hint: "the app was removed from it")
            try expect(
                dead.allSatisfy { abs(($0.date ?? .distantPast).timeIntervalSince(sentAt)) < 60 },
                "the vendor's date on each event", actual: "none, or another",
                hint: "pruning keeps a device that the app reported since then")
            await receipts.vendor.setGone(false, gone.rawValue, at: world.clock.date)
            _ = try await world.client.send(world.message("Delivered"), to: .devices([gone]))
            try expectEqual(try await receipts.dead().count, 0, "events that call it dead", hint: "the app is back")
            try expectEqual(
                try await world.inbox(gone).map(\.alert), ["Delivered"], "its messages", hint: "the app is back")
        },
        ofReceipts("refused", "A receipt that is broken or does not come by POST is refused.") { world, receipts in
            await receipts.vendor.setGone(true, world.device.rawValue, at: world.clock.date)
            _ = try await world.client.send(world.message("Shipped"), to: .devices([world.device]))
            let calls = await receipts.calls()
            try expect(!calls.isEmpty, "a receipt", actual: "none", hint: "the app was removed from the device")
            for (_, call) in calls {
                var (broken, got) = (call, call)
                broken.body.removeLast(call.body.count / 2)
                got.method = .get
                for (call, statuses) in [(broken, 400...401), (got, 405...405)] {
                    let status = try await receipts.refusal(of: call)
                    try expect(
                        status.map(statuses.contains) ?? false, "a status from \(statuses)",
                        actual: status.map { "status \($0)" } ?? "its events",
                        hint: "check the method, then authenticate, then read all of it")
                }
            }
        },
    ]

    private static func ofReceipts(
        _ name: String, _ requirement: String, _ steps: @escaping @Sendable (World, Receipts) async throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(
            .behavior, "receipts.\(name)", requirement, when: { $0.simulator is any ReceiptSimulator },
            supported: { world in
                guard let vendor = world.simulator as? any ReceiptSimulator,
                    let receiver = try world.harness.makeReceiver()
                else {
                    throw ConformanceFailure(
                        expected: "a receiver of the vendor's receipts", actual: "none",
                        hint: "return it from the harness's makeReceiver")
                }
                try await steps(world, Receipts(vendor: vendor, receiver: receiver, clock: world.clock))
            },
            refused: { world in
                try expect(
                    try world.harness.makeReceiver() == nil, "no receiver", actual: "one",
                    hint: "make the simulator a ReceiptSimulator")
            })
    }
}

/// A vendor's receipts and their receiver.
private struct Receipts: Sendable {
    let vendor: any ReceiptSimulator
    let receiver: any WebhookReceiver
    let clock: any PushClock

    /// The callbacks of the next seconds: a vendor may collect receipts.
    func calls() async -> [(callback: OutgoingCallback, call: WebhookCall)] {
        await vendor.takeCallbacks(.max, at: clock.date.addingTimeInterval(5)).map {
            ($0, WebhookCall(headers: $0.headers, body: $0.body))
        }
    }

    /// The events that call a device dead.
    func dead() async throws -> [WebhookEvent] {
        var events: [WebhookEvent] = []
        for (callback, call) in await calls() {
            let answer: WebhookAnswer
            do { answer = try await receiver.receive(call, at: clock.date) } catch {
                throw ConformanceFailure(
                    expected: "the events of a receipt", actual: "\(error.status): \(error.message)",
                    hint: "the simulator wrote it for this receiver")
            }
            await vendor.noteAnswer(SimulatedResponse(status: 200, body: answer.body), to: callback, at: clock.date)
            events += answer.events
        }
        return events.filter { if case .dead = $0.verdict { true } else { false } }
    }

    /// The status of a refusal; nil if the receiver accepts the call.
    func refusal(of call: WebhookCall) async throws -> Int? {
        do {
            _ = try await receiver.receive(call, at: clock.date)
            return nil
        } catch {
            return error.status
        }
    }
}

extension World {
    fileprivate func message(_ text: String) -> Message {
        Message(notification: Notification(title: "Shop", body: .plain(text)))
    }
}
