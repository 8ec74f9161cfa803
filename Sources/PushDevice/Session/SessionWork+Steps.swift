import PushAdapter
import PushClient

extension SessionWork {
    /// The steps of a call, each with its subject.
    func steps(of call: SessionCall) throws(SessionFault) -> [(SessionSubject, Step)] {
        switch call {
        case .addTags(let tags): [(.tags, .client(.updateTags(.add(Self.tags(tags)))))]
        case .setTags(let tags): [(.tags, .client(.updateTags(.replace(Self.tags(tags)))))]
        case .deleteTags(let tags): [(.tags, .client(.updateTags(.remove(Self.tags(tags)))))]
        case .cleanTags: [(.tags, .client(.updateTags(.clear)))]
        case .getAllTags, .queryTags: [(.tags, .client(.readTags))]
        case .validTag(let tag): [(.tags, .client(.testTag(Tag(tag ?? ""))))]
        case .setAlias(let alias): [(.alias, .client(.setAlias(Alias(alias ?? ""))))]
        case .deleteAlias: [(.alias, .client(.removeAlias))]
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
            [(.accounts, .client(aliasType == nil ? .updateAccounts(.clear) : .removeAlias))] + phones("", if: true)
        case .upsertAttributes(let attributes): [(.attributes, .client(.updateAttributes(.add(attributes))))]
        case .deleteAttributes(let names): [(.attributes, .client(.updateAttributes(.remove(names))))]
        case .clearAttributes: [(.attributes, .client(.updateAttributes(.clear)))]
        case .replaceAttributes(let attributes): [(.attributes, .client(.updateAttributes(.replace(attributes))))]
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

    static func overlay(_ tags: [String]) -> DeviceOperation {
        .updateTags(tags.isEmpty ? .clear : .replace(Self.tags(tags)))
    }

    static func overlay(_ alias: String) -> DeviceOperation {
        alias.isEmpty ? .removeAlias : .setAlias(Alias(alias))
    }

    // MARK: Where one thing stands for another

    /// Subjects that this vendor keeps under another subject, so that calls about both wait for each other.
    var places: [SessionSubject: SessionSubject] {
        var places: [SessionSubject: SessionSubject] = [:]
        let standsForAlias = aliasType != nil || client.capabilities.aliasAccountType != nil
        if standsForAlias { places[.alias] = .accounts }
        if phoneType ?? rules.phoneAccountType != nil { places[.phone] = .accounts }
        return places
    }

    /// The account type of phone numbers at this vendor.
    private var phoneType: Int? {
        lacks(.setPhone) && !lacks(.addAccounts) ? consent.phoneAccountType ?? rules.phoneAccountType : nil
    }

    /// The account type that the alias stands for at this vendor.
    private var aliasType: Int? { lacks(.addAccounts) && !lacks(.setAlias) ? consent.aliasAccountType : nil }

    private func lacks(_ feature: Feature) -> Bool {
        if case .unsupported = client.capabilities[feature] { true } else { false }
    }

    private func phone(_ number: String) throws(SessionFault) -> DeviceOperation {
        guard let phoneType else { return Self.phone(number) }
        guard !number.isEmpty else { return .removeAccounts(ofTypes: [phoneType]) }
        guard number.first == "+", number.count > 1 else {
            throw SessionFault(
                .characters, about: .phone, .invalidArgument,
                "\(client.provider.id) needs phone numbers with their country code: +, then digits")
        }
        return .updateAccounts(.add([Account(name: number.filter { $0 != "-" }, type: phoneType)]))
    }

    private func upsert(_ accounts: [Int: String]) throws(SessionFault) -> [(SessionSubject, Step)] {
        var others = accounts
        let number = apartPhoneType.flatMap { others.removeValue(forKey: $0) }
        let phones = phones(number ?? "", if: number != nil)
        guard !others.isEmpty else { return phones }
        if let aliasType {
            guard others.count == 1, let name = others[aliasType] else { throw onlyAlias(aliasType) }
            return [(.accounts, .client(.setAlias(Alias(name))))] + phones
        }
        guard lacks(.addAccounts) || client.capabilities.limits[.accountsPerType]?.maximum == 1 else {
            throw SessionFault(
                .unsupported, about: .accounts, .unsupported,
                "\(client.provider.id) keeps several accounts of a type, so a new one would not replace the old one"
            )
        }
        let change = AccountUpdate.add(Set(others.map { Account(name: $0.value, type: $0.key) }))
        return [(.accounts, .client(.updateAccounts(change)))] + phones
    }

    private func delete(_ types: Set<Int>) throws(SessionFault) -> [(SessionSubject, Step)] {
        let others = types.subtracting(apartPhoneType.map { [$0] } ?? [])
        let phones = phones("", if: others != types)
        guard !others.isEmpty else { return phones }
        guard let aliasType else { return [(.accounts, .client(.removeAccounts(ofTypes: others)))] + phones }
        guard others == [aliasType] else { throw onlyAlias(aliasType) }
        return [(.accounts, .client(.removeAlias))] + phones
    }

    private func onlyAlias(_ type: Int) -> SessionFault {
        SessionFault(
            .unsupported, about: .accounts, .unsupported,
            "\(client.provider.id) has one alias and no accounts; only an account of type \(type) stands for it")
    }

    /// The account type of phone numbers in the SDK, if the vendor keeps phone numbers apart from accounts.
    private var apartPhoneType: Int? { phoneType == nil && !lacks(.setPhone) ? rules.phoneAccountType : nil }

    private func phones(_ number: String, if isMeant: Bool) -> [(SessionSubject, Step)] {
        isMeant && apartPhoneType != nil ? [(.phone, .client(Self.phone(number)))] : []
    }

    private static func phone(_ number: String) -> DeviceOperation {
        number.isEmpty ? .removePhone : .setPhone(PhoneNumber(number))
    }
}
