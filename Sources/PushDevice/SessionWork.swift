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

    /// What goes by something else at this vendor, so that calls about both wait for each other.
    var places: [SessionSubject: SessionSubject] {
        var places: [SessionSubject: SessionSubject] = [:]
        let standsForAlias = aliasType != nil || client.capabilities.aliasAccountType != nil
        if standsForAlias { places[.alias] = .accounts }
        if phoneType ?? rules.phoneAccountType != nil { places[.phone] = .accounts }
        return places
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

    /// What a call is made of, each with what it is about.
    private func steps(of call: SessionCall) throws(SessionFault) -> [(SessionSubject, Step)] {
        switch call {
        case .addTags(let tags): [(.tags, .client(.tags(.add(Self.tags(tags)))))]
        case .setTags(let tags): [(.tags, .client(.tags(.replace(Self.tags(tags)))))]
        case .deleteTags(let tags): [(.tags, .client(.tags(.remove(Self.tags(tags)))))]
        case .cleanTags: [(.tags, .client(.tags(.clear)))]
        case .getAllTags, .queryTags: [(.tags, .client(.readTags))]
        case .validTag(let tag): [(.tags, .client(.testTag(Tag(tag ?? ""))))]
        case .setAlias(let alias): [(.alias, .client(.alias(Alias(alias ?? ""))))]
        case .deleteAlias: [(.alias, .client(.alias(nil)))]
        case .getAlias: [(.alias, .client(.readAlias))]
        case .overlay(let tags, let alias):
            [tags.map { (.tags, .client(Self.overlay($0))) }, alias.map { (.alias, .client(Self.overlay($0))) }]
                .compactMap(\.self)
        case .overlayTags(let tags): [(.tags, .client(Self.overlay(tags ?? [])))]
        case .overlayAlias(let alias): [(.alias, .client(Self.overlay(alias ?? "")))]
        case .setPhone(let number): [(.phone, .client(try phone(number ?? "")))]
        case .upsertAccounts(let accounts): try upsert(accounts)
        case .deleteAccounts(let types): try delete(types)
        case .clearAccounts:
            [(.accounts, .client(aliasType == nil ? .accounts(.clear) : .alias(nil)))] + phones(nil, if: true)
        case .upsertAttributes(let attributes): [(.attributes, .client(.attributes(.add(attributes))))]
        case .deleteAttributes(let names): [(.attributes, .client(.attributes(.remove(names))))]
        case .clearAttributes: [(.attributes, .client(.attributes(.clear)))]
        case .replaceAttributes(let attributes): [(.attributes, .client(.attributes(.replace(attributes))))]
        case .setBadge(let number):
            [(.badge, .host { (host) throws(PushError) in try await host.setBadge(number) })]
        case .setLanguage(let language):
            [(.language, .host { (host) throws(PushError) in try await host.setLanguage(language ?? "") })]
        case .voipToken(let token): [upload(.voip(token ?? []))]
        case .liveActivityStart(let attributes, let token):
            [upload(.liveActivityStart(attributes: attributes ?? "", token ?? []))]
        case .liveActivityUpdate(let id, let token): [upload(.liveActivityUpdate(id: id ?? "", token))]
        }
    }

    private func upload(_ token: DeviceToken) -> (SessionSubject, Step) {
        (.tokens, .host { (host) throws(PushError) in try await host.upload(token) })
    }

    private static func tags(_ texts: [String]?) -> Set<Tag> { Set((texts ?? []).map { Tag($0) }) }

    private static func overlay(_ tags: [String]) -> DeviceUse {
        .tags(tags.isEmpty ? .clear : .replace(Self.tags(tags)))
    }

    private static func overlay(_ alias: String) -> DeviceUse { .alias(alias.isEmpty ? nil : Alias(alias)) }

    // MARK: Where one thing stands for another

    /// The type of account that a phone number is here.
    private var phoneType: Int? {
        lacks(.setPhone) && !lacks(.addAccounts) ? consent.phoneAccountType ?? rules.phoneAccountType : nil
    }

    /// The type of account that the alias stands for here.
    private var aliasType: Int? { lacks(.addAccounts) && !lacks(.setAlias) ? consent.aliasAccountType : nil }

    private func lacks(_ feature: Feature) -> Bool {
        if case .unsupported = client.capabilities[feature] { true } else { false }
    }

    private func phone(_ number: String) throws(SessionFault) -> DeviceUse {
        guard let phoneType else { return .phone(number.isEmpty ? nil : PhoneNumber(number)) }
        guard !number.isEmpty else { return .accountTypes([phoneType]) }
        guard number.first == "+", number.count > 1 else {
            throw SessionFault(
                .characters, about: .phone, .invalidArgument,
                "\(client.provider.id) takes phone numbers with their country's code: + first, then digits")
        }
        return .accounts(.add([Account(name: number.filter { $0 != "-" }, type: phoneType)]))
    }

    private func upsert(_ accounts: [Int: String]) throws(SessionFault) -> [(SessionSubject, Step)] {
        var others = accounts
        let number = apartPhoneType.flatMap { others.removeValue(forKey: $0) }
        let phones = phones(number.map { PhoneNumber($0) }, if: number != nil)
        guard !others.isEmpty else { return phones }
        if let aliasType {
            guard others.count == 1, let name = others[aliasType] else { throw onlyAlias(aliasType) }
            return [(.accounts, .client(.alias(Alias(name))))] + phones
        }
        guard lacks(.addAccounts) || client.capabilities.limits[.accountsPerType]?.maximum == 1 else {
            throw SessionFault(
                .unsupported, about: .accounts, .unsupported,
                "\(client.provider.id) keeps several accounts of a type, so a new one would not take the place of the old"
            )
        }
        let change = AccountUpdate.add(Set(others.map { Account(name: $0.value, type: $0.key) }))
        return [(.accounts, .client(.accounts(change)))] + phones
    }

    private func delete(_ types: Set<Int>) throws(SessionFault) -> [(SessionSubject, Step)] {
        let others = types.subtracting(apartPhoneType.map { [$0] } ?? [])
        let phones = phones(nil, if: others != types)
        guard !others.isEmpty else { return phones }
        guard let aliasType else { return [(.accounts, .client(.accountTypes(others)))] + phones }
        guard others == [aliasType] else { throw onlyAlias(aliasType) }
        return [(.accounts, .client(.alias(nil)))] + phones
    }

    private func onlyAlias(_ type: Int) -> SessionFault {
        SessionFault(
            .unsupported, about: .accounts, .unsupported,
            "\(client.provider.id) has one alias and no accounts; an account of type \(type) alone stands for it")
    }

    /// The type that a phone number has in the SDK's accounts, where the vendor keeps numbers apart from them.
    private var apartPhoneType: Int? { phoneType == nil && !lacks(.setPhone) ? rules.phoneAccountType : nil }

    private func phones(_ number: PhoneNumber?, if isMeant: Bool) -> [(SessionSubject, Step)] {
        isMeant && apartPhoneType != nil ? [(.phone, .client(.phone(number)))] : []
    }
}
