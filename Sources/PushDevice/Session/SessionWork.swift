import PushAdapter
import PushClient

/// Runs accepted calls: the client does the work of servers, the host the work of devices.
struct SessionWork: Sendable {
    let client: PushClient
    let rules: SessionRules
    let consent: SessionConsent
    let host: (any DeviceHost)?

    /// One step of a call.
    enum Step: Sendable {
        case client(DeviceOperation)
        case host(@Sendable (any DeviceHost) async throws(PushError) -> Void)
    }

    /// A planned step: nothing can refuse it before it is sent.
    enum Part: Sendable {
        case client(DeviceOperation, Plan<DeviceAnswer>)
        case host(any DeviceHost, @Sendable (any DeviceHost) async throws(PushError) -> Void)
    }

    /// Plans all parts of a call, so that a half that the client refuses stops the other half.
    func plan(_ call: SessionCall, of device: DeviceID) throws(SessionFault) -> [(SessionSubject, Part)] {
        do throws(PushError) {
            try client.preflight(device)
        } catch {
            throw SessionFault(error, about: .service)
        }
        let parts = try steps(of: call).map { (subject, step) throws(SessionFault) -> (SessionSubject, Part) in
            switch step {
            case .client(let operation):
                do throws(PushError) {
                    return (subject, .client(operation, try client.plan(operation, of: device)))
                } catch {
                    throw SessionFault(error, about: subject)
                }
            case .host(let action):
                guard let host else {
                    throw SessionFault(
                        .unsupported, about: subject, .unsupported,
                        "only a device can do this; give the session a DeviceHost")
                }
                return (subject, .host(host, action))
            }
        }
        return together(parts, for: call, of: device) ?? parts
    }

    /// The parts of a call as one change, at a vendor that takes them in one request; nil otherwise. The session plans
    /// each part before, so that a refusal names it.
    private func together(
        _ parts: [(SessionSubject, Part)], for call: SessionCall, of device: DeviceID
    ) -> [(SessionSubject, Part)]? {
        let operations = parts.compactMap { part in
            if case .client(let operation, _) = part.1 { operation } else { nil }
        }
        guard let update = update(operations) else { return nil }
        do throws(PushError) {
            let subjects = call.kind.subjects
            let subject = subjects.count == 1 ? subjects.min() ?? .service : .tagsAndAlias
            return [(subject, .client(.update(update), try client.plan(.update(update), of: device)))]
        } catch {
            return nil
        }
    }

    /// Two changes as one; nil if the vendor has no such request.
    private func update(_ operations: [DeviceOperation]) -> DeviceUpdate? {
        guard operations.count == 2, client.capabilities[.updateDevice] == .native else { return nil }
        var update = DeviceUpdate()
        for operation in operations {
            switch operation {
            case .updateTags(let change): update.tags = change
            case .setAlias(let alias): update.alias = .set(alias)
            case .removeAlias where client.capabilities[.removeAlias] == .native: update.alias = .clear
            case .setPhone(let phone): update.phone = .set(phone)
            case .removePhone: update.phone = .clear
            default: return nil
            }
        }
        return update
    }

    /// How the session makes a call. That depends on the vendor's capabilities, not on the call's arguments.
    func support(of call: SessionCall) -> SessionSupport {
        let steps: [(SessionSubject, Step)]
        do throws(SessionFault) {
            steps = try self.steps(of: call)
        } catch {
            return .refused(error.error.message)
        }
        var notes: [String] = []
        var needsConsent = false
        for (subject, step) in steps {
            guard case .client(let operation) = step else { return host == nil ? .needsHost : .native }
            if case .removeAccounts = operation {
                guard client.configuration.ledger != nil else {
                    return .refused("accounts are unbound by name; give the client a ledger, which knows the names")
                }
                notes.append("unbinds accounts by the names that the client's ledger has for their types")
            }
            switch (operation, subject) {
            case (.updateAccounts, .phone): notes.append("a phone number is an account")
            case (.setAlias, .accounts), (.removeAlias, .accounts): notes.append("an alias stands for an account")
            default: break
            }
            switch client.capabilities[operation.feature] {
            case .native: continue
            case .unsupported(let reason): return .refused(reason)
            case .emulated(let recipe):
                notes.append(recipe.caveat)
                needsConsent = needsConsent || !client.allows(operation.feature)
            }
        }
        let operations = steps.compactMap { step in if case .client(let operation) = step.1 { operation } else { nil } }
        if steps.count > 1, update(operations) == nil { notes.append("two requests: one can fail") }
        return notes.isEmpty ? .native : .emulated(notes.joined(separator: "; "), needsConsent: needsConsent)
    }

