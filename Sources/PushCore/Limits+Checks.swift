extension Limits {
    /// No vendor's identifiers come near this length; it keeps nonsense out of addresses and bodies.
    private static let longestIdentifier = 1024

    /// Refuses a device id that is empty, too long, or holds a blank or a control character.
    public func check(_ device: DeviceID, of provider: ProviderID) throws(PushError) {
        try check(device.rawValue, "a device id", .deviceIDLength, of: provider)
    }

    /// Refuses an alias that the provider does not take.
    public func check(_ alias: Alias, of provider: ProviderID) throws(PushError) {
        try check(alias.rawValue, "an alias", .aliasLength, of: provider)
    }

    /// Refuses a tag that the provider does not take.
    public func check(_ tag: Tag, of provider: ProviderID) throws(PushError) {
        try check(tag.rawValue, "a tag", .tagLength, of: provider)
    }

    /// Refuses a phone number that the provider does not take.
    public func check(_ phone: PhoneNumber, of provider: ProviderID) throws(PushError) {
        try check(phone.rawValue, "a phone number", .phoneLength, of: provider)
    }

    /// Refuses the first tag that the provider does not take, the same one on every run.
    public func check(_ tags: Set<Tag>, of provider: ProviderID) throws(PushError) {
        for tag in tags.sorted() { try check(tag, of: provider) }
    }

    /// Refuses a number above a limit with `limitExceeded`, where the limit says so.
    public func check(
        _ count: Int, _ name: String, _ limit: Limit, of provider: ProviderID
    ) throws(PushError) {
        guard let bound = self[limit], bound.overflow == .reject, count > bound.maximum else { return }
        throw PushError(
            .limitExceeded,
            "\(name): \(count) is over the \(bound.maximum) \(bound.unit.plural) that \(provider) takes (\(bound.source))"
        )
    }

    /// Refuses an identifier that is empty or has a character outside its alphabet with `invalidArgument`, one that is
    /// too long with `tooLong`.
    public func check(
        _ text: String, _ name: String, _ limit: Limit, of provider: ProviderID
    ) throws(PushError) {
        guard !text.isEmpty else { throw PushError(.invalidArgument, "\(name) is empty") }
        guard text.utf8.count <= Self.longestIdentifier else {
            throw PushError(
                .tooLong, "\(name) has \(text.utf8.count) bytes, more than any vendor takes; use a shorter one")
        }
        if let bound = self[limit], bound.overflow == .reject {
            let count = bound.unit == .characters ? text.unicodeScalars.count : text.utf8.count
            guard count <= bound.maximum else {
                throw PushError(
                    .tooLong,
                    "\(name) has \(count) \(bound.unit.plural), \(provider) takes \(bound.maximum) (\(bound.source))")
            }
        }
        let alphabet = self[alphabet: limit]
        let control = text.unicodeScalars.first { $0.value <= 0x20 || $0.value == 0x7F }
        guard let refused = alphabet?.firstRefused(in: text) ?? control else { return }
        let digits = String(refused.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let allowed = alphabet.map { "; \(provider) allows \($0.summary)" } ?? ""
        throw PushError(.invalidArgument, "\(name) contains the character \(code)\(allowed)")
    }
}

extension Bound.Unit {
    fileprivate var plural: String {
        switch self {
        case .count: "items"
        case .utf8Bytes: "bytes"
        case .characters: "characters"
        case .seconds: "seconds"
        }
    }
}
