extension Limits {
    /// Refuses an account whose name the provider does not take, for its type, and one without a type where types are
    /// needed.
    func check(_ account: Account, of provider: ProviderID) throws(PushError) {
        try check(account.name, "an account", .accountLength, of: provider)
        guard account.type != nil || !needsAccountType else {
            throw PushError(
                .invalidArgument, "an account has no type, which \(provider) goes by; name it, 0 for its default")
        }
        guard let type = account.type, let format = accountFormats[type], !format.allows(account.name) else { return }
        throw PushError(
            .invalidArgument, "an account of type \(type) is \(format.summary); this one is not (\(format.source))")
    }

    /// Whether an account has a type where types are needed, and its name the form of its type.
    package func isForm(of account: Account) -> Bool {
        guard let type = account.type else { return !needsAccountType }
        return accountFormats[type]?.allows(account.name) ?? true
    }

    /// Refuses attributes of which the provider does not take a name or a value. A value may be empty, and without a
    /// stated alphabet have any characters.
    func check(_ attributes: [String: String], of provider: ProviderID) throws(PushError) {
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            try check(name, "an attribute's name", .attributeName, of: provider)
            if self[charactersOf: .attributeValue] != nil, !value.isEmpty {
                try check(value, "an attribute's value", .attributeValue, of: provider)
            } else {
                try TextRule(self, .attributeValue).checkLength(of: value, "an attribute's value", of: provider)
            }
        }
        try check(attributes.count, "the attributes of a device", .attributesPerDevice, of: provider)
    }

    /// Refuses a number above a limit, bytes and characters as too long; where the vendor decides, it is left to it.
    func check(
        _ count: Int, _ name: String, _ limit: LimitKey, of provider: ProviderID
    ) throws(PushError) {
        guard let bound = self[limit], bound.overflow != .leaveToVendor, count > bound.maximum else { return }
        throw PushError(
            [.utf8Bytes, .characters].contains(bound.unit) ? .tooLong : .limitExceeded,
            "\(name): \(count) is over the \(bound.maximum) \(bound.unit.plural) that \(provider) takes (\(bound.source))"
        )
    }

    /// Refuses an identifier that is empty or has a character outside its alphabet with `invalidArgument`, one that is
    /// too long with `tooLong`.
    func check(
        _ text: String, _ name: String, _ limit: LimitKey, of provider: ProviderID
    ) throws(PushError) {
        let rule = TextRule(self, limit)
        guard !rule.allows(text) else { return }
        guard !text.isEmpty else { throw PushError(.invalidArgument, "\(name) is empty") }
        guard text.utf8.count <= TextRule.longest else {
            throw PushError(
                .tooLong, "\(name) has \(text.utf8.count) bytes, more than any vendor takes; use a shorter one")
        }
        try rule.checkLength(of: text, name, of: provider)
        guard let refused = text.unicodeScalars.first(where: { !rule.alphabet.allows($0) }) else { return }
        let digits = String(refused.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let allowed =
            self[charactersOf: limit].map { "; \(provider) allows \($0.summary)" }
            ?? "; give \(AllowedCharacters.anyText.summary)"
        throw PushError(.invalidArgument, "\(name) contains the character \(code)\(allowed)")
    }
}

/// What a limit says about one text, looked up once for any number of them.
package struct TextRule: Sendable {
    /// No vendor's identifiers come near this number of bytes; it keeps nonsense out of addresses and bodies.
    static let longest = 1024
    /// Nil when nothing is refused for its length.
    let bound: Limit?
    let alphabet: AllowedCharacters

    package init(_ limits: Limits, _ limit: LimitKey) {
        let bound = limits[limit]
        self.bound = bound?.overflow == .reject ? bound : nil
        alphabet = limits[charactersOf: limit] ?? .anyText
    }

    func length(of text: String) -> Int {
        bound?.unit == .characters ? text.unicodeScalars.count : text.utf8.count
    }

    func checkLength(of text: String, _ name: String, of provider: ProviderID) throws(PushError) {
        guard let bound, case let count = length(of: text), count > bound.maximum else { return }
        throw PushError(
            .tooLong, "\(name) has \(count) \(bound.unit.plural), \(provider) takes \(bound.maximum) (\(bound.source))")
    }

    /// Whether the provider takes it; `Limits.check` says why not.
    package func allows(_ text: String) -> Bool {
        let (bytes, most) = (text.utf8.count, bound?.maximum ?? .max)
        guard bytes > 0, bytes <= Self.longest, bytes <= most || length(of: text) <= most else { return false }
        return alphabet.allows(text)
    }
}

extension Limit.Unit {
    /// For people: "bytes".
    package var plural: String {
        switch self {
        case .count: "items"
        case .utf8Bytes: "bytes"
        case .characters: "characters"
        case .seconds: "seconds"
        }
    }
}
