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
        .readDeliveries: { $0.reporting != nil }, .probeCredentials: { $0.probing != nil },
    ]

    /// The exchange that the adapter makes for an operation; nil where it has none.
    func outline(
        of operation: Feature, device: DeviceID? = nil, tags: Set<Tag>? = nil, alias: Alias? = nil,
        key: IdempotencyKey? = nil
    ) throws(PushError) -> Outline? {
        guard provider.capabilities[operation] == .native else { return nil }
        let roles = provider.roles
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
        case .readDeliveries:
            return try make(roles.reporting) { (role) throws(PushError) in
                try role.readDeliveries(of: [harness.samples.unknownMessage])
            }
        case .probeCredentials: return try make(roles.probing) { (role) throws(PushError) in try role.probe() }
        default: return nil
        }
    }

    private func make<Role, Output>(
        _ role: Role?, _ exchange: (Role) throws(PushError) -> Exchange<Output>
    ) throws(PushError) -> Outline? {
        guard let role else { return nil }
        return Outline(try exchange(role))
    }

    /// One exchange for every operation that the adapter has, in order.
    func outlines(
        device: DeviceID? = nil, tags: Set<Tag>? = nil, alias: Alias? = nil
    ) throws(PushError) -> [Outline] {
        var outlines: [Outline] = []
        for operation in World.roles.keys.sorted() {
            if let outline = try outline(of: operation, device: device, tags: tags, alias: alias) {
                outlines.append(outline)
            }
        }
        return outlines
    }

    /// A call that changes nothing, for checks of what happens on the way.
    func reading() throws -> Outline {
        for operation: Feature in [.readTags, .readAlias, .probeCredentials, .readDeliveries, .validate, .mintKeys] {
            if let outline = try outline(of: operation) { return outline }
        }
        throw ConformanceFailure(
            expected: "one operation that changes nothing", actual: "none",
            hint: "implement CredentialProbing: every vendor has a call that only reads")
    }

    /// The path of an exchange at the vendor, as it arrives there.
    func path(of outline: Outline) throws(PushError) -> String {
        let url = try provider.dataCenter.address(of: outline.request.service) + outline.request.target()
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
