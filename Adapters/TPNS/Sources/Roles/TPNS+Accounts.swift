public import PushAdapter

extension TPNS {
    /// `POST /v3/device/account/query`, operator 2. The vendor omits the types. An unknown device looks like a device
    /// without accounts.
    public func readAccounts(of device: DeviceID) throws(PushError) -> Exchange<Set<Account>> {
        let body = try devicesBody([device], 2)
        return call(.readAccounts, ["device", "account", "query"], body, of: device) { (response) throws(PushError) in
            let lists = try response.tpns(AccountQueryReply.self).byDevice ?? []
            return Set(lists.filter { $0.token == device.rawValue }.flatMap(\.accounts))
        }
    }

    /// `POST /v3/device/account/query`, operator 1. Returns no devices for an unknown account. The current query
    /// matches only the name, so the result may include devices of accounts with the same name and another type.
    public func readDevices(of account: Account) throws(PushError) -> Exchange<Set<DeviceID>> {
        let body = try queryBody([account.name])
        let input: Input = account.type == nil ? Self.input(name: account.name) : .accounts([account])
        return call(.readAccountDevices, ["device", "account", "query"], body, checking: [input]) {
            (response) throws(PushError) in
            let lists = try response.tpns(AccountQueryReply.self).byAccount ?? []
            return Set(lists.flatMap(\.tokens).map { DeviceID($0) })
        }
    }

    /// `POST /v3/device/account/batchoperate`, operator 2. The vendor applies it some time after its response.
    ///
    /// A device keeps one account of each type: a new one replaces the old. The vendor does not document whether
    /// binding keeps accounts of other types; set ``bindingOverwrites``.
    public func bindAccounts(_ accounts: Set<Account>, to device: DeviceID) throws(PushError) -> Exchange<Void> {
        let binding = TPNSBinding(device, accounts)
        return write(.addAccounts, try bindBody([binding], 2), device, checking: Self.inputs([binding], 2))
    }

    /// Binds accounts as the device's whole set if ``bindingOverwrites`` is true. Uses operator 4 for an empty set.
    public func replaceAccounts(with accounts: Set<Account>, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        let binding = TPNSBinding(device, accounts)
        guard !accounts.isEmpty else { return write(.replaceAccounts, try devicesBody([device], 4), device) }
        return write(.replaceAccounts, try bindBody([binding], 2), device, checking: Self.inputs([binding], 2))
    }

    /// `POST /v3/device/account/batchoperate`, operator 3. The vendor applies it some time after its response.
    public func unbindAccounts(_ accounts: Set<Account>, from device: DeviceID) throws(PushError) -> Exchange<Void> {
        let binding = TPNSBinding(device, accounts)
        return write(.removeAccounts, try bindBody([binding], 3), device, checking: Self.inputs([binding], 3))
    }

    /// `POST /v3/device/account/batchoperate`, operator 4. The vendor applies it some time after its response.
    public func clearAccounts(of device: DeviceID) throws(PushError) -> Exchange<Void> {
        write(.clearAccounts, try devicesBody([device], 4), device)
    }

    private func write(
        _ operation: Feature, _ body: WireBody, _ device: DeviceID, checking inputs: [Input] = []
    ) -> Exchange<Void> {
        call(
            operation, ["device", "account", "batchoperate"], body, of: device, checking: inputs,
            decode: WireResponse.expectDone)
    }

    private static func input(name: String) -> Input { .text(name, .accountLength, "an account") }

    private static func inputs(_ bindings: [TPNSBinding], _ number: Int) -> [Input] {
        [.count(bindings.count, .tpnsDevicesPerAccountCall, "the devices"), .devices(bindings.map(\.device))]
            // One call can unbind several accounts of a type, but cannot bind them.
            + bindings.map { number == 2 ? .accountsOfDevice($0.accounts) : .accounts(Array($0.accounts)) }
    }

    private static func inputs(_ devices: [DeviceID]) -> [Input] {
        [.count(devices.count, .tpnsElementsPerAccountCall, "the devices"), .devices(devices)]
    }

    private static func count(of accounts: Int) -> Input {
        .count(accounts, .tpnsElementsPerAccountCall, "the accounts")
    }
}

/// A device and some of its accounts.
public struct TPNSBinding: Sendable, Hashable {
    /// The device.
    public var device: DeviceID
    /// Accounts with their types. Accounts to bind must have different types.
    public var accounts: Set<Account>

    /// Creates a pair of a device and the accounts to bind to it or to unbind from it.
    public init(_ device: DeviceID, _ accounts: Set<Account>) {
        self.device = device
        self.accounts = accounts
    }
}

extension TPNS {
    /// `POST /v3/device/account/batchoperate`, operator 2: binds accounts to 1 to 20 devices. The vendor applies it
    /// some time after its response.
    ///
    /// Returns a status for each device, in order: some may be bound and others invalid.
    public func bindAccounts(_ bindings: [TPNSBinding]) throws(PushError) -> Exchange<[TargetReport]> {
        batch(
            .tpnsBindAccounts, try bindBody(bindings, 2), bindings.map { .device($0.device) },
            checking: Self.inputs(bindings, 2))
    }

    /// `POST /v3/device/account/batchoperate`, operator 3: unbinds the accounts from 1 to 20 devices. Returns a status
    /// for each.
    public func unbindAccounts(_ bindings: [TPNSBinding]) throws(PushError) -> Exchange<[TargetReport]> {
        batch(
            .tpnsUnbindAccounts, try bindBody(bindings, 3), bindings.map { .device($0.device) },
            checking: Self.inputs(bindings, 3))
    }

