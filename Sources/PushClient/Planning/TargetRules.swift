import PushAdapter

/// Which targets a provider accepts: rules that are looked up once, for lists of millions.
struct TargetRules: Sendable {
    private let provider: ProviderID
    private let limits: Limits
    private let devices: TextRule
    private let aliases: TextRule
    private let accounts: TextRule

    private let foldsDevices: Bool
    private let ownRefusal: (@Sendable (Target) -> PushError?)?

    /// - Parameter ownRefusal: the provider's own rule, `Roles.refusal`.
    init(
        _ capabilities: Capabilities, of provider: ProviderID, refusing ownRefusal: (@Sendable (Target) -> PushError?)?
    ) {
        self.provider = provider
        self.ownRefusal = ownRefusal
        limits = capabilities.limits
        foldsDevices = capabilities.deviceIDsIgnoreCase
        devices = TextRule(limits, .deviceIDLength)
        aliases = TextRule(limits, .aliasLength)
        accounts = TextRule(limits, .accountLength)
    }

    func takes(_ target: Target) -> Bool { fits(target) && ownRefusal?(target) == nil }

    private func fits(_ target: Target) -> Bool {
        switch target {
        case .device(let id): devices.allows(id.rawValue)
        case .alias(let alias): aliases.allows(alias.rawValue)
        case .account(let account): accounts.allows(account.name) && limits.isForm(of: account)
        }
    }

    /// The one form for all spellings of a target.
    func canonical(_ target: Target) -> Target {
        let capitals: ClosedRange<UInt8> = 0x41...0x5A
        guard foldsDevices, case .device(let id) = target, id.rawValue.utf8.contains(where: capitals.contains) else {
            return target
        }
        let lower = id.rawValue.utf8.map { capitals.contains($0) ? $0 + 0x20 : $0 }
        return .device(DeviceID(String(decoding: lower, as: UTF8.self)))
    }

    /// Why the provider does not accept a target, nil if it does.
    func refusal(of target: Target) -> PushError? {
        guard !fits(target) else { return ownRefusal?(target) }
        let input: Input =
            switch target {
            case .device(let id): .devices([id])
            case .alias(let alias): .aliases([alias])
            case .account(let account): .accounts([account])
            }
        do throws(PushError) { try limits.check(input, of: provider) } catch { return error }
        return PushError(.invalidArgument, "\(provider) does not take a target of this form")
    }
}
