/// Something that a caller put into a call, as an ``Exchange`` lists it.
///
/// The client checks it against the vendor's limits, alphabets and message fields before anything is sent, for the calls
/// of the model and for a vendor's own alike. So an adapter checks nothing that a limit can say.
public enum Input: Sendable {
    /// A message: what it has, its fields, its life.
    case message(Message)
    /// Who a message is for, each target of a list, and how many of them a request takes.
    case audience(Audience)
    /// Devices, each by its id.
    case devices([DeviceID])
    /// Aliases, each by its text.
    case aliases([Alias])
    /// Tags, each by its text.
    case tags(Set<Tag>)
    /// Accounts, each by its name and type.
    case accounts([Account])
    /// The accounts of one device: each, and how many of a type.
    case accountsOfDevice(Set<Account>)
    /// Attributes of a device: names, values, and how many.
    case attributes([String: String])
    /// A phone number.
    case phone(PhoneNumber)
    /// Another text: its length and its characters. The last part says in a refusal what it is.
    case text(String, LimitKey, String)
    /// A number of things that a request lists: at least one.
    case count(Int, LimitKey, String)
    /// A number that may be zero: bytes, seconds, things that a device has.
    case amount(Int, LimitKey, String)
}

extension Input: CustomStringConvertible, CustomReflectable {
    /// What it is and how much of it, and nothing of what it says: it may be a person's number or a token.
    public var description: String {
        switch self {
        case .message: "a message"
        case .audience(let audience): audience.targets.map { "an audience of \($0.count) targets" } ?? "an audience"
        case .devices(let devices): "\(devices.count) devices"
        case .aliases(let aliases): "\(aliases.count) aliases"
        case .tags(let tags): "\(tags.count) tags"
        case .accounts(let accounts): "\(accounts.count) accounts"
        case .accountsOfDevice(let accounts): "\(accounts.count) accounts of a device"
        case .attributes(let attributes): "\(attributes.count) attributes"
        case .phone: "a phone number"
        case .text(_, _, let name): name
        case .count(let number, _, let name), .amount(let number, _, let name): "\(name): \(number)"
        }
    }
    /// Nothing beside the description, also for `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Limits {
    /// Refuses the first of some inputs that a provider does not take, before anything is sent.
    public func check(_ inputs: [Input], of provider: ProviderID) throws(PushError) {
        for input in inputs { try check(input, of: provider) }
    }

    /// Refuses an input that a provider does not take: with `invalidArgument` what is empty or has a character that is
    /// not allowed, with `tooLong` a text and with `limitExceeded` a number beyond its limit.
    public func check(_ input: Input, of provider: ProviderID) throws(PushError) {
        switch input {
        case .message(let message): try check(message, of: provider)
        case .audience(let audience):
            try checkForm(of: audience, provider)
            try checkTargets(of: audience, of: provider)
        case .devices(let devices): try check(devices, by: \.rawValue, "a device id", .deviceIDLength, of: provider)
        case .aliases(let aliases): try check(aliases, by: \.rawValue, "an alias", .aliasLength, of: provider)
        case .tags(let tags):
            let rule = TextRule(self, .tagLength)
            // The same one on every run.
            guard let refused = tags.lazy.filter({ !rule.allows($0.rawValue) }).min() else { return }
            try check(refused.rawValue, "a tag", .tagLength, of: provider)
        case .accounts(let accounts): for account in accounts { try check(account, of: provider) }
        case .accountsOfDevice(let accounts):
            for account in accounts.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                try check(account, of: provider)
            }
            for (type, group) in Dictionary(grouping: accounts, by: \.type) {
                let kind = type.map { "of type \($0)" } ?? "without a type"
                try check(group.count, "the accounts \(kind)", .accountsPerType, of: provider)
            }
        case .attributes(let attributes): try check(attributes, of: provider)
        case .phone(let phone): try check(phone.rawValue, "a phone number", .phoneLength, of: provider)
        case .text(let text, let limit, let name): try check(text, name, limit, of: provider)
        case .count(let count, let limit, let name):
            guard count > 0 else { throw PushError(.invalidArgument, "\(name): the list is empty") }
            try check(count, name, limit, of: provider)
        case .amount(let amount, let limit, let name): try check(amount, name, limit, of: provider)
        }
    }

    /// Refuses a list of targets that is longer than a request takes, or has one that the provider does not take.
    private func checkTargets(of audience: Audience, of provider: ProviderID) throws(PushError) {
        switch audience {
        case .devices(let devices):
            try check([.count(devices.count, .devicesPerSend, "the devices"), .devices(devices)], of: provider)
        case .aliases(let aliases):
            try check([.count(aliases.count, .aliasesPerSend, "the aliases"), .aliases(aliases)], of: provider)
        case .accounts(let accounts):
            try check([.count(accounts.count, .accountsPerSend, "the accounts"), .accounts(accounts)], of: provider)
        default: return
        }
    }

    private func check<Element>(
        _ elements: [Element], by text: KeyPath<Element, String>, _ name: String, _ limit: LimitKey,
        of provider: ProviderID
    ) throws(PushError) {
        let rule = TextRule(self, limit)
        for element in elements where !rule.allows(element[keyPath: text]) {
            try check(element[keyPath: text], name, limit, of: provider)
        }
    }
}