    /// Registers the device through its host; without a host, returns the known device.
    func register(_ start: DeviceStart, known: DeviceID?) async throws(PushError) -> DeviceRegistration {
        if let host { return try await host.register(start) }
        guard let known else {
            throw PushError(
                .unsupported, "the session has no device to register; give it a DeviceHost or a device id")
        }
        return DeviceRegistration(device: known)
    }

    /// Runs the parts of a call, one after the other.
    func perform(
        _ call: SessionCall, _ parts: [(SessionSubject, Part)], of device: DeviceID
    ) async -> Result<SessionAnswer, SessionFault> {
        do throws(SessionFault) {
            guard !Task.isCancelled else {
                let error = PushError(.cancelled, "cancelled before anything was sent")
                throw SessionFault(error, about: call.kind.subjects.min() ?? .service)
            }
            if case .overlay = call {
                var halves = SessionHalves()
                await overlay(parts, of: device, &halves)
                return .success(.halves(halves))
            }
            var answer = SessionAnswer.done
            for (number, (subject, part)) in parts.enumerated() {
                do throws(PushError) {
                    answer = try await run(part)
                } catch {
                    var error = error
                    if number > 0 { error.effect = .applied }
                    throw SessionFault(error, about: subject)
                }
            }
            return .success(Self.page(of: answer, for: call))
        } catch {
            return .failure(error)
        }
    }

    /// Runs the halves of an overlay that are not done yet; does not attempt the alias if the tags fail.
    /// - Parameter isWanted: checked between the halves; false skips the second half.
    func overlay(
        _ parts: [(SessionSubject, Part)], of device: DeviceID, _ halves: inout SessionHalves,
        while isWanted: () -> Bool = { true }
    ) async {
        if let both = parts.first(where: { $0.0 == .tagsAndAlias })?.1 {
            halves.tags = await half(both, after: halves.tags)
            halves.alias = halves.tags
            return
        }
        let alias = parts.first { $0.0 == .alias }?.1
        if let tags = parts.first(where: { $0.0 == .tags })?.1 {
            // If only the ledger could name the alias and does not know it, the alias is certain to fail.
            if let alias, let error = await unknown(alias, of: device) {
                halves.alias = .failed(error)
                if case .done = halves.tags {} else { halves.tags = .notAttempted }
                return
            }
            halves.tags = await half(tags, after: halves.tags)
        }
        guard let alias else { return }
        if case .failed = halves.tags {
            if case .done = halves.alias { return }
            halves.alias = .notAttempted
        } else if isWanted() {
            halves.alias = await half(alias, after: halves.alias)
        }
    }

    private func unknown(_ part: Part, of device: DeviceID) async -> PushError? {
        guard case .client(let operation, _) = part else { return nil }
        do throws(PushError) { try await client.checkKnown(operation, of: device) } catch { return error }
        return nil
    }

    private func half(_ part: Part, after state: SessionHalves.State) async -> SessionHalves.State {
        if case .done = state { return state }
        do throws(PushError) {
            _ = try await run(part)
            return .done
        } catch {
            return .failed(error)
        }
    }

    // MARK: Parts

    private func run(_ part: Part) async throws(PushError) -> SessionAnswer {
        switch part {
        case .client(let operation, let plan):
            return try Self.answer(try await client.runPlan(plan, for: operation.feature))
        case .host(let host, let action):
            try await action(host)
            return .done
        }
    }

    private static func answer(_ answer: DeviceAnswer) throws(PushError) -> SessionAnswer {
        switch answer {
        case .tags(let tags): return .tags(tags)
        case .hasTag(let hasTag): return .hasTag(hasTag)
        case .alias(let alias): return .alias(alias)
        case .tagUpdate(let outcome): try complete(outcome)
        case .accountUpdate(let outcome): try complete(outcome)
        case .attributeUpdate(let outcome):
            try complete(outcome)
            if !outcome.rejected.isEmpty { return .rejected(outcome.rejected) }
        // No call of a device SDK reads the others.
        case .done, .phone, .accounts, .attributes: break
        }
        return .done
    }

    /// Throws for a change that stopped halfway: a failure with the effect `applied`.
    private static func complete<Element>(_ outcome: UpdateOutcome<Element>) throws(PushError) {
        guard var failure = outcome.failure else { return }
        failure.effect = .applied
        throw failure
    }

    private static func page(of answer: SessionAnswer, for call: SessionCall) -> SessionAnswer {
        guard case .queryTags(let offset, let limit) = call, case .tags(let tags) = answer else { return answer }
        return .page(TagPage(tags: Array(tags.sorted().dropFirst(offset).prefix(limit)), total: tags.count))
    }
}
