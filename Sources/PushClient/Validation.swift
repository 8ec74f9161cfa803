import PushCore

/// Checks inputs against a provider's limits before an adapter sees them.
struct Validation: Sendable {
    let provider: ProviderID
    let limits: Limits
    private let devices: TextRule
    private let aliases: TextRule
    private let accounts: TextRule

    init(provider: ProviderID, limits: Limits) {
        self.provider = provider
        self.limits = limits
        devices = TextRule(limits, .deviceIDLength)
        aliases = TextRule(limits, .aliasLength)
        accounts = TextRule(limits, .accountLength)
    }

    // MARK: Messages and audiences

    func check(_ message: Message) throws(PushError) { try limits.check(message, of: provider) }
    func check(_ audience: Audience) throws(PushError) { try limits.check(audience, of: provider) }

    // MARK: Identifiers

    func check(_ device: DeviceID) throws(PushError) { try limits.check(device, of: provider) }
    func check(_ alias: Alias) throws(PushError) { try limits.check(alias, of: provider) }
    func check(_ tag: Tag) throws(PushError) { try limits.check(tag, of: provider) }
    func check(_ tags: Set<Tag>) throws(PushError) { try limits.check(tags, of: provider) }

    func check(_ account: Account) throws(PushError) {
        try limits.check(account, of: provider)
    }

    /// Whether the provider takes a target. The rules were looked up once, for lists of millions.
    func takes(_ target: Target) -> Bool {
        switch target {
        case .device(let id): devices.allows(id.rawValue)
        case .alias(let alias): aliases.allows(alias.rawValue)
        case .account(let account): accounts.allows(account.name) && limits.isForm(of: account)
        }
    }

    func check(_ count: Int, _ name: String, _ limit: Limit) throws(PushError) {
        try limits.check(count, name, limit, of: provider)
    }
}

extension PushClient {
    /// Refuses a message and an audience that this client cannot send, before anything is.
    func check(_ message: Message, to audience: Audience) throws(PushError) {
        try validation.check(audience)
        try check(message, and: audience.features)
    }

    func check(_ message: Message, and audience: [Feature]) throws(PushError) {
        try validation.check(message)
        for feature in message.features + audience { try require(feature) }
    }
}
