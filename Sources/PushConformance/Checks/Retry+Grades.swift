import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// Keys that do not make the vendor drop a repeated request as a whole.
    static let keyGrade = ConformanceCheck(
        .retry, "grade",
        "A client repeats a lost send only with a key of an accepted grade, and each device shows the message once.",
        when: { $0.has(.send) && $0.hasWeakerKeys },
        supported: { world in
            let sending = try world.required(.send)
            world.host.faults.add(.actedThenLost, path: try world.path(of: sending))
            let client = world.client(accepting: [.target, .device])
            let report = try await client.send(world.message, to: world.audience)
            let bodies = try world.sent(sending).map(\.body)
            try expectEqual(bodies.count, 2, "the sends", hint: "mark a send with a key as .keyed")
            try expect(bodies[0] == bodies[1], "two equal sends", actual: "different ones", hint: "keep the key")
            try expectEqual(
                try await world.inbox(world.device).count, 1, "the messages shown",
                hint: "send the key, or declare less")
            try expect(
                report.isComplete, "a complete report", actual: "\(report)", hint: "the second attempt succeeded")
        },
        refused: { world in
            guard world.has(.send), let sending = try world.sample(of: .send) else {
                return try await world.expectRefusal(of: .send)
            }
            world.host.faults.add(.actedThenLost, path: try world.path(of: sending))
            let client = world.client(accepting: [])
            let error = try await expectError("the send", hint: "its response was lost") {
                () async throws(PushError) in try await client.send(world.message, to: world.audience)
            }
            try expectEqual(error.effect, .unknown, "the effect", hint: "\(error)")
            try expectEqual(try world.sent(sending).count, 1, "the sends", hint: "a send is never .idempotent")
        })
}

extension World {
    /// Whether a send can carry a key that stops a repetition at each target or on the device.
    fileprivate var hasWeakerKeys: Bool {
        [.target, .device].contains(provider.capabilities.keyGrade(for: .push))
    }

    /// A client that repeats sends with keys of these grades only.
    fileprivate func client(accepting grades: Set<KeyMemory.Grade>) -> PushClient {
        var configuration = client.configuration
        configuration.retry.repeatsAfterUnknown = grades
        return PushClient(provider, transport: tap, configuration: configuration)
    }
}
