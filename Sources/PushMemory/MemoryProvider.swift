import FoundationEssentials
public import PushAdapter
public import PushSimulation

/// A provider whose vendor, ``MemoryVendor``, lives in this process and supports everything in the model.
///
/// For a backend's own unit tests, and as the reference of the conformance kit: it has no quirks of real vendors.
///
/// ```swift
/// let vendor = MemoryVendor(key: Secret("test"), devices: [VirtualDevice("phone-1", .ios)])
/// let client = PushClient(MemoryProvider(key: Secret("test")), transport: InProcessTransport(SimulatorHost(vendor)))
/// ```
public struct MemoryProvider: PushProvider {
    /// The name of the adapter: `memory`.
    public static let id: ProviderID = "memory"

    /// The vendor's only data center: version 1 of its API at the origin.
    public let dataCenter: DataCenter
    public let authorizer: any Authorizer
    /// The vendor's capabilities; narrow them to see how a backend copes.
    public var capabilities = MemoryLimits.capabilities
    private let makesKeys: Bool
    /// The address of each device; nil if all have the vendor's.
    var address: Addressing?

    /// A provider that signs with the vendor's key.
    /// - Parameters:
    ///   - key: the vendor's.
    ///   - origin: where the vendor is; by default in this process.
    ///   - makesKeys: false for a vendor that accepts the caller's idempotency keys and creates none.
    public init(key: Secret, origin: String = InProcessTransport.origin, makesKeys: Bool = true) {
        dataCenter = DataCenter("memory", services: [.memory: origin + "/v1"])
        authorizer = MemoryAuthorizer(key: key)
        self.makesKeys = makesKeys
        capabilities.declare(roles)
        guard !makesKeys else { return }
        capabilities.support[.mintKeys] = .unsupported("the caller creates the keys")
        capabilities.callerKeys = [.push: KeyMemory(.seconds(86_400), source: MemoryLimits.source)]
    }

    /// The name of the adapter, the same for all its values.
    public var id: ProviderID { Self.id }

    public var roles: Roles {
        var roles = Roles()
        roles.send = encode
        roles.tokens = address == nil ? nil : Self.tokens
        roles.validate = { (message, audience, _) throws(PushError) in try validate(message, to: audience) }
        roles.mintKeys = makesKeys ? mintKeys : nil
        roles.probe = probe
        roles.readDeliveries = readDeliveries
        roles.tags.read = readTags
        roles.tags.test = testTag
        roles.tags.update(by: updateTags)
        roles.tags.changeMembers = changeMembers
        roles.alias.read = readAlias
        roles.alias.set = setAlias
        roles.alias.remove = removeAlias
        roles.alias.devices = readDevices
        roles.alias.delete = deleteAlias
        roles.updateDevice = updateDevice
        roles.phone.read = readPhone
        roles.phone.set = setPhone
        roles.phone.remove = removePhone
        roles.accounts.read = readAccounts
        roles.accounts.devices = readDevices
        roles.accounts.update(by: updateAccounts)
        roles.attributes.read = readAttributes
        roles.attributes.update(by: updateAttributes)
        roles.schedules.create = createSchedule
        roles.schedules.read = readSchedule
        roles.schedules.list = listSchedules
        roles.schedules.remove = removeSchedule
        return roles
    }

    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        if response.status == MemoryRefusal.Code.crowded.status, response.body.isEmpty {
            return error(.crowded, VendorDetail(httpStatus: response.status), response)
        }
        guard !response.isSuccess || response.body.contains(Array("\"code\"".utf8)),
            let refusal = try? response.json(MemoryRefusal.self)
        else { return response.isSuccess ? nil : PushError(unexplained: response) }
        let detail = VendorDetail(
            code: VendorCode(refusal.code), message: refusal.message, httpStatus: response.status, body: response.body)
        guard let known = MemoryRefusal.Code(rawValue: refusal.code) else {
            var error = PushError(unexplained: response)
            error.kind = .unknown
            error.message = "the memory vendor answered with an unknown code"
            error.vendor = detail
            return error
        }
        return error(known, detail, response)
    }

    private func error(_ code: MemoryRefusal.Code, _ detail: VendorDetail, _ response: WireResponse) -> PushError {
        PushError(code.errorRow, detail, of: "memory", in: response)
    }

    public func facts(in response: WireResponse) -> ResponseFacts {
        let reset = MemoryHeader.reset.flatMap { response.headers[$0] }.flatMap { Int($0) }
        return ResponseFacts(
            requestID: MemoryHeader.requestID.flatMap { response.headers[$0] },
            rate: reset.map { RateFacts(remaining: 0, reset: .seconds($0)) })
    }
}

extension ServiceName {
    static let memory: ServiceName = "memory"
}

/// The key, and the time of the request: the vendor refuses requests older than five minutes.
struct MemoryAuthorizer: Authorizer {
    let key: Secret

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        let proof = try proof(scope, token)
        let text = proof.withBytes { String(decoding: $0, as: UTF8.self) }
        var field = HTTPField(name: .authorization, value: "Memory \(Int(now.timeIntervalSince1970)):\(text)")
        field.indexingStrategy = .disallow
        return HTTPFields([field])
    }

    private func proof(_ scope: CredentialScope, _ token: AccessToken?) throws(PushError) -> Secret {
        switch (scope, token) {
        case (.app, _): key
        case (.origin, let token?): MemoryProvider.proof(key, token.value)
        default: throw PushError(.misconfigured, "the memory vendor has only app keys, none for a \(scope.name)")
        }
    }
}

enum MemoryHeader {
    static let requestID = HTTPField.Name("X-Request-Id")
    static let reset = HTTPField.Name("X-Rate-Reset")
}