    /// `POST /v3/device/account/batchoperate`, operator 4: unbinds all accounts from 1 to 20 devices. Returns a status
    /// for each. The vendor documents no limit for this operator; 20 is the limit of the others.
    public func clearAccounts(of devices: [DeviceID]) throws(PushError) -> Exchange<[TargetReport]> {
        batch(
            .tpnsClearAccounts, try devicesBody(devices, 4), devices.map(Target.device), checking: Self.inputs(devices))
    }

    /// `POST /v3/device/account/batchoperate`, operator 5: unbinds 1 to 20 accounts from all their devices. Returns a
    /// status for each. The vendor documents no limit for this operator; 20 is the limit of the others.
    public func deleteAccounts(_ accounts: [Account]) throws(PushError) -> Exchange<[TargetReport]> {
        let body = try object { (json) throws(PushError) in
            try writeAccounts(accounts, &json)
            json.field("operator_type", 5)
        }
        return batch(
            .tpnsDeleteAccounts, body, accounts.map(Target.account),
            checking: [Self.count(of: accounts.count), .accounts(accounts)])
    }

    /// `POST /v3/device/account/query`, operator 2: reads the accounts of 1 to 20 devices, without types. The result
    /// omits unknown devices.
    public func readAccounts(of devices: [DeviceID]) throws(PushError) -> Exchange<[DeviceID: Set<Account>]> {
        let body = try devicesBody(devices, 2)
        return call(.tpnsReadAccounts, ["device", "account", "query"], body, checking: Self.inputs(devices)) {
            (response) throws(PushError) in
            try response.expectKnownOrMissing()
            let lists = try response.tpns(AccountQueryReply.self).byDevice ?? []
            return Dictionary(lists.map { (DeviceID($0.token), Set($0.accounts)) }) { $0.union($1) }
        }
    }

    /// `POST /v3/device/account/query`, operator 1: reads the devices of 1 to 20 accounts by name, whatever their
    /// types. The result omits unknown accounts.
    public func readDevices(of accounts: [Account]) throws(PushError) -> Exchange<[String: Set<DeviceID>]> {
        let body = try queryBody(accounts.map(\.name))
        let inputs = [Self.count(of: accounts.count)] + accounts.map { Self.input(name: $0.name) }
        return call(.tpnsReadDevices, ["device", "account", "query"], body, checking: inputs) {
            (response) throws(PushError) in
            try response.expectKnownOrMissing()
            let lists = try response.tpns(AccountQueryReply.self).byAccount ?? []
            return Dictionary(lists.map { ($0.account, Set($0.tokens.map { DeviceID($0) })) }) { $0.union($1) }
        }
    }

    // MARK: Bodies

    private func batch(
        _ operation: Feature, _ body: WireBody, _ targets: [Target], checking inputs: [Input]
    ) -> Exchange<[TargetReport]> {
        call(operation, ["device", "account", "batchoperate"], body, checking: inputs) { (response) throws(PushError) in
            let envelope = try response.json(Envelope.self)
            let hasAll = envelope.elements.count == targets.count
            guard hasAll || envelope.code != TPNSCode.partlyDone else {
                throw PushError(
                    .malformedResponse,
                    "the response has \(envelope.elements.count) results for \(targets.count) elements",
                    effect: .unknown, vendor: VendorDetail(code: envelope.code, httpStatus: response.status))
            }
            return targets.enumerated().map { position, target in
                // Without a list, the call's code applies to every element.
                let code = hasAll ? envelope.elements[position] : envelope.code
                return TargetReport(position: position, target: target, status: Self.status(of: code))
            }
        }
    }

    /// The status for the code of one element.
    private static func status(of code: VendorCode) -> TargetStatus {
        guard code != 0 else { return .accepted }
        if TPNSCode.invalidTokens.contains(code) || code == TPNSCode.unknownTarget { return .invalid() }
        return TPNSErrors.row(code)?.status ?? .unknown
    }

    private func bindBody(_ bindings: [TPNSBinding], _ number: Int) throws(PushError) -> WireBody {
        try object { (json) throws(PushError) in
            json.field("operator_type", number)
            try json.field("token_accounts") { (json) throws(PushError) in
                try json.array { (json) throws(PushError) in
                    for binding in bindings { try write(binding, &json) }
                }
            }
        }
    }

    private func write(_ binding: TPNSBinding, _ json: inout JSONWriter) throws(PushError) {
        guard !binding.accounts.isEmpty else { throw PushError(.invalidArgument, "give the device an account") }
        try json.object { (json) throws(PushError) in
            let sorted = binding.accounts.sorted { ($0.type ?? 0, $0.name) < ($1.type ?? 0, $1.name) }
            try writeAccounts(sorted, &json)
            json.field("token", binding.device.rawValue)
        }
    }

    private func devicesBody(_ devices: [DeviceID], _ number: Int) throws(PushError) -> WireBody {
        try object { json in
            json.field("operator_type", number)
            json.field("token_list", devices)
        }
    }

    func queryBody(_ names: [String]) throws(PushError) -> WireBody {
        try object { json in
            json.field("account_list", .array(names.map { ["account": .string($0)] }))
            json.field("operator_type", 1)
        }
    }

    private func writeAccounts(_ accounts: [Account], _ json: inout JSONWriter) throws(PushError) {
        if let type = accounts.compactMap(\.type).min(), type < 0 {
            throw PushError(.invalidArgument, "an account type is 0 or more, not \(type)")
        }
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

/// The response to a query, in either direction.
struct AccountQueryReply: Decodable {
    struct Device: Decodable {
        struct Entry: Decodable {
            var account: String
            /// Current responses omit the type; older ones had it.
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
