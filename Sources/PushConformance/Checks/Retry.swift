import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// The client's retries.
    static let retry: [ConformanceCheck] = [
        ConformanceCheck(
            .retry, "recovers", "A read that fails twice succeeds on the third attempt.",
            when: { $0.readable != nil },
            supported: { world in
                let reading = try world.reading()
                world.host.faults.add(.serverError(status: 503), times: 2, path: try world.path(of: reading))
                try await world.client.run(reading.exchange)
                try expectEqual(world.tap.count, 3, "the requests", hint: "a temporary failure is retried")
            },
            refused: { world in try world.expectOnlySends() }),
        ConformanceCheck(
            .retry, "exhausted", "A read that keeps failing ends after three attempts, with its retries exhausted.",
            when: { $0.readable != nil },
            supported: { world in
                let reading = try world.reading()
                world.host.faults.add(.html(status: 503), times: 9, path: try world.path(of: reading))
                let error = try await expectError("the read", hint: "every response is a failure") {
                    () async throws(PushError) in try await world.client.run(reading.exchange)
                }
                try expectEqual(world.tap.count, 3, "the requests", hint: "three attempts, no more")
                try expectEqual(error.retry, .exhausted, "the retry", hint: "\(error)")
            },
            refused: { world in try world.expectOnlySends() }),
        ConformanceCheck(
            .retry, "key", "A retried send has the same key, and the vendor delivers once.",
            when: { $0.has(.send) && $0.repeatsSends },
            supported: { world in
                let sending = try world.required(.send)
                world.host.faults.add(.actedThenLost, path: try world.path(of: sending))
                let report = try await world.client.send(world.message, to: world.audience)
                let bodies = try world.sent(sending).map(\.body)
                try expectEqual(bodies.count, 2, "the sends", hint: "with a key, a retry is harmless")
                try expect(
                    bodies[0] == bodies[1], "two equal sends", actual: "different ones", hint: "keep the key")
                try expectEqual(
                    try await world.inbox(world.device).count, 1, "the messages received", hint: "send the key")
                try expect(
                    report.isComplete, "a complete report", actual: "\(report)", hint: "the second attempt succeeded")
            },
            refused: { world in
                guard world.has(.send), let sending = try world.sample(of: .send) else {
                    return try await world.expectRefusal(of: .send)
                }
                world.host.faults.add(.actedThenLost, path: try world.path(of: sending))
                let error = try await expectError("the send", hint: "its response was lost") {
                    () async throws(PushError) in try await world.client.send(world.message, to: world.audience)
                }
                try expectEqual(error.effect, .unknown, "the effect", hint: "\(error)")
                try expectEqual(try world.sent(sending).count, 1, "the sends", hint: "without a key, never retry")
            }),
        keyGrade,
        ConformanceCheck(
            .retry, "signature", "Every attempt is signed anew: one after ten minutes is accepted.",
            when: { $0.readable != nil },
            supported: { world in
                let reading = try world.reading()
                let busy = SimulatedResponse(status: 429, headers: [.retryAfter: "600"])
                world.host.faults.add(.answer(busy), path: try world.path(of: reading))
                let client = world.patientClient()
                try await client.run(reading.exchange)
                try expectEqual(world.tap.count, 2, "the requests", hint: "follow Retry-After")
                try expect(
                    world.clock.elapsed >= .seconds(600), "ten minutes between the attempts",
                    actual: "\(world.clock.elapsed)",
                    hint: "follow Retry-After")
            },
            refused: { world in try world.expectOnlySends() }),
        ConformanceCheck(
            .retry, "token", "A refused access token is replaced, and the send arrives once; keys are never renewed.",
            when: { $0.provider.roles.tokens != nil && $0.has(.send) },
            supported: { world in
                let sending = try world.required(.send)
                let renewed = try world.harness.documentedErrors.first { error in
                    try error.operation == .send && world.diagnosis(of: error).retry == .afterRenewal
                }
                guard let renewed else {
                    throw ConformanceFailure(
                        expected: "a code of a send that a new token helps against", actual: "none",
                        hint: "diagnose it with the retry afterRenewal")
                }
                _ = try await world.client.send(world.message, to: .devices([world.deviceIDs[1]]))
                // The token is so new that another would be refused as well.
                let age = world.provider.roles.tokens?.minimumInterval ?? .zero
                try await world.clock.sleep(for: max(.seconds(60), age))
                let before = try world.sent(sending).count
                world.host.faults.add(.answer(world.answer(renewed)), path: try world.path(of: sending))
                let report = try await world.client.send(world.message, to: .devices([world.device]))
                try expect(report.isComplete, "a complete report", actual: "\(report)", hint: "repeat with a new token")
                try expectEqual(try world.sent(sending).count - before, 2, "the sends", hint: "one refused, one not")
                try expectEqual(try await world.inbox(world.device).count, 1, "the messages received", hint: "once")
            },
            refused: { world in
                for error in world.harness.documentedErrors {
                    try expect(
                        try world.diagnosis(of: error).retry != .afterRenewal,
                        "another retry than afterRenewal for the code \(error.code)", actual: "afterRenewal",
                        hint: "only access tokens are renewed: implement the role tokens")
                }
            }),
        ConformanceCheck(
            .retry, "refusal", "A permanent refusal is not retried.",
            when: { $0.readable != nil },
            supported: { world in
                let reading = try world.reading()
                let error = try world.lastingError(for: reading.operation)
                world.host.faults.add(.answer(world.answer(error)), times: 9, path: try world.path(of: reading))
                _ = try await expectError("the read", hint: "the vendor refuses it") {
                    () async throws(PushError) in try await world.client.run(reading.exchange)
                }
                try expectEqual(world.tap.count, 1, "the requests", hint: "the same call is refused again")
            },
            refused: { world in try world.expectOnlySends() }),
        ConformanceCheck(
            .retry, "write",
            "The client retries a tag change after a lost response, with the result of one call.",
            needs: [.addTags]
        ) { world in
            let adding = try world.required(.addTags)
            world.host.faults.add(.actedThenLost, path: try world.path(of: adding))
            let tag = Set(world.tags(1))
            _ = try await world.client.updateTags(.add(tag), of: world.device)
            try expectEqual(world.tap.count, 2, "the requests", hint: "adding twice is adding once: .idempotent")
            try expectEqual(try await world.tags(world.device), tag, "the tags", hint: "no tag twice")
        },
    ]

    /// Calls that end early.
    static let cancellation: [ConformanceCheck] = [
        ConformanceCheck(
            .cancellation, "waiting", "A send that is cancelled while it waits out a throttle was not applied.",
            needs: [.send], setup: World.Setup(standsStill: true, configure: { $0.deadline = .seconds(300) })
        ) { world in
            let sending = try world.required(.send)
            world.host.faults.add(.throttle(reset: 60), path: try world.path(of: sending))
            let error = try await world.cancelledSend { moment in (world.clock as? StillClock)?.onSleep(moment) }
            try expectEqual(error.kind, .cancelled, "the kind", hint: "\(error)")
            try expectEqual(error.effect, .notApplied, "the effect", hint: "the vendor refused the only attempt")
        },
        ConformanceCheck(
            .cancellation, "inFlight", "A send that is cancelled in flight may have been applied.",
            needs: [.send], setup: World.Setup(standsStill: true)
        ) { world in
            let sending = try world.required(.send)
            let path = try world.path(of: sending)
            world.host.faults.add(.silence, path: path)
            let error = try await world.cancelledSend { moment in
                let journal = world.host.journal
                _ = journal.observe { [weak journal] in
                    if journal?.entries(path: path).isEmpty == false { moment() }
                }
            }
            try expectEqual(error.kind, .cancelled, "the kind", hint: "\(error)")
            try expectEqual(error.effect, .unknown, "the effect", hint: "the request was already sent")
            try expectEqual(try world.sent(sending).count, 1, "the sends", hint: "a cancelled call is over")
        },
        ConformanceCheck(
            .cancellation, "deadline", "A throttle that outlasts the deadline ends the call at once.",
            setup: World.Setup(configure: { $0.deadline = .seconds(5) }),
            when: { world in (try? world.reading()).map(world.namesReset) ?? false },
            supported: { world in
                let reading = try world.reading()
                world.host.faults.add(.throttle(reset: 60), times: 9, path: try world.path(of: reading))
                let error = try await expectError("the read", hint: "the vendor throttles") {
                    () async throws(PushError) in try await world.client.run(reading.exchange)
                }
                try expectEqual(error.kind, .rateLimited, "the kind", hint: "\(error)")
                try expectEqual(error.retry, .after(.seconds(60)), "the retry", hint: "read the time in facts(in:)")
                try expectEqual(world.tap.count, 1, "the requests", hint: "waiting cannot help")
            },
            refused: { world in
                guard world.readable != nil else { return try world.expectOnlySends() }
                let reading = try world.reading()
                world.host.faults.add(.throttle(reset: nil), times: 9, path: try world.path(of: reading))
                _ = try await expectError("the read", hint: "the vendor throttles") {
                    () async throws(PushError) in try await world.client.run(reading.exchange)
                }
                try expect(
                    world.clock.elapsed <= .seconds(5), "an end before the deadline", actual: "\(world.clock.elapsed)",
                    hint: "do not sleep past it")
            }),
    ]
}

extension World {
    /// A client with enough time for a vendor that asks for ten minutes.
    fileprivate func patientClient() -> PushClient {
        var configuration = client.configuration
        configuration.deadline = .seconds(3600)
        return PushClient(provider, transport: tap, configuration: configuration)
    }

    /// Sends, and cancels at a moment. A send that ends before that moment is not cancelled.
    /// - Parameter arrange: gets a function to call at the moment.
    fileprivate func cancelledSend(
        at arrange: (_ moment: @escaping @Sendable () -> Void) -> Void
    ) async throws -> PushError {
        let (client, message, audience) = (client, message, audience)
        let (wait, gate) = AsyncStream.makeStream(of: Void.self)
        arrange { gate.finish() }
        let task = Task<PushError?, Never> {
            defer { gate.finish() }
            do throws(PushError) {
                _ = try await client.send(message, to: audience)
                return nil
            } catch {
                return error
            }
        }
        for await _ in wait {}
        task.cancel()
        guard let error = await task.value else {
            throw ConformanceFailure(expected: "a cancelled send", actual: "success", hint: "stop when cancelled")
        }
        return error
    }
}
