import PushCore

/// An exchange without its output, so that checks treat all calls alike.
struct Outline: Sendable {
    let exchange: Exchange<Void>

    var operation: Feature { exchange.operation }
    var request: WireRequest { exchange.request }

    init<Output>(_ exchange: Exchange<Output>) { self.exchange = exchange.map { _ in } }

    init?<Output>(_ exchange: Exchange<Output>?) {
        guard let exchange else { return nil }
        self.init(exchange)
    }
}

extension World {
    /// The exchange that the adapter makes for an operation; nil if it has none.
    func outline(
        of operation: Feature, device: DeviceID? = nil, tags: Set<Tag>? = nil, alias: Alias? = nil,
        account: Account? = nil, message: Message? = nil, audience: Audience? = nil, key: IdempotencyKey? = nil
    ) throws(PushError) -> Outline? {
        guard provider.capabilities[operation] == .native else { return nil }
        let roles = provider.roles
        let message = message ?? self.message
        let audience = audience ?? (has(.audienceDevices) ? device.map { .devices([$0]) } : nil) ?? self.audience
        let device = device ?? self.device
        let tags = tags ?? Set(self.tags(min(3, provider.capabilities.limits[.tagsPerCall]?.maximum ?? 3)))
        let alias = alias ?? self.alias
        let account = account ?? accounts[0]
        // The same id each time, so that two messages can be compared.
        let context = SendContext(
            at: clock.date, key: key, id: (high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF))
        let (unknown, reported) = (harness.samples.unknownSchedule, harness.samples.unknownMessage)
        return switch operation {
        case .send: Outline(try roles.send?(message, audience, context))
        case .validate: Outline(try roles.validate?(message, audience, context))
        case .mintKeys: Outline(try roles.mintKeys?(1, .send))
        case .readTags: Outline(try roles.tags.read?(device))
        case .testTag: Outline(try roles.tags.test?(tags.min() ?? "a", device))
        case .addTags: Outline(try roles.tags.add?(tags, device))
        case .removeTags: Outline(try roles.tags.remove?(tags, device))
        case .replaceTags: Outline(try roles.tags.replace?(tags, device))
        case .addMembers: Outline(try roles.tags.changeMembers?(tags.min() ?? "a", .add([device])))
        case .removeMembers: Outline(try roles.tags.changeMembers?(tags.min() ?? "a", .remove([device])))
        case .clearTags: Outline(try roles.tags.clear?(device))
        case .readAlias: Outline(try roles.alias.read?(device))
        case .setAlias: Outline(try roles.alias.set?(alias, device))
        case .removeAlias: Outline(try roles.alias.remove?(device))
        case .readAliasDevices: Outline(try roles.alias.devices?(alias))
        case .deleteAlias: Outline(try roles.alias.delete?(alias))
        case .updateDevice:
            Outline(try roles.updateDevice?(DeviceUpdate(tags: .add(tags), alias: .set(alias)), device))
        case .readPhone: Outline(try roles.phone.read?(device))
        case .setPhone: Outline(try roles.phone.set?(phone, device))
        case .removePhone: Outline(try roles.phone.remove?(device))
        case .readAccounts: Outline(try roles.accounts.read?(device))
        case .readAccountDevices: Outline(try roles.accounts.devices?(account))
        case .addAccounts: Outline(try roles.accounts.add?([account], device))
        case .removeAccounts: Outline(try roles.accounts.remove?([account], device))
        case .replaceAccounts: Outline(try roles.accounts.replace?([account], device))
        case .clearAccounts: Outline(try roles.accounts.clear?(device))
        case .readAttributes: Outline(try roles.attributes.read?(device))
        case .addAttributes: Outline(try roles.attributes.add?(attributes(2), device))
        case .removeAttributes: Outline(try roles.attributes.remove?(Set(attributes(2).keys), device))
        case .replaceAttributes: Outline(try roles.attributes.replace?(attributes(2), device))
        case .clearAttributes: Outline(try roles.attributes.clear?(device))
        case .createSchedule: Outline(try roles.schedules.create?(schedule(message, audience), key))
        case .readSchedule: Outline(try roles.schedules.read?(unknown))
        case .listSchedules: Outline(try roles.schedules.list?(1))
        case .removeSchedule: Outline(try roles.schedules.remove?(unknown))
        case .readDeliveries: Outline(try roles.readDeliveries?([reported]))
        case .probeCredentials: Outline(try roles.probe?())
        default: nil
        }
    }

    /// The exchange of a declared operation; a missing role is a failure.
    func required(_ operation: Feature) throws -> Outline {
        guard let outline = try outline(of: operation) else {
            throw ConformanceFailure(
                expected: "a role for \(operation), which is declared", actual: "none",
                hint: "roles and capabilities must agree")
        }
        return outline
    }

    /// One exchange for every operation that the adapter has, in order.
    func outlines() throws(PushError) -> [Outline] {
        var outlines: [Outline] = []
        for operation in Roles.operations.keys.sorted() {
            if let outline = try outline(of: operation) { outlines.append(outline) }
        }
        return outlines
    }

    /// A call that changes nothing, for checks of faults on the way; nil if the vendor has none.
    var readable: Outline? {
        let operations: [Feature] = [
            .readTags, .readAlias, .readPhone, .readAccounts, .readAttributes, .probeCredentials, .readDeliveries,
            .listSchedules, .validate, .mintKeys,
        ]
        return operations.lazy.compactMap { try? self.outline(of: $0) }.first
    }

    /// The same call, for checks that run only if there is one.
    func reading() throws -> Outline {
        guard let readable else {
            throw ConformanceFailure(
                expected: "an operation that changes nothing", actual: "none",
                hint: "set roles.probe if the vendor has any call that reads")
        }
        return readable
    }

    /// The path of an exchange as it arrives at the vendor.
    func path(of outline: Outline) throws(PushError) -> String {
        path(of: try provider.dataCenter.address(of: outline.request.service) + outline.request.target())
    }

    func path(of url: String) -> String {
        let path = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        let start = path.firstIndex(of: "/") ?? path.endIndex
        return String(path[start...].prefix { $0 != "?" })
    }

    /// The requests sent for one exchange, in order.
    func sent(_ outline: Outline) throws(PushError) -> [TransportRequest] {
        let path = try path(of: outline)
        return tap.requests.filter {
            $0.method == outline.request.method && $0.url.prefix { $0 != "?" }.hasSuffix(path)
        }
    }
}
