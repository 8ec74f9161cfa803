import FoundationEssentials
import PushAdapter
import PushConformance
import PushMemory
import PushSimulation

/// The memory adapter with one flaw.
struct Twin: ConformanceHarness {
    // Edits of its inputs.
    var message: @Sendable (inout Message) throws(PushError) -> Void = { (_) throws(PushError) in }
    var audience: @Sendable (Audience) -> Audience = { $0 }
    var change: @Sendable (TagUpdate) -> TagUpdate = { $0 }
    var members: @Sendable (MemberUpdate) -> MemberUpdate = { $0 }
    var alias: @Sendable (Alias?) -> Alias? = { $0 }
    var accounts: @Sendable (AccountUpdate) -> AccountUpdate = { $0 }
    var attributes: @Sendable (AttributeUpdate) -> AttributeUpdate = { $0 }
    var phone: @Sendable (PhoneNumber) -> PhoneNumber = { $0 }
    var schedule: @Sendable (Schedule) -> Schedule = { $0 }
    var reported: @Sendable ([MessageID]) -> [MessageID] = { $0 }
    /// Edits every finished request.
    var exchange: @Sendable (inout Part) -> Void = { _ in }

    // Edits of responses.
    var response: @Sendable (inout WireResponse, Feature) -> Void = { _, _ in }
    /// Reads every unreadable response as one of these.
    var fallbacks: [String] = []
    var diagnosis: @Sendable (PushError?, WireResponse) -> PushError? = { error, _ in error }
    var facts: @Sendable (inout ResponseFacts) -> Void = { _ in }

    // Edits of its own description.
    var id: ProviderID = MemoryProvider.id
    var dataCenter: @Sendable (inout DataCenter) -> Void = { _ in }
    var capabilities: @Sendable (inout Capabilities) -> Void = { _ in }
    var roles: @Sendable (inout Roles) -> Void = { _ in }
    var authorize: @Sendable (inout HTTPFields) -> Void = { _ in }
    /// Signs calls of every scope with the same key.
    var signsEverything = false
    /// A text that leaks into its descriptions.
    var leak: String?
    var knows: @Sendable (DocumentedError) -> Bool = { _ in true }

    static let base = MemoryHarness()

    /// An adapter that can only check its credentials. Almost every check gets a refusal with this reason.
    static func bare(reason: String) -> Twin {
        Twin(
            exchange: { $0.charges = [] },
            capabilities: { capabilities in
                for feature in capabilities.support.keys where feature != .probeCredentials {
                    capabilities.support[feature] = .unsupported(reason)
                }
                capabilities.limits = Limits()
                capabilities.quotas = [:]
                capabilities.minimumInterval = [:]
                capabilities.aliasSharing = .unstated
            },
            roles: { roles in
                let probe = roles.probe
                roles = Roles()
                roles.probe = probe
            }, knows: { $0.operation == .probeCredentials })
    }

    /// An adapter for a vendor that takes one target, one tag or one message per request.
    static let narrow = Twin(
        capabilities: { capabilities in
            for limit in [
                LimitKey.devicesPerSend, .devicesPerTagCall, .aliasesPerSend, .accountsPerSend, .tagsPerCall,
                .messagesPerReport,
            ] {
                capabilities.limits[limit] = Limit(1, .count, .split, source: "a vendor with one target a request")
            }
            capabilities.limits[.tagsPerSend] = Limit(1, .count, .reject, source: "one tag an audience")
        })

    /// The part of an exchange that does not depend on its output.
    struct Part {
        var operation: Feature
        var request: WireRequest
        var inputs: [Input]
        var idempotency: Idempotency
        var charges: [QuotaCharge]
        var subject: Subject?
        var tags: Set<Tag>
    }

    func makeProvider(at origin: String) throws(PushError) -> any PushProvider {
        let base = try Self.base.makeProvider(at: origin)
        var center = base.dataCenter
        dataCenter(&center)
        return TwinProvider(base: base, twin: self, dataCenter: center, leak: leak)
    }

    func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator {
        Self.base.makeSimulator(devices: devices)
    }

    func device(_ number: Int) -> VirtualDevice { Self.base.device(number) }
    var secrets: [String] { Self.base.secrets }
    var documentedErrors: [DocumentedError] { Self.base.documentedErrors.filter(knows) }
    func answer(_ error: DocumentedError) -> SimulatedResponse { Self.base.answer(error) }
    var samples: ConformanceSamples { Self.base.samples }
}

struct TwinProvider: PushProvider {
    let base: any PushProvider
    let twin: Twin
    let dataCenter: DataCenter
    let leak: String?

    var id: ProviderID { twin.id }

    var capabilities: Capabilities {
        var capabilities = base.capabilities
        twin.capabilities(&capabilities)
        return capabilities
    }

    var roles: Roles {
        var roles = TwinCalls(base: base.roles, twin: twin).roles
        twin.roles(&roles)
        return roles
    }

    var authorizer: any Authorizer { TwinAuthorizer(base: base.authorizer, twin: twin) }

    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        twin.diagnosis(base.diagnose(response, to: call), response)
    }

    func facts(in response: WireResponse) -> ResponseFacts {
        var facts = base.facts(in: response)
        twin.facts(&facts)
        return facts
    }
}

struct TwinAuthorizer: Authorizer {
    let base: any Authorizer
    let twin: Twin

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        var fields = try base.authorize(request, as: twin.signsEverything ? .app : scope, with: token, at: now)
        twin.authorize(&fields)
        return fields
    }

    func connectionGroup(for scope: CredentialScope) -> String? { base.connectionGroup(for: scope) }
}

