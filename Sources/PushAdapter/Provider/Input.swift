/// An input of a call, as an ``Exchange`` lists it.
///
/// Before it sends anything, the client checks each input against the vendor's limits, allowed characters and message
/// fields. It does so for the model's calls and for a vendor's own, so an adapter does not check what a limit can say.
public enum Input: Sendable {
    /// A message: its contents, its fields, its time to live.
    case message(Message)
    /// Who a message is for: each target of a list, and how many targets fit one request.
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
    /// Another text: its length and its characters. The last value names it in error messages.
    case text(String, LimitKey, String)
    /// The number of items that a request lists: at least one.
    case count(Int, LimitKey, String)
    /// A number that may be zero: bytes, seconds, items that a device has.
    case amount(Int, LimitKey, String)
}

extension Input: CustomStringConvertible, CustomReflectable {
    /// The kind and the size, never the contents, which may be a phone number or a token.
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
    /// Empty, so `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Limits {
    /// Refuses the first input that the provider does not accept, before anything is sent.
    public func check(_ inputs: [Input], of provider: ProviderID) throws(PushError) {
        for input in inputs { try check(input, of: provider) }
    }

    /// Refuses an input that the provider does not accept.
    ///
    /// Throws `invalidArgument` for an empty input or a character that is not allowed, `tooLong` for a text over its
    /// limit, and `limitExceeded` for a number over its limit.
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
            // The smallest one, so that every run reports the same tag.
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

    /// Refuses a target list that is too long for one request, or a target that the provider does not accept.
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

extension Capabilities {
    /// Refuses inputs of an exchange that a provider does not accept: a message field that it does not carry, with
    /// `unsupported`, and an input that breaks a limit.
    ///
    /// Ignores fields for a platform that the app cannot have.
    public func check(_ inputs: [Input], of provider: ProviderID) throws(PushError) {
        for input in inputs { try check(input, of: provider) }
    }

    /// Checks one input in the same way.
    public func check(_ input: Input, of provider: ProviderID) throws(PushError) {
        if case .message(let message) = input { try checkFields(of: message, provider) }
        try limits.check(input, of: provider)
    }

    private func checkFields(of message: Message, _ provider: ProviderID) throws(PushError) {
        let row = FieldRow.all.first { row in
            !fields.contains(row.field) && ignoredFields[row.field] == nil
                && row.field.platform.map { platforms?.contains($0) ?? true } ?? true
                && row.isGiven(message)
        }
        guard let missing = row?.field else { return }
        throw missing.refusal(by: provider, absentFields[missing])
    }
}
