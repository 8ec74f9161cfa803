import FoundationEssentials
import PushConformance
import PushCore
import PushSimulation

/// The memory adapter with one thing wrong.
struct Twin: ConformanceHarness {
    // What it makes of its inputs.
    var message: @Sendable (inout Message) throws(PushError) -> Void = { (_) throws(PushError) in }
    var audience: @Sendable (Audience) -> Audience = { $0 }
    var change: @Sendable (TagUpdate) -> TagUpdate = { $0 }
    var alias: @Sendable (Alias?) -> Alias? = { $0 }
    var accounts: @Sendable (AccountUpdate) -> AccountUpdate = { $0 }
    var attributes: @Sendable (AttributeUpdate) -> AttributeUpdate = { $0 }
    var phone: @Sendable (PhoneNumber) -> PhoneNumber = { $0 }
    var schedule: @Sendable (Schedule) -> Schedule = { $0 }
    var reported: @Sendable ([MessageID]) -> [MessageID] = { $0 }
    /// Edits every request after it was made.
    var exchange: @Sendable (inout Part) -> Void = { _ in }

    // What it makes of answers.
    var response: @Sendable (inout WireResponse, Feature) -> Void = { _, _ in }
    /// Takes any answer that cannot be read for one of these.
    var fallbacks: [String] = []
    var diagnosis: @Sendable (PushError?, WireResponse) -> PushError? = { error, _ in error }
    var facts: @Sendable (inout ResponseFacts) -> Void = { _ in }

    // What it says of itself.
    var id: ProviderID = MemoryProvider.id
    var dataCenter: @Sendable (inout DataCenter) -> Void = { _ in }
    var capabilities: @Sendable (inout Capabilities) -> Void = { _ in }
    var roles: @Sendable (inout Roles) -> Void = { _ in }
    var authorize: @Sendable (inout HTTPFields) -> Void = { _ in }
    /// Signs calls of every scope with the same key.
    var signsEverything = false
    /// A text that its descriptions show.
    var leak: String?
    var knows: @Sendable (DocumentedError) -> Bool = { _ in true }

    static let base = MemoryHarness()

    /// An adapter that can do no more than check its credentials: of almost every check it meets the refusing body.
    static func bare(reason: String) -> Twin {
        Twin(
            exchange: { $0.charges = [] },
            capabilities: { capabilities in
                for feature in capabilities.support.keys where feature != .probeCredentials {
                    capabilities.support[feature] = .unsupported(reason)
                }
                capabilities.limits = Limits()
                capabilities.quotas = [:]
                capabilities.pace = [:]
                capabilities.aliasSharing = .unstated
            },
            roles: { $0 = Roles(probing: $0.probing) }, knows: { $0.operation == .probeCredentials })
    }

    /// The part of an exchange that does not depend on its output.
    struct Part {
        var operation: Feature
        var request: WireRequest
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
        let role = TwinRole(roles: base.roles, twin: twin)
        var roles = Roles(
            sending: role, validating: role, keyMinting: role, tagging: role, aliasing: role, aliasDeleting: role,
            phoneBinding: role, accountBinding: role, attributing: role, scheduling: role, reporting: role,
            probing: role)
        twin.roles(&roles)
        return roles
    }

    var authorizer: any Authorizer { TwinAuthorizer(base: base.authorizer, twin: twin) }