/// All calls of the base adapter, with the twin's edits.
struct TwinCalls: Sendable {
    let base: Roles
    let twin: Twin

    private func edit<Output>(
        _ exchange: Exchange<Output>?, tags: Set<Tag> = []
    ) throws(PushError) -> Exchange<Output> {
        guard var exchange else { throw PushError(.unsupported, "the base has no such call") }
        var part = Twin.Part(
            operation: exchange.operation, request: exchange.request, inputs: exchange.inputs,
            idempotency: exchange.idempotency, charges: exchange.charges, subject: exchange.subject, tags: tags)
        twin.exchange(&part)
        exchange.operation = part.operation
        exchange.request = part.request
        exchange.inputs = part.inputs
        exchange.idempotency = part.idempotency
        exchange.charges = part.charges
        exchange.subject = part.subject
        let (decode, operation) = (exchange.decode, exchange.operation)
        exchange.decode = { [twin] (response) throws(PushError) in
            var response = response
            twin.response(&response, operation)
            do throws(PushError) {
                return try decode(response)
            } catch {
                for text in twin.fallbacks {
                    response.body = Array(text.utf8)
                    if let output = try? decode(response) { return output }
                }
                throw error
            }
        }
        return exchange
    }

    var roles: Roles {
        var roles = Roles()
        if let encode = base.send {
            roles.send = { (message, now) throws(PushError) in
                var message = message
                try twin.message(&message)
                let request = try encode(message, now)
                return { (audience, context) throws(PushError) in
                    try edit(try request(twin.audience(audience), context))
                }
            }
        }
        roles.validate = { (message, audience, context) throws(PushError) in
            try edit(try base.validate?(message, audience, context))
        }
        roles.tokens = base.tokens
        if let mint = base.mintKeys {
            roles.mintKeys = { (count, operation) throws(PushError) in try edit(try mint(count, operation)) }
        }
        roles.readDeliveries = { (messages) throws(PushError) in
            try edit(try base.readDeliveries?(twin.reported(messages)))
        }
        roles.probe = { () throws(PushError) in try edit(try base.probe?()) }
        roles.tags.read = { (device) throws(PushError) in try edit(try base.tags.read?(device)) }
        roles.tags.test = { (tag, device) throws(PushError) in try edit(try base.tags.test?(tag, device)) }
        roles.tags.update { (change, device) throws(PushError) in
            var exchange = try edit(try base.tags.update(twin.change(change), of: device), tags: change.elements)
            exchange.operation = change.feature
            return exchange
        }
        roles.tags.changeMembers = { (tag, change) throws(PushError) in
            var exchange = try edit(try base.tags.changeMembers?(tag, twin.members(change)), tags: [tag])
            exchange.operation = change.feature
            return exchange
        }
        roles.alias.read = { (device) throws(PushError) in try edit(try base.alias.read?(device)) }
        roles.alias.set = { (alias, device) throws(PushError) in try set(alias, device) }
        roles.alias.remove = { (device) throws(PushError) in try set(nil, device) }
        roles.alias.devices = { (alias) throws(PushError) in try edit(try base.alias.devices?(alias)) }
        roles.alias.delete = { (alias) throws(PushError) in try edit(try base.alias.delete?(alias)) }
        roles.updateDevice = { (update, device) throws(PushError) in
            var update = update
            update.tags = update.tags.map(twin.change)
            if case .set(let alias) = update.alias { update.alias = twin.alias(alias).map { .set($0) } ?? .clear }
            let tags = update.removedTags.union(update.tags?.elements ?? [])
            return try edit(try base.updateDevice?(update, device), tags: tags)
        }
        roles.phone.read = { (device) throws(PushError) in try edit(try base.phone.read?(device)) }
        roles.phone.set = { (phone, device) throws(PushError) in
            try edit(try base.phone.set?(twin.phone(phone), device))
        }
        roles.phone.remove = { (device) throws(PushError) in try edit(try base.phone.remove?(device)) }
        roles.accounts.read = { (device) throws(PushError) in try edit(try base.accounts.read?(device)) }
        roles.accounts.devices = { (account) throws(PushError) in try edit(try base.accounts.devices?(account)) }
        roles.accounts.update { (change, device) throws(PushError) in
            var exchange = try edit(try base.accounts.update(twin.accounts(change), of: device))
            exchange.operation = change.feature
            return exchange
        }
        roles.attributes.read = { (device) throws(PushError) in try edit(try base.attributes.read?(device)) }
        roles.attributes.update { (change, device) throws(PushError) in
            var exchange = try edit(try base.attributes.update(twin.attributes(change), of: device))
            exchange.operation = change.feature
            return exchange
        }
        roles.schedules.create = { (schedule, key) throws(PushError) in
            try edit(try base.schedules.create?(twin.schedule(schedule), key))
        }
        roles.schedules.read = { (id) throws(PushError) in try edit(try base.schedules.read?(id)) }
        roles.schedules.list = { (page) throws(PushError) in try edit(try base.schedules.list?(page)) }
        roles.schedules.remove = { (id) throws(PushError) in try edit(try base.schedules.remove?(id)) }
        return roles
    }

    private func set(_ alias: Alias?, _ device: DeviceID) throws(PushError) -> Exchange<Void> {
        var exchange: Exchange<Void>
        if let edited = twin.alias(alias) {
            exchange = try edit(try base.alias.set?(edited, device))
        } else {
            exchange = try edit(try base.alias.remove?(device))
        }
        exchange.operation = alias == nil ? .removeAlias : .setAlias
        return exchange
    }
}
