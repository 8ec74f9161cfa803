import PushClient
import PushCore

/// Carries out calls that were let in: by the client what servers do, by the host what devices do.
struct SessionWork: Sendable {
    let client: PushClient
    let rules: SessionRules
    let consent: SessionConsent
    let host: (any DeviceHost)?

    /// One of the things that a call is made of.
    enum Step: Sendable {
        case client(DeviceUse)
        case host(@Sendable (any DeviceHost) async throws(PushError) -> Void)
    }

    /// Refuses a call of which a part is refused before anything is sent.
    func preflight(_ call: SessionCall, of device: DeviceID) throws(SessionFault) {
        do throws(PushError) {
            try client.preflight(device)
        } catch {
            throw SessionFault(error, about: .service)
        }
        for (subject, step) in try steps(of: call) {
            switch step {
            case .client(let use):
                do throws(PushError) {
                    try client.preflight(use, of: device)
                } catch {
                    throw SessionFault(error, about: subject)
                }
            case .host:
                guard host == nil else { continue }
                throw SessionFault(
                    .unsupported, about: subject, .unsupported,
                    "only a device can do this, and the session has none; give it a DeviceHost")
            }
        }
    }

    /// How a call is carried out here, going by what the vendor can do and not by what the call says.
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
            guard case .client(let use) = step else { return host == nil ? .needsHost : .native }
            if case .accountTypes = use {
                guard client.configuration.ledger != nil else {
                    return .refused("accounts are unbound by name; a client with a ledger knows them")
                }
                notes.append("unbinds accounts by the names that the client's ledger has for their types")
            }
            if case .accounts = use, subject == .phone { notes.append("a phone number is an account") }
            if case .alias = use, subject == .accounts { notes.append("an alias stands for an account") }
            switch client.capabilities[use.feature] {
            case .native: continue
            case .unsupported(let reason): return .refused(reason)
            case .emulated(let recipe):
                notes.append(recipe.caveat)
                needsConsent = needsConsent || !client.allows(use.feature)
            }
        }
        if steps.count > 1 { notes.append("two requests: one can fail") }
        return notes.isEmpty ? .native : .emulated(notes.joined(separator: "; "), needsConsent: needsConsent)
    }

    /// Registers the device by its host; without one, the device that is known counts.
    func register(_ start: DeviceStart, known: DeviceID?) async throws(PushError) -> DeviceRegistration {
        if let host { return try await host.register(start) }
        guard let known else {
            throw PushError(
                .unsupported, "the session has no device to register; give it a DeviceHost, or a device's id")
        }
        return DeviceRegistration(device: known)
    }

    func perform(_ call: SessionCall, of device: DeviceID) async -> Result<SessionAnswer, SessionFault> {
        do throws(SessionFault) {
            guard !Task.isCancelled else {
                let error = PushError(.cancelled, "cancelled before anything was sent")
                throw SessionFault(error, about: call.kind.subjects.min() ?? .service)
            }
            if case .overlay(let tags, let alias) = call {
                var halves = SessionHalves()
                await overlay(tags, alias, of: device, &halves)
                return .success(.halves(halves))
            }
            var answer = SessionAnswer.done
            for (number, (subject, step)) in try steps(of: call).enumerated() {
                do throws(PushError) {
                    answer = try await make(step, of: device)
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

    /// Makes the halves of an overlay that are not done yet; the alias is not tried while the tags fail.
    /// - Parameter isWanted: asked between the halves; one that is not wanted any more is not begun.
    func overlay(
        _ tags: [String]?, _ alias: String?, of device: DeviceID, _ halves: inout SessionHalves,
        while isWanted: () -> Bool = { true }
    ) async {
        if let tags {
            // An alias that only the ledger could name and does not is known to fail.
            if let alias, let error = await unknown(Self.overlay(alias), of: device) {
                halves.alias = .failed(error)
                if case .done = halves.tags {} else { halves.tags = .notAttempted }
                return
            }
            halves.tags = await half(.client(Self.overlay(tags)), of: device, after: halves.tags)
        }
        guard let alias else { return }
        if case .failed = halves.tags {
            if case .done = halves.alias { return }
            halves.alias = .notAttempted
        } else if isWanted() {
            halves.alias = await half(.client(Self.overlay(alias)), of: device, after: halves.alias)
        }
    }

    private func unknown(_ use: DeviceUse, of device: DeviceID) async -> PushError? {
        do throws(PushError) { try await client.checkKnown(use, of: device) } catch { return error }
        return nil
    }

    private func half(
        _ step: Step, of device: DeviceID, after state: SessionHalves.State
    ) async -> SessionHalves.State {
        if case .done = state { return state }
        do throws(PushError) {
            _ = try await make(step, of: device)
            return .done
        } catch {
            return .failed(error)
        }
    }

    // MARK: Steps

    private func make(_ step: Step, of device: DeviceID) async throws(PushError) -> SessionAnswer {
        switch step {
        case .client(let use): return try await make(use, of: device)
        case .host(let action):
            guard let host else { throw PushError(.unsupported, "the session has no device") }
            try await action(host)
            return .done
        }
    }

    private func make(_ use: DeviceUse, of device: DeviceID) async throws(PushError) -> SessionAnswer {
        switch use {
        case .tags(let change): try Self.complete(try await client.updateTags(change, of: device))
        case .readTags: return .tags(try await client.readTags(of: device))
        case .testTag(let tag): return .hasTag(try await client.hasTag(tag, device: device))
        case .alias(let alias?): try await client.setAlias(alias, of: device)
        case .alias(nil): try await client.removeAlias(of: device)
        case .readAlias: return .alias(try await client.readAlias(of: device))
        case .phone(let phone?): try await client.setPhone(phone, of: device)
        case .phone(nil): try await client.removePhone(of: device)
        case .accounts(let change): try Self.complete(try await client.updateAccounts(change, of: device))
        case .accountTypes(let types):
            try Self.complete(try await client.removeAccounts(ofTypes: types, of: device))
        case .attributes(let change):
            let outcome = try await client.updateAttributes(change, of: device)
            try Self.complete(outcome)
            return outcome.rejected.isEmpty ? .done : .rejected(outcome.rejected)
        }
        return .done
    }

    /// A change that stopped half-way is a failure that did something.
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
