import PushCore

/// An exchange without its output: what checks look at, whatever the call gives back.
struct Outline: Sendable {
    let exchange: Exchange<Void>

    var operation: Feature { exchange.operation }
    var request: WireRequest { exchange.request }

    init<Output>(_ exchange: Exchange<Output>) {
        let decode = exchange.decode
        self.exchange = Exchange(
            exchange.operation, exchange.request, credential: exchange.credential, idempotency: exchange.idempotency,
            charges: exchange.charges, subject: exchange.subject
        ) { (response) throws(PushError) in _ = try decode(response) }
    }
}

extension World {
    /// The operations of the model, with the role that implements each.
    static let roles: [Feature: @Sendable (Roles) -> Bool] = [
        .send: { $0.sending != nil }, .validate: { $0.validating != nil }, .mintKeys: { $0.keyMinting != nil },
        .readTags: { $0.tagging != nil }, .testTag: { $0.tagging != nil }, .addTags: { $0.tagging != nil },
        .removeTags: { $0.tagging != nil }, .replaceTags: { $0.tagging != nil }, .clearTags: { $0.tagging != nil },
        .readAlias: { $0.aliasing != nil }, .setAlias: { $0.aliasing != nil }, .removeAlias: { $0.aliasing != nil },
        .readAliasDevices: { $0.aliasDeleting != nil }, .deleteAlias: { $0.aliasDeleting != nil },
        .readPhone: { $0.phoneBinding != nil }, .setPhone: { $0.phoneBinding != nil },
        .removePhone: { $0.phoneBinding != nil }, .readAccounts: { $0.accountBinding != nil },
        .readAccountDevices: { $0.accountBinding != nil }, .addAccounts: { $0.accountBinding != nil },
        .removeAccounts: { $0.accountBinding != nil }, .replaceAccounts: { $0.accountBinding != nil },
        .clearAccounts: { $0.accountBinding != nil }, .readAttributes: { $0.attributing != nil },
        .addAttributes: { $0.attributing != nil }, .removeAttributes: { $0.attributing != nil },
        .replaceAttributes: { $0.attributing != nil }, .clearAttributes: { $0.attributing != nil },
        .createSchedule: { $0.scheduling != nil },
        .readSchedule: { $0.scheduling != nil }, .listSchedules: { $0.scheduling != nil },
        .removeSchedule: { $0.scheduling != nil }, .readDeliveries: { $0.reporting != nil },
        .probeCredentials: { $0.probing != nil },
    ]

    /// The exchange that the adapter makes for an operation; nil where it has none.
    func outline(
        of operation: Feature, device: DeviceID? = nil, tags: Set<Tag>? = nil, alias: Alias? = nil,
        account: Account? = nil, message: Message? = nil, audience: Audience? = nil, key: IdempotencyKey? = nil
    ) throws(PushError) -> Outline? {
        guard provider.capabilities[operation] == .native else { return nil }
        let roles = provider.roles
        let message = message ?? self.message
        let audience = audience ?? (has(.audienceDevices) ? device.map { .devices([$0]) } : nil) ?? self.audience
        let device = device ?? self.device
        let tags = tags ?? Set(self.tags(3))
        switch operation {
        case .send:
            return try make(roles.sending) { (role) throws(PushError) in try role.send(message, to: audience, key: key)
            }
        case .validate:
            return try make(roles.validating) { (role) throws(PushError) in try role.validate(message, to: audience) }
        case .mintKeys:
            return try make(roles.keyMinting) { (role) throws(PushError) in try role.mintKeys(1, for: .send) }
        case .readTags: return try make(roles.tagging) { (role) throws(PushError) in try role.readTags(of: device) }
        case .testTag:
            return try make(roles.tagging) { (role) throws(PushError) in try role.testTag(tags.min() ?? "a", of: device)
            }
        case .addTags:
            return try make(roles.tagging) { (role) throws(PushError) in try role.updateTags(.add(tags), of: device) }
        case .removeTags:
            return try make(roles.tagging) { (role) throws(PushError) in try role.updateTags(.remove(tags), of: device)
            }
        case .replaceTags:
            return try make(roles.tagging) { (role) throws(PushError) in try role.updateTags(.replace(tags), of: device)
            }
        case .clearTags:
            return try make(roles.tagging) { (role) throws(PushError) in try role.updateTags(.clear, of: device) }
        case .readAlias: return try make(roles.aliasing) { (role) throws(PushError) in try role.readAlias(of: device) }
        case .setAlias:
            return try make(roles.aliasing) { (role) throws(PushError) in
                try role.setAlias(alias ?? self.alias, of: device)
            }
        case .removeAlias:
            return try make(roles.aliasing) { (role) throws(PushError) in try role.setAlias(nil, of: device) }
        case .readAliasDevices:
            return try make(roles.aliasDeleting) { (role) throws(PushError) in
                try role.readDevices(of: alias ?? self.alias)
            }
        case .deleteAlias:
            return try make(roles.aliasDeleting) { (role) throws(PushError) in
                try role.deleteAlias(alias ?? self.alias)
            }
        case .readPhone:
            return try make(roles.phoneBinding) { (role) throws(PushError) in try role.readPhone(of: device) }
        case .setPhone:
            return try make(roles.phoneBinding) { (role) throws(PushError) in try role.setPhone(phone, of: device) }
        case .removePhone:
            return try make(roles.phoneBinding) { (role) throws(PushError) in try role.setPhone(nil, of: device) }
        case .readAccounts, .readAccountDevices, .addAccounts, .removeAccounts, .replaceAccounts, .clearAccounts:
            return try accountOutline(of: operation, device, account ?? accounts[0])
        case .readAttributes, .addAttributes, .removeAttributes, .replaceAttributes, .clearAttributes:
            return try attributeOutline(of: operation, device)
        case .createSchedule:
            return try make(roles.scheduling) { (role) throws(PushError) in
                try role.createSchedule(schedule(message, audience), key: key)
            }
        case .readSchedule:
            return try make(roles.scheduling) { (role) throws(PushError) in
                try role.readSchedule(harness.samples.unknownSchedule)
            }
        case .listSchedules:
            return try make(roles.scheduling) { (role) throws(PushError) in try role.listSchedules(page: 1) }
        case .removeSchedule:
            return try make(roles.scheduling) { (role) throws(PushError) in
                try role.removeSchedule(harness.samples.unknownSchedule)
            }
        case .readDeliveries:
            return try make(roles.reporting) { (role) throws(PushError) in
                try role.readDeliveries(of: [harness.samples.unknownMessage])
            }
        case .probeCredentials: return try make(roles.probing) { (role) throws(PushError) in try role.probe() }
        default: return nil
        }
    }