    func diagnose(_ response: WireResponse, to request: WireRequest, for operation: Feature) -> PushError? {
        twin.diagnosis(base.diagnose(response, to: request, for: operation), response)
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

    func authorize(_ request: WireRequest, as scope: CredentialScope, at now: Date) throws(PushError) -> HTTPFields {
        var fields = try base.authorize(request, as: twin.signsEverything ? .app : scope, at: now)
        twin.authorize(&fields)
        return fields
    }
}

/// Every role of the base, with the twin's edits.
struct TwinRole: MessageSending, MessageValidating, KeyMinting, DeviceTagging, DeviceAliasing, AliasDeleting,
    PhoneBinding,
    AccountBinding, DeviceAttributing, MessageScheduling, DeliveryReporting, CredentialProbing
{
    let roles: Roles
    let twin: Twin

    private func edit<Output>(
        _ exchange: Exchange<Output>?, tags: Set<Tag> = []
    ) throws(PushError) -> Exchange<Output> {
        guard var exchange else { throw PushError(.unsupported, "the base has no such role") }
        var part = Twin.Part(
            operation: exchange.operation, request: exchange.request, idempotency: exchange.idempotency,
            charges: exchange.charges, subject: exchange.subject, tags: tags)
        twin.exchange(&part)
        exchange.operation = part.operation
        exchange.request = part.request
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

    func send(
        _ message: Message, to audience: Audience, key: IdempotencyKey?
    ) throws(PushError) -> Exchange<SendReceipt> {
        var message = message
        try twin.message(&message)
        return try edit(try roles.sending?.send(message, to: twin.audience(audience), key: key))
    }

    func validate(_ message: Message, to audience: Audience) throws(PushError) -> Exchange<SendReceipt> {
        try edit(try roles.validating?.validate(message, to: audience))
    }

    func mintKeys(_ count: Int, for operation: Feature) throws(PushError) -> Exchange<[IdempotencyKey]> {
        try edit(try roles.keyMinting?.mintKeys(count, for: operation))
    }

    func readTags(of device: DeviceID) throws(PushError) -> Exchange<Set<Tag>> {
        try edit(try roles.tagging?.readTags(of: device))
    }

    func updateTags(_ change: TagUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        var exchange = try edit(try roles.tagging?.updateTags(twin.change(change), of: device), tags: change.tags)
        exchange.operation = change.feature
        return exchange
    }

    func testTag(_ tag: Tag, of device: DeviceID) throws(PushError) -> Exchange<Bool> {
        try edit(try roles.tagging?.testTag(tag, of: device))
    }

    func readAlias(of device: DeviceID) throws(PushError) -> Exchange<Alias?> {
        try edit(try roles.aliasing?.readAlias(of: device))
    }

    func setAlias(_ alias: Alias?, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        var exchange = try edit(try roles.aliasing?.setAlias(twin.alias(alias), of: device))
        exchange.operation = alias == nil ? .removeAlias : .setAlias
        return exchange
    }

    func readDevices(of alias: Alias) throws(PushError) -> Exchange<Set<DeviceID>> {
        try edit(try roles.aliasDeleting?.readDevices(of: alias))
    }

    func deleteAlias(_ alias: Alias) throws(PushError) -> Exchange<Void> {
        try edit(try roles.aliasDeleting?.deleteAlias(alias))
    }

    func readPhone(of device: DeviceID) throws(PushError) -> Exchange<PhoneNumber?> {
        try edit(try roles.phoneBinding?.readPhone(of: device))
    }

    func setPhone(_ phone: PhoneNumber?, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try edit(try roles.phoneBinding?.setPhone(phone.map(twin.phone), of: device))
    }

    func readAccounts(of device: DeviceID) throws(PushError) -> Exchange<Set<Account>> {
        try edit(try roles.accountBinding?.readAccounts(of: device))
    }

    func readDevices(of account: Account) throws(PushError) -> Exchange<Set<DeviceID>> {
        try edit(try roles.accountBinding?.readDevices(of: account))
    }

    func updateAccounts(_ change: AccountUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        var exchange = try edit(try roles.accountBinding?.updateAccounts(twin.accounts(change), of: device))
        exchange.operation = change.feature
        return exchange
    }

    func readAttributes(of device: DeviceID) throws(PushError) -> Exchange<[String: String]> {
        try edit(try roles.attributing?.readAttributes(of: device))
    }

    func updateAttributes(
        _ change: AttributeUpdate, of device: DeviceID
    ) throws(PushError) -> Exchange<AttributeReceipt> {
        var exchange = try edit(try roles.attributing?.updateAttributes(twin.attributes(change), of: device))
        exchange.operation = change.feature
        return exchange
    }

    func createSchedule(_ schedule: Schedule, key: IdempotencyKey?) throws(PushError) -> Exchange<ScheduleID> {
        try edit(try roles.scheduling?.createSchedule(twin.schedule(schedule), key: key))
    }

    func readSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<ScheduleStatus> {
        try edit(try roles.scheduling?.readSchedule(id))
    }

    func listSchedules(page: Int) throws(PushError) -> Exchange<Page<ScheduleStatus>> {
        try edit(try roles.scheduling?.listSchedules(page: page))
    }

    func removeSchedule(_ id: ScheduleID) throws(PushError) -> Exchange<Void> {
        try edit(try roles.scheduling?.removeSchedule(id))
    }

    func readDeliveries(of messages: [MessageID]) throws(PushError) -> Exchange<[DeliveryReport]> {
        try edit(try roles.reporting?.readDeliveries(of: twin.reported(messages)))
    }

    func probe() throws(PushError) -> Exchange<Void> { try edit(try roles.probing?.probe()) }
}
