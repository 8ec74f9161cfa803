import PushAdapter
import PushClient
import PushSimulation

/// A fault, and how an adapter must report it.
private struct Trouble: Sendable {
    var name: String
    var sentence: String
    var kinds: Set<PushError.Kind>
    /// The effect of the request that met the fault.
    var effect: PushError.Effect
    /// Whether the same request may succeed later.
    var passes = true
    /// Whether it needs a short timeout, because no response comes.
    var isSilent = false
    /// The code that the error must keep.
    var code: (@Sendable (World, ErasedExchange) throws -> VendorCode)?
    /// The shortest wait before a retry, if the vendor's throttle states a reset time.
    var wait: Duration = .zero
    var fault: @Sendable (World, ErasedExchange) throws -> Fault
}

private let troubles: [Trouble] = [
    Trouble(
        name: "throttle", sentence: "A throttle with a reset time means that nothing was done", kinds: [.rateLimited],
        effect: .notApplied, wait: .seconds(7), fault: { _, _ in .throttle(reset: 7) }),
    Trouble(
        name: "throttle.blind", sentence: "A throttle without a reset time means that nothing was done",
        kinds: [.rateLimited], effect: .notApplied, fault: { _, _ in .throttle(reset: nil) }),
    Trouble(
        name: "500", sentence: "A failure inside the vendor leaves the effect unknown",
        kinds: [.server, .busy, .timeout],
        effect: .unknown, fault: { _, _ in .serverError(status: 500) }),
    Trouble(
        name: "503", sentence: "An unavailable vendor leaves the effect unknown",
        kinds: [.server, .busy, .timeout], effect: .unknown, fault: { _, _ in .serverError(status: 503) }),
    Trouble(
        name: "html.502", sentence: "A gateway's page is a failure", kinds: [.server, .busy], effect: .unknown,
        fault: { _, _ in .html(status: 502) }),
    Trouble(
        name: "html.200", sentence: "A page with status 200 is not a success", kinds: [.malformedResponse],
        effect: .unknown, fault: { _, _ in .html(status: 200) }),
    Trouble(
        name: "json.200", sentence: "Unrelated JSON with status 200 is not a success",
        kinds: [.malformedResponse],
        effect: .unknown,
        fault: { _, _ in .answer(SimulatedResponse(status: 200, body: Array(#"{"hello":"world"}"#.utf8))) }),
    Trouble(
        name: "empty", sentence: "An empty response to a call that needs a body is not a success",
        kinds: [.malformedResponse], effect: .unknown, fault: { _, _ in .answer(SimulatedResponse(status: 200)) }),
    Trouble(
        name: "cut.200", sentence: "Half of a JSON text with status 200 is not a success", kinds: [.malformedResponse],
        effect: .unknown, fault: { _, _ in .answer(SimulatedResponse(status: 200, body: Array(#"{"id":"1"#.utf8))) }),
    Trouble(
        name: "truncated", sentence: "A truncated response leaves the effect unknown",
        kinds: [.transport, .malformedResponse],
        effect: .unknown, fault: { _, _ in .truncated }),
    Trouble(
        name: "oversize", sentence: "An endless response is not read to its end",
        kinds: [.malformedResponse, .transport],
        effect: .unknown, fault: { _, _ in .oversize(bytes: 32 << 20) }),
    Trouble(
        name: "lost", sentence: "A lost response leaves the effect unknown", kinds: [.transport, .timeout],
        effect: .unknown, fault: { _, _ in .actedThenLost }),
    Trouble(
        name: "silence", sentence: "No response is a timeout that leaves the effect unknown", kinds: [.timeout],
        effect: .unknown, isSilent: true, fault: { _, _ in .silence }),
    Trouble(
        name: "code.unknown", sentence: "An undocumented code is kept and is not a success", kinds: [.unknown],
        effect: .unknown, passes: false, code: { _, _ in 987_654 },
        fault: { world, sample in
            // A documented status says something by itself, whatever the code is.
            let told = Set(world.harness.documentedErrors.filter { $0.body != nil }.compactMap(\.status))
            let status = [400, 422, 409].first { !told.contains($0) }
            let strange = DocumentedError(code: 987_654, status: status, operation: sample.operation)
            return .answer(world.answer(strange))
        }),
    Trouble(
        name: "code.in200", sentence: "An error with status 200 is an error", kinds: [], effect: .notApplied,
        passes: false, code: { world, sample in try world.lastingError(for: sample.operation).code },
        fault: { world, sample in
            var error = try world.lastingError(for: sample.operation)
            error.status = 200
            return .answer(world.answer(error))
        }),
    Trouble(
        name: "code.in500", sentence: "A refusal from a failing server leaves the effect unknown", kinds: [],
        effect: .unknown, passes: false, code: { world, sample in try world.lastingError(for: sample.operation).code },
        fault: { world, sample in
            var error = try world.lastingError(for: sample.operation)
            error.status = 500
            return .answer(world.answer(error))
        }),
]

extension ConformanceCheck {
    /// Faults on the way, for a call that only reads and for a send.
    static let errors: [ConformanceCheck] =
        [
            ConformanceCheck(
                .errors, "foreign", "No call that needs a response body accepts unrelated JSON.", isSafeLive: true
            ) { world in
                let foreign = WireResponse(status: 200, body: Array(#"{"hello":"world"}"#.utf8))
                // A response that only confirms may have any form.
                let silent: [Feature] = [
                    .addTags, .removeTags, .replaceTags, .clearTags, .setAlias, .removeAlias, .deleteAlias, .setPhone,
                    .removePhone,
                    .addMembers, .removeMembers, .removeSchedule, .probeCredentials, .addAccounts, .removeAccounts,
                    .replaceAccounts, .clearAccounts, .updateDevice,
                ]
                for sample in try world.sampleCalls() where !silent.contains(sample.operation) {
                    try expect(
                        (try? sample.exchange.decode(foreign)) == nil, "\(sample.operation) to refuse it",
                        actual: "success", hint: "optional fields match any object: require one of them")
                }
            },
            ConformanceCheck(
                .errors, "certain",
                "A status from 500 is a refusal only where the vendor documents that; then a send is safe to repeat.",
                when: { world in !world.documentedRefusals.isEmpty && world.has(.send) },
                supported: { world in
                    try world.expectDoubt()
                    for refusal in world.documentedRefusals { try await world.meetSending(refusal) }
                }, refused: { world in try world.expectDoubt() }),
            ConformanceCheck(
                .errors, "contradiction",
                "An accepting body under a refusing status does not mean that nothing was done.", needs: [.send],
                setup: World.Setup(configure: { $0.retry = .none })
            ) { world in try await world.meetContradictions() },
            ConformanceCheck(
                .errors, "pages", "No call of the adapter accepts a page with status 200 as a success.",
                isSafeLive: true
            ) { world in
                let page = WireResponse(
                    status: 200, headers: [.contentType: "text/html"], body: Array("<html>welcome</html>".utf8))
                for sample in try world.sampleCalls() {
                    if world.provider.diagnose(page, to: sample.exchange.call) != nil { continue }
                    try expect(
                        (try? sample.exchange.decode(page)) == nil, "\(sample.operation) to refuse a page",
                        actual: "success", hint: "decode only the vendor's own form of success, or an empty body")
                }
            },
        ]
        + troubles.flatMap { trouble in
            let setup = World.Setup(configure: { if trouble.isSilent { $0.attemptTimeout = .seconds(5) } })
            return [
                ConformanceCheck(
                    .errors, "read.\(trouble.name)", "\(trouble.sentence), when reading.", setup: setup,
                    when: { $0.readable != nil }, supported: { world in try await trouble.meet(world) },
                    refused: { world in try world.expectOnlySends() }),
                ConformanceCheck(
                    .errors, "send.\(trouble.name)", "\(trouble.sentence), when sending.", needs: [.send], setup: setup
                ) { world in try await trouble.meetSending(world) },
            ]
        }
}

extension Trouble {
    /// A read meets the fault on every attempt.
    fileprivate func meet(_ world: World) async throws {
        let reading = try world.reading()
        let attempts = world.client.configuration.retry.attempts
        world.host.faults.add(try fault(world, reading), times: attempts, path: try world.path(of: reading))
        guard !isWaitedFor(world, reading) else {
            try await world.client.run(reading.exchange)
            return try expectEqual(
                world.tap.count, attempts + 1, "the requests", hint: "a throttle whose end is known is waited for")
        }
        let error = try await expectError("the read", hint: "diagnose(_:to:) or decode treated it as success") {
            () async throws(PushError) in try await world.client.run(reading.exchange)
        }
        try check(error, world, reading)
        try expectEqual(
            world.tap.count, passes ? attempts : 1, "the requests",
            hint: passes ? "mark the read as .idempotent, and advise a retry" : "the error is permanent")
    }

    /// Whether the fault is a throttle whose end the vendor names or states.
    private func isWaitedFor(_ world: World, _ sample: ErasedExchange) -> Bool {
        guard kinds == [.rateLimited] else { return false }
        return world.provider.capabilities.leastWaits[.rateLimited] != nil
            || wait > .zero && world.namesReset(sample)
    }

    /// A send meets the fault once.
    fileprivate func meetSending(_ world: World) async throws {
        let sending = try world.required(.send)
        world.host.faults.add(try fault(world, sending), path: try world.path(of: sending))
        let before = world.clock.elapsed
        guard passes, effect == .notApplied || world.repeatsSends else {
            let error = try await expectError("the send", hint: "diagnose(_:to:) or decode treated it as success") {
                () async throws(PushError) in try await world.client.send(world.message, to: world.audience)
            }
            try check(error, world, sending)
            try expectEqual(
                try world.sent(sending).count, 1, "the sends", hint: "do not retry what may have been done")
            return
        }
        let report = try await world.client.send(world.message, to: world.audience)
        try expect(
            report.isComplete, "a complete send on the second attempt", actual: "\(report)", hint: "advise a retry")
        try expectEqual(try world.sent(sending).count, 2, "the sends", hint: "one failure and one success")
        try expectEqual(try await world.inbox(world.device).count, 1, "the messages received", hint: "never twice")
        guard world.namesReset(sending) else { return }
        try expect(
            world.clock.elapsed - before >= wait, "a wait until the vendor's reset time",
            actual: "\(world.clock.elapsed - before)", hint: "read it in facts(in:)")
    }

    private func check(_ error: PushError, _ world: World, _ sample: ErasedExchange) throws {
        try expect(
            kinds.isEmpty || kinds.contains(error.kind), "one of \(kinds.map(\.rawValue).sorted())", actual: "\(error)",
            hint: "diagnose(_:to:) decides first; if it returns nil, the status decides")
        try expectEqual(error.effect, effect, "the effect", hint: "\(error)")
        if let code = try code?(world, sample) {
            try expectEqual(error.vendor?.code, code, "the vendor's code", hint: "keep unknown codes too")
        }
        if case .after(let delay) = error.retry {
            try expect(delay > .zero, "a positive delay", actual: "\(delay)", hint: "\(error)")
        }
    }
}

extension World {
    /// Expects an adapter without `readable` to have no call that reads.
    func expectOnlySends() throws {
        for sample in try sampleCalls() {
            try expect(
                !sample.operation.rawValue.hasSuffix(".read"), "no call that reads", actual: "\(sample.operation)",
                hint: "the kit must know it: add it to World.readable")
        }
    }

    /// Whether the vendor's throttle states its reset time.
    func namesReset(_ sample: ErasedExchange) -> Bool {
        let request = SimulatedRequest(
            method: sample.request.method, path: (try? path(of: sample)) ?? "/", query: "",
            headers: sample.request.headers, body: [])
        return simulator.throttled(reset: 7, for: request) != simulator.throttled(reset: nil, for: request)
    }
}