    private func accountOutline(
        of operation: Feature, _ device: DeviceID, _ account: Account
    ) throws(PushError) -> Outline? {
        switch operation {
        case .readAccounts:
            return try make(provider.roles.accountBinding) { (role) throws(PushError) in
                try role.readAccounts(of: device)
            }
        case .readAccountDevices:
            return try make(provider.roles.accountBinding) { (role) throws(PushError) in
                try role.readDevices(of: account)
            }
        default:
            let changes: [Feature: AccountUpdate] = [
                .addAccounts: .add([account]), .removeAccounts: .remove([account]),
                .replaceAccounts: .replace([account]),
            ]
            return try make(provider.roles.accountBinding) { (role) throws(PushError) in
                try role.updateAccounts(changes[operation] ?? .clear, of: device)
            }
        }
    }

    private func attributeOutline(of operation: Feature, _ device: DeviceID) throws(PushError) -> Outline? {
        guard operation != .readAttributes else {
            return try make(provider.roles.attributing) { (role) throws(PushError) in
                try role.readAttributes(of: device)
            }
        }
        let changes: [Feature: AttributeUpdate] = [
            .addAttributes: .add(attributes(2)), .removeAttributes: .remove(Set(attributes(2).keys)),
            .replaceAttributes: .replace(attributes(2)),
        ]
        return try make(provider.roles.attributing) { (role) throws(PushError) in
            try role.updateAttributes(changes[operation] ?? .clear, of: device)
        }
    }

    /// The exchange of an operation that is declared; a missing role is a failure, not a reason to look away.
    func required(_ operation: Feature) throws -> Outline {
        guard let outline = try outline(of: operation) else {
            throw ConformanceFailure(
                expected: "a role for \(operation), which is declared", actual: "none",
                hint: "roles and capabilities agree")
        }
        return outline
    }

    private func make<Role, Output>(
        _ role: Role?, _ exchange: (Role) throws(PushError) -> Exchange<Output>
    ) throws(PushError) -> Outline? {
        guard let role else { return nil }
        return Outline(try exchange(role))
    }

    /// One exchange for every operation that the adapter has, in order.
    func outlines() throws(PushError) -> [Outline] {
        var outlines: [Outline] = []
        for operation in World.roles.keys.sorted() {
            if let outline = try outline(of: operation) { outlines.append(outline) }
        }
        return outlines
    }

    /// A call that changes nothing, for checks of what happens on the way; nil where the vendor has none.
    var readable: Outline? {
        let operations: [Feature] = [
            .readTags, .readAlias, .readPhone, .readAccounts, .readAttributes, .probeCredentials, .readDeliveries,
            .listSchedules, .validate, .mintKeys,
        ]
        return operations.lazy.compactMap { try? self.outline(of: $0) }.first
    }

    /// The same, in a check that runs only where there is one.
    func reading() throws -> Outline {
        guard let readable else {
            throw ConformanceFailure(
                expected: "an operation that changes nothing", actual: "none",
                hint: "implement CredentialProbing, if the vendor has any call that reads")
        }
        return readable
    }

    /// The path of an exchange at the vendor, as it arrives there.
    func path(of outline: Outline) throws(PushError) -> String {
        path(of: try provider.dataCenter.address(of: outline.request.service) + outline.request.target())
    }

    func path(of url: String) -> String {
        let path = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        let start = path.firstIndex(of: "/") ?? path.endIndex
        return String(path[start...].prefix { $0 != "?" })
    }

    /// Requests of one exchange that left, in order.
    func sent(_ outline: Outline) throws(PushError) -> [TransportRequest] {
        let path = try path(of: outline)
        return tap.requests.filter {
            $0.method == outline.request.method && $0.url.prefix { $0 != "?" }.hasSuffix(path)
        }
    }
}
