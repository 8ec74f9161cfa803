public import PushCore

extension TPNS: AccountBinding {
    /// `POST /v3/device/account/query`, operator 2. The vendor leaves the types out; a device without accounts and one
    /// that it does not know look alike: no accounts.
    public func readAccounts(of device: DeviceID) throws(PushError) -> Exchange<Set<Account>> {
        let body = try devicesBody([device], 2)
        return call(.readAccounts, ["device", "account", "query"], body, of: device) { (response) throws(PushError) in
            let lists = try response.tpns(AccountQueryReply.self).byDevice ?? []
            return Set(lists.filter { $0.token == device.rawValue }.flatMap(\.accounts))
        }
    }

    /// `POST /v3/device/account/query`, operator 1: no devices also for an account that the vendor does not know. The
    /// current query goes by the name only: the devices of accounts of other types with the same name may be among
    /// them.
    public func readDevices(of account: Account) throws(PushError) -> Exchange<Set<DeviceID>> {
        let body = try queryBody([account.name])
        return call(.readAccountDevices, ["device", "account", "query"], body) { (response) throws(PushError) in
            let lists = try response.tpns(AccountQueryReply.self).byAccount ?? []
            return Set(lists.flatMap(\.tokens).map { DeviceID($0) })
        }
    }

    /// `POST /v3/device/account/batchoperate`, operators 2, 3 and 4; carried out some time after the answer.
    ///
    /// Of one type a device keeps one account: a new one takes its place. Whether binding leaves accounts of other
    /// types is not documented; ``bindingOverwrites`` says, and decides whether adding or replacing is refused with
    /// `unsupported`.
    public func updateAccounts(_ change: AccountUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        let body: WireBody
        switch change {
        case .clear,
            .replace([]) where bindingOverwrites:
            body = try devicesBody([device], 4)
        case .add(let accounts) where !bindingOverwrites, .replace(let accounts) where bindingOverwrites:
            body = try bindBody([TPNSBinding(device, accounts)], 2)
        case .remove(let accounts): body = try bindBody([TPNSBinding(device, accounts)], 3)
        case .add, .replace:
            throw PushError(
                .unsupported, "TPNS has one call that binds: it adds or replaces, as bindingOverwrites says",
                operation: change.feature)
        }
        return call(
            change.feature, ["device", "account", "batchoperate"], body, of: device, decode: WireResponse.expectDone)
    }
}

/// A device and some of its accounts.
public struct TPNSBinding: Sendable, Hashable {
    /// The device.
    public var device: DeviceID
    /// Accounts with their types; to bind, of different types.
    public var accounts: Set<Account>

    /// A device and accounts to bind to it or to unbind from it.
    public init(_ device: DeviceID, _ accounts: Set<Account>) {
        self.device = device
        self.accounts = accounts
    }
}

extension TPNS {
    /// `POST /v3/device/account/batchoperate`, operator 2: binds accounts to 1 to 20 devices, some time after the
    /// answer.
    ///
    /// The answer has a status for each device, in order: some may be bound and others invalid.
    public func bindAccounts(_ bindings: [TPNSBinding]) throws(PushError) -> Exchange<[TargetReport]> {
        try batch(.tpnsBindAccounts, try bindBody(bindings, 2), bindings.map { .device($0.device) })
    }

    /// `POST /v3/device/account/batchoperate`, operator 3: unbinds the accounts from 1 to 20 devices, with a status for
    /// each.
    public func unbindAccounts(_ bindings: [TPNSBinding]) throws(PushError) -> Exchange<[TargetReport]> {
        try batch(.tpnsUnbindAccounts, try bindBody(bindings, 3), bindings.map { .device($0.device) })
    }

    /// `POST /v3/device/account/batchoperate`, operator 4: unbinds all accounts from 1 to 20 devices, with a status for
    /// each. The vendor states no number for this one; it is that of the others.
    public func clearAccounts(of devices: [DeviceID]) throws(PushError) -> Exchange<[TargetReport]> {
        try batch(.tpnsClearAccounts, try devicesBody(devices, 4), devices.map(Target.device))
    }

    /// `POST /v3/device/account/batchoperate`, operator 5: unbinds 1 to 20 accounts from all their devices, with a
    /// status for each. The vendor states no number for this one; it is that of the others.
    public func deleteAccounts(_ accounts: [Account]) throws(PushError) -> Exchange<[TargetReport]> {
        try check(accounts.count, upTo: .tpnsElementsPerAccountCall, "the accounts")
        let body = try object { (json) throws(PushError) in
            try writeAccounts(accounts, &json)
            json.field("operator_type", 5)
        }
        return try batch(.tpnsDeleteAccounts, body, accounts.map(Target.account))
    }

    /// `POST /v3/device/account/query`, operator 2: the accounts of 1 to 20 devices, without their types. Devices that
    /// the vendor does not know are missing.
    public func readAccounts(of devices: [DeviceID]) throws(PushError) -> Exchange<[DeviceID: Set<Account>]> {
        let body = try devicesBody(devices, 2)
        return call(.tpnsReadAccounts, ["device", "account", "query"], body) { (response) throws(PushError) in
            try response.expectKnownOrMissing()
            let lists = try response.tpns(AccountQueryReply.self).byDevice ?? []
            return Dictionary(lists.map { (DeviceID($0.token), Set($0.accounts)) }) { $0.union($1) }
        }
    }

