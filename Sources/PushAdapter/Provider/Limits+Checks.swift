extension Limits {
    /// Refuses an account whose name the provider does not accept for its type, and one without a type where a type is
    /// required.
    func check(_ account: Account, of provider: ProviderID) throws(PushError) {
        try check(account.name, "an account", .accountLength, of: provider)
        guard account.type != nil || !needsAccountType else {
            throw PushError(
                .invalidArgument, "an account has no type, but \(provider) requires one; set it, or 0 for the default")
        }
        guard let type = account.type, let format = accountFormats[type], !format.allows(account.name) else { return }
        throw PushError(
            .invalidArgument,
            "an account of type \(type) must be \(format.summary); this one is not (\(format.source))")
    }

    /// Whether an account has a type where one is required, and a name in the format of its type.
    package func isForm(of account: Account) -> Bool {
        guard let type = account.type else { return !needsAccountType }
        return accountFormats[type]?.allows(account.name) ?? true
    }

    /// Refuses attributes with a name or a value that the provider does not accept. A value may be empty. It may have
    /// any characters unless the vendor states the allowed ones.
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

    /// Refuses a number above a limit; too many bytes or characters are `tooLong`. Skips limits left to the vendor.
    func check(
        _ count: Int, _ name: String, _ limit: LimitKey, of provider: ProviderID
    ) throws(PushError) {
        guard let bound = self[limit], bound.overflow != .leaveToVendor, count > bound.maximum else { return }
        throw PushError(
            [.utf8Bytes, .characters, .encodedBytes].contains(bound.unit) ? .tooLong : .limitExceeded,
            "\(name): \(count) is over \(provider)'s limit of \(bound.maximum) \(bound.unit.plural) (\(bound.source))")
    }

    /// Refuses an identifier: with `invalidArgument` if it is empty or has a character that is not allowed, with
    /// `tooLong` if it is too long.
    func check(
        _ text: String, _ name: String, _ limit: LimitKey, of provider: ProviderID
    ) throws(PushError) {
        let rule = TextRule(self, limit)
        guard !rule.allows(text) else { return }
        guard !text.isEmpty else { throw PushError(.invalidArgument, "\(name) is empty") }
        try rule.checkLength(of: text, name, of: provider)
        guard text.utf8.count <= rule.longest else {
            throw PushError(.tooLong, "\(name) has \(text.utf8.count) bytes; use at most \(rule.longest)")
        }
        guard let refused = text.unicodeScalars.first(where: { !rule.characters.allows($0) }) else { return }
        let digits = String(refused.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let allowed =
            self[charactersOf: limit].map { "; \(provider) allows \($0.summary)" }
            ?? "; use \(AllowedCharacters.anyText.summary)"
        throw PushError(.invalidArgument, "\(name) contains the character \(code)\(allowed)")
    }
}

/// The rule of a limit for a text, looked up once and applied to many texts.
package struct TextRule: Sendable {
    /// In bytes, where the vendor states no limit; keeps garbage out of URLs and bodies.
    private static let usualLongest = 1024
    /// Nil when any length is accepted.
    let bound: Limit?
    let characters: AllowedCharacters
    /// The most bytes of a text: as many as the vendor states, if that is more than usual.
    let longest: Int

    package init(_ limits: Limits, _ limit: LimitKey) {
        let stated = limits[limit]
        bound = stated?.overflow == .reject ? stated : nil
        characters = limits[charactersOf: limit] ?? .anyText
        longest = max(Self.usualLongest, stated.map(Self.bytes) ?? 0)
    }

    private static func bytes(of limit: Limit) -> Int {
        let (bytes, isHuge) = limit.maximum.multipliedReportingOverflow(by: limit.unit == .characters ? 4 : 1)
        return isHuge ? .max : bytes
    }

    func length(of text: String) -> Int {
        switch bound?.unit {
        case .characters: text.unicodeScalars.count
        case .encodedBytes: PercentEncoding.encode(text).utf8.count
        default: text.utf8.count
        }
    }

    func checkLength(of text: String, _ name: String, of provider: ProviderID) throws(PushError) {
        guard let bound, case let count = length(of: text), count > bound.maximum else { return }
        throw PushError(
            .tooLong,
            "\(name) has \(count) \(bound.unit.plural); \(provider) allows at most \(bound.maximum) (\(bound.source))")
    }

    /// Whether the provider accepts the text; `Limits.check` says why not.
    package func allows(_ text: String) -> Bool {
        let (bytes, most) = (text.utf8.count, bound?.maximum ?? .max)
        guard bytes > 0, bytes <= longest else { return false }
        // Only percent-encoding makes a text longer than its bytes.
        let isShort = bytes <= most && bound?.unit != .encodedBytes
        guard isShort || length(of: text) <= most else { return false }
        return characters.allows(text)
    }
}

extension Limit.Unit {
    /// For people: "bytes".
    var plural: String {
        switch self {
        case .count: "items"
        case .utf8Bytes: "bytes"
        case .characters: "characters"
        case .encodedBytes: "bytes when percent-encoded"
        case .seconds: "seconds"
        }
    }
}
