import PushAdapter
import PushSimulation

extension ConformanceCheck {
    /// The error codes that the harness documents, and the adapter's diagnosis of each.
    static let documentedErrors: [ConformanceCheck] = [
        ConformanceCheck(
            .declaration, "errors", "Every documented error code gets a known kind, and keeps its number.",
            isSafeLive: true
        ) { world in
            let documented = world.harness.documentedErrors
            try expect(!documented.isEmpty, "documented codes", actual: "none", hint: "list them in the harness")
            for error in documented {
                let diagnosis = try world.diagnosis(of: error)
                try expectEqual(
                    diagnosis.vendor?.code, error.body == nil ? error.code : nil, "the vendor's code",
                    hint: "keep it in VendorDetail")
                try expect(
                    diagnosis.kind != .unknown && !diagnosis.message.isEmpty, "a kind for the code \(error.code)",
                    actual: "\(diagnosis)", hint: "add a row to the table of errors")
            }
        },
        ConformanceCheck(
            .declaration, "simulator", "The simulator's own errors have documented codes, in the harness's format."
        ) { world in
            guard let sample = try world.sampleCalls().first else { return }
            let request = SimulatedRequest(
                method: sample.request.method, path: try world.path(of: sample), query: "", headers: [:], body: [])
            for answer in [
                world.simulator.throttled(reset: nil, for: request), world.simulator.failed(status: 500, for: request),
            ] {
                let response = WireResponse(status: answer.status, headers: answer.headers, body: answer.body)
                let code = world.provider.diagnose(response, to: sample.exchange.call)?.vendor?.code
                try expect(
                    world.harness.documentedErrors.contains { error in
                        error.code == code || (code == nil && error.body != nil && error.status == answer.status)
                    }, "a documented code, or a documented error without one at this status",
                    actual: code.map(String.init) ?? "none",
                    hint: "the simulator and the harness's answer(_:) must write errors in the same form")
            }
        },
        ConformanceCheck(
            .declaration, "effects", "A failure inside the vendor has an unknown effect; a refusal has a known one.",
            isSafeLive: true
        ) { world in
            for error in world.harness.documentedErrors {
                let diagnosis = try world.diagnosis(of: error)
                let failures: Set<PushError.Kind> = [.server, .busy, .timeout]
                let isFailure = !error.isRefusal && (failures.contains(diagnosis.kind) || (error.status ?? 0) >= 500)
                let expected: PushError.Effect = error.isDone ? .applied : isFailure ? .unknown : .notApplied
                try expectEqual(
                    diagnosis.effect, expected, "the effect of the code \(error.code)",
                    hint: "only a refusal says that nothing was done")
            }
        },
        ConformanceCheck(
            .declaration, "retries",
            "Throttles and failures advise a retry; wrong credentials and wrong inputs never do.",
            isSafeLive: true
        ) { world in
            for error in world.harness.documentedErrors {
                let diagnosis = try world.diagnosis(of: error)
                let passing: Set<PushError.Kind> = [.rateLimited, .busy, .server, .timeout]
                let lasting: Set<PushError.Kind> = [.unauthorized, .invalidArgument, .tooLong, .unsupported, .blocked]
                if let isPassing = error.isPassing {
                    try expectEqual(
                        diagnosis.retry.isAdvised, isPassing, "whether the code \(error.code) is temporary",
                        hint: "the vendor's documents say so")
                }
                if passing.contains(diagnosis.kind) {
                    try expect(
                        diagnosis.retry.isAdvised, "a retry for \(diagnosis)", actual: "\(diagnosis.retry)",
                        hint: "it is temporary")
                }
                // A new access token may undo a refusal of the old one.
                let isRenewable = diagnosis.retry == .afterRenewal && world.provider.roles.tokens != nil
                if lasting.contains(diagnosis.kind), !isRenewable {
                    try expectEqual(
                        diagnosis.retry, .never, "the retry for \(diagnosis)", hint: "the same call would fail again")
                }
            }
        },
    ]
}

extension World {
    /// The operations of the model that are about one device.
    static let deviceOperations: [Feature] = [
        .readTags, .testTag, .addTags, .removeTags, .replaceTags, .clearTags, .readAlias, .setAlias, .removeAlias,
        .readPhone, .setPhone, .removePhone, .readAccounts, .addAccounts, .removeAccounts, .replaceAccounts,
        .clearAccounts, .readAttributes, .addAttributes, .removeAttributes, .replaceAttributes, .clearAttributes,
    ]

    /// Returns the adapter's diagnosis of a vendor's error.
    func diagnosis(of error: DocumentedError) throws -> PushError {
        let answer = answer(error)
        guard let sample = try sample(of: error.operation) else {
            throw ConformanceFailure(
                expected: "an exchange for \(error.operation), which the code \(error.code) is documented for",
                actual: "none", hint: "declare it native with a role, or remove the code from documentedErrors")
        }
        let response = WireResponse(status: answer.status, headers: answer.headers, body: answer.body)
        guard let diagnosis = provider.diagnose(response, to: sample.exchange.call) else {
            throw ConformanceFailure(
                expected: "an error for the code \(error.code)", actual: "none",
                hint: "diagnose(_:to:) treated it as a success")
        }
        return diagnosis
    }

    /// A documented error as the vendor writes it.
    func answer(_ error: DocumentedError) -> SimulatedResponse {
        guard let body = error.body else { return harness.answer(error) }
        return SimulatedResponse(status: error.status ?? 503, body: body)
    }

    /// A refusal with a code that the same call would get again and another call would not.
    func lastingError(for operation: Feature) throws -> DocumentedError {
        // After these, a send goes on with its other slices. For other calls, any permanent refusal will do.
        var kinds: Set<PushError.Kind> = [.invalidArgument, .noTarget, .tooLong, .limitExceeded, .invalidState]
        if operation != .send { kinds.formUnion([.unauthorized, .blocked, .misconfigured]) }
        for error in harness.documentedErrors
        where error.operation == operation && !error.isDone && error.isPassing != true && error.body == nil {
            if kinds.contains(try diagnosis(of: error).kind) { return error }
        }
        throw ConformanceFailure(
            expected: "a documented refusal of \(operation)", actual: "none of the kinds \(kinds.sorted())",
            hint: "add one to the harness's documentedErrors")
    }
}