    /// `POST /v3/device/account/query`, operator 1: the devices of 1 to 20 accounts, by name, whatever their types.
    /// Accounts that the vendor does not know are missing.
    public func readDevices(of accounts: [Account]) throws(PushError) -> Exchange<[String: Set<DeviceID>]> {
        let body = try queryBody(accounts.map(\.name))
        return call(.tpnsReadDevices, ["device", "account", "query"], body) { (response) throws(PushError) in
            try response.expectKnownOrMissing()
            let lists = try response.tpns(AccountQueryReply.self).byAccount ?? []
            return Dictionary(lists.map { ($0.account, Set($0.tokens.map { DeviceID($0) })) }) { $0.union($1) }
        }
    }

    // MARK: Bodies

    private func batch(
        _ operation: Feature, _ body: WireBody, _ targets: [Target]
    ) throws(PushError) -> Exchange<[TargetReport]> {
        call(operation, ["device", "account", "batchoperate"], body) { (response) throws(PushError) in
            let envelope = try response.json(Envelope.self)
            let hasAll = envelope.elements.count == targets.count
            guard hasAll || envelope.code != TPNSCode.partlyDone else {
                throw PushError(
                    .malformedResponse,
                    "the answer has \(envelope.elements.count) results for \(targets.count) elements",
                    effect: .unknown, vendor: VendorDetail(code: envelope.code, httpStatus: response.status))
            }
            return targets.enumerated().map { position, target in
                // Without a list all share the code of the call.
                let code = hasAll ? envelope.elements[position] : envelope.code
                return TargetReport(position: position, target: target, status: Self.status(of: code))
            }
        }
    }

    /// What the code of one element means.
    private static func status(of code: Int) -> TargetStatus {
        guard code != 0 else { return .accepted }
        if TPNSCode.invalidTokens.contains(code) || code == TPNSCode.unknownTarget { return .invalid }
        guard let row = TPNSErrors.row(code), row.effect == .notApplied else { return .unknown }
        return .rejected(mayRetry: row.retry.isAdvised)
    }

    private func bindBody(_ bindings: [TPNSBinding], _ number: Int) throws(PushError) -> WireBody {
        try check(bindings.count, upTo: .tpnsDevicesPerAccountCall, "the devices")
        return try object { (json) throws(PushError) in
            json.field("operator_type", number)
            try json.field("token_accounts") { (json) throws(PushError) in
                try json.array { (json) throws(PushError) in
                    for binding in bindings { try write(binding, number, &json) }
                }
            }
        }
    }

    private func write(_ binding: TPNSBinding, _ number: Int, _ json: inout JSONWriter) throws(PushError) {
        try check(binding.device)
        if number == 2 { try capabilities.limits.check(binding.accounts, of: id) }
        guard !binding.accounts.isEmpty else { throw PushError(.invalidArgument, "there is no account for the device") }
        try json.object { (json) throws(PushError) in
            let sorted = binding.accounts.sorted { ($0.type ?? 0, $0.name) < ($1.type ?? 0, $1.name) }
            try writeAccounts(sorted, &json)
            json.field("token", binding.device.rawValue)
        }
    }

    private func devicesBody(_ devices: [DeviceID], _ number: Int) throws(PushError) -> WireBody {
        try check(devices.count, upTo: .tpnsElementsPerAccountCall, "the devices")
        for device in devices { try check(device) }
        return try object { json in
            json.field("operator_type", number)
            json.field("token_list", devices)
        }
    }

    func queryBody(_ names: [String]) throws(PushError) -> WireBody {
        try check(names.count, upTo: .tpnsElementsPerAccountCall, "the accounts")
        for name in names { try capabilities.limits.check(name, "an account", .accountLength, of: id) }
        return try object { json in
            json.field("account_list", .array(names.map { ["account": .string($0)] }))
            json.field("operator_type", 1)
        }
    }

    private func writeAccounts(_ accounts: [Account], _ json: inout JSONWriter) throws(PushError) {
        for account in accounts { try check(account) }
        try json.field("account_list") { (json) throws(PushError) in
            try json.array { (json) throws(PushError) in
                for account in accounts {
                    try json.object { json in
                        json.field("account", account.name)
                        if let type = account.type, type != 0 { json.field("account_type", type) }
                    }
                }
            }
        }
    }
}

/// The answer to a query, one way or the other.
struct AccountQueryReply: Decodable {
    struct Device: Decodable {
        struct Entry: Decodable {
            var account: String
            /// Current answers leave it out, older ones had it.
            var type: Int?

            private enum CodingKeys: String, CodingKey {
                case account
                case type = "account_type"
            }
        }

        var token: String
        private var list: [Entry]?

        var accounts: [Account] { (list ?? []).map { Account(name: $0.account, type: $0.type) } }

        private enum CodingKeys: String, CodingKey {
            case token
            case list = "account_list"
        }
    }

    struct Holder: Decodable {
        var account: String
        private var list: [String]?

        var tokens: [String] { list ?? [] }

        private enum CodingKeys: String, CodingKey {
            case account
            case list = "token_list"
        }
    }

    var byDevice: [Device]?
    var byAccount: [Holder]?

    private enum CodingKeys: String, CodingKey {
        case byDevice = "token_accounts"
        case byAccount = "account_tokens"
    }
}
