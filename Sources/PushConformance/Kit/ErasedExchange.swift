package import PushAdapter

/// An exchange without its output, so that checks treat all calls alike.
package struct ErasedExchange: Sendable {
    let exchange: Exchange<Void>
    /// The request with the body that its recipient decrypts.
    private(set) var request: WireRequest

    var operation: Feature { exchange.operation }

    init<Output>(_ exchange: Exchange<Output>) {
        self.exchange = exchange.map { _ in }
        request = exchange.request
    }

    init?<Output>(_ exchange: Exchange<Output>?) {
        guard let exchange else { return nil }
        self.init(exchange)
    }

    fileprivate func opened(by harness: any ConformanceHarness) -> ErasedExchange {
        var copy = self
        copy.request = harness.opened(request)
        return copy
    }
}

extension World {
    /// The exchange that the adapter makes for an operation; nil if it has none.
    func sample(
        of operation: Feature, device: DeviceID? = nil, tags: Set<Tag>? = nil, alias: Alias? = nil,
        account: Account? = nil, message: Message? = nil, audience: Audience? = nil, key: IdempotencyKey? = nil
    ) throws(PushError) -> ErasedExchange? {
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
        let sample: ErasedExchange? =
            switch operation {
            case .send: ErasedExchange(try roles.send?(message, context.now)(audience, context))
            case .validate: ErasedExchange(try roles.validate?(message, audience, context))
            case .mintKeys: ErasedExchange(try roles.mintKeys?(1, .send))
            case .readTags: ErasedExchange(try roles.tags.read?(device))
            case .testTag: ErasedExchange(try roles.tags.test?(tags.min() ?? "a", device))
            case .addTags: ErasedExchange(try roles.tags.add?(tags, device))
            case .removeTags: ErasedExchange(try roles.tags.remove?(tags, device))
            case .replaceTags: ErasedExchange(try roles.tags.replace?(tags, device))
            case .addMembers: ErasedExchange(try roles.tags.changeMembers?(tags.min() ?? "a", .add([device])))
            case .removeMembers: ErasedExchange(try roles.tags.changeMembers?(tags.min() ?? "a", .remove([device])))
            case .clearTags: ErasedExchange(try roles.tags.clear?(device))
            case .readAlias: ErasedExchange(try roles.alias.read?(device))
            case .setAlias: ErasedExchange(try roles.alias.set?(alias, device))
            case .removeAlias: ErasedExchange(try roles.alias.remove?(device))
            case .readAliasDevices: ErasedExchange(try roles.alias.devices?(alias))
            case .deleteAlias: ErasedExchange(try roles.alias.delete?(alias))
            case .updateDevice:
                ErasedExchange(try roles.updateDevice?(DeviceUpdate(tags: .add(tags), alias: .set(alias)), device))
            case .readPhone: ErasedExchange(try roles.phone.read?(device))
            case .setPhone: ErasedExchange(try roles.phone.set?(phone, device))
            case .removePhone: ErasedExchange(try roles.phone.remove?(device))
            case .readAccounts: ErasedExchange(try roles.accounts.read?(device))
            case .readAccountDevices: ErasedExchange(try roles.accounts.devices?(account))
            case .addAccounts: ErasedExchange(try roles.accounts.add?([account], device))
            case .removeAccounts: ErasedExchange(try roles.accounts.remove?([account], device))
            case .replaceAccounts: ErasedExchange(try roles.accounts.replace?([account], device))
            case .clearAccounts: ErasedExchange(try roles.accounts.clear?(device))
            case .readAttributes: ErasedExchange(try roles.attributes.read?(device))
            case .addAttributes: ErasedExchange(try roles.attributes.add?(attributes(2), device))
            case .removeAttributes: ErasedExchange(try roles.attributes.remove?(Set(attributes(2).keys), device))
            case .replaceAttributes: ErasedExchange(try roles.attributes.replace?(attributes(2), device))
            case .clearAttributes: ErasedExchange(try roles.attributes.clear?(device))
            case .createSchedule: ErasedExchange(try roles.schedules.create?(schedule(message, audience), key))
            case .readSchedule: ErasedExchange(try roles.schedules.read?(unknown))
            case .listSchedules: ErasedExchange(try roles.schedules.list?(1))
            case .removeSchedule: ErasedExchange(try roles.schedules.remove?(unknown))
            case .readDeliveries: ErasedExchange(try roles.readDeliveries?([reported]))
            case .probeCredentials: ErasedExchange(try roles.probe?())
            default: nil
            }
        return sample?.opened(by: harness)
    }

    /// The exchange of a declared operation; a missing role is a failure.
    package func required(_ operation: Feature) throws -> ErasedExchange {
        guard let sample = try sample(of: operation) else {
            throw ConformanceFailure(
                expected: "a role for \(operation), which is declared", actual: "none",
                hint: "roles and capabilities must agree")
        }
        return sample
    }

    /// One exchange for every operation that the adapter has, in order.
    func sampleCalls() throws(PushError) -> [ErasedExchange] {
        var sampleCalls: [ErasedExchange] = []
        for operation in Roles.operations.keys.sorted() {
            if let sample = try sample(of: operation) { sampleCalls.append(sample) }
        }
        return sampleCalls
    }

    /// A call that changes nothing, for checks of faults on the way; nil if the vendor has none.
    var readable: ErasedExchange? {
        let operations: [Feature] = [
            .readTags, .readAlias, .readPhone, .readAccounts, .readAttributes, .probeCredentials, .readDeliveries,
            .listSchedules, .validate, .mintKeys,
        ]
        return operations.lazy.compactMap { try? self.sample(of: $0) }.first
    }

    /// The same call, for checks that run only if there is one.
    func reading() throws -> ErasedExchange {
        guard let readable else {
            throw ConformanceFailure(
                expected: "an operation that changes nothing", actual: "none",
                hint: "set roles.probe if the vendor has any call that reads")
        }
        return readable
    }

    /// The path of an exchange as it arrives at the vendor.
    package func path(of sample: ErasedExchange) throws(PushError) -> String {
        path(of: try provider.dataCenter.url(of: sample.request))
    }

    func path(of url: String) -> String {
        let path = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        let start = path.firstIndex(of: "/") ?? path.endIndex
        return String(path[start...].prefix { $0 != "?" })
    }

    /// The requests sent for one exchange, in order.
    func sent(_ sample: ErasedExchange) throws(PushError) -> [TransportRequest] {
        let path = try path(of: sample)
        return tap.requests.filter {
            $0.method == sample.request.method && $0.url.prefix { $0 != "?" }.hasSuffix(path)
        }
    }
}
