/// One HTTP request to a vendor and how to read its response: everything that an adapter says about a call.
///
/// It is a value without I/O. The client signs, sends, retries, meters and decodes it; a vendor's extra call is just
/// another exchange for `PushClient.run(_:)`.
public struct Exchange<Output: Sendable>: Sendable {
    /// The feature that it uses.
    public var operation: Feature
    /// The request to send.
    public var request: WireRequest
    /// The caller's inputs, which the client checks before it sends anything.
    public var inputs: [Input]
    /// Which key signs the request.
    public var credential: CredentialScope
    /// What a retry would do.
    public var idempotency: Idempotency
    /// What the request takes from the vendor's quotas.
    public var charges: [QuotaCharge]
    /// The device, alias or tag that the vendor's minimum interval applies to.
    public var subject: Subject?
    /// Statuses outside 200 to 299 that say that what the request asks for was in place already. The client does not
    /// diagnose such a response; `decode` reads it and must refuse one that is not the vendor's.
    public var statusesInPlace: Set<Int> = []
    /// Reads a successful response; throws `malformedResponse` for one that cannot be read.
    public var decode: @Sendable (WireResponse) throws(PushError) -> Output

    /// One request for an operation and how to read its response; signed with the app's key by default.
    public init(
        _ operation: Feature, _ request: WireRequest, inputs: [Input] = [], credential: CredentialScope = .app,
        idempotency: Idempotency, charges: [QuotaCharge] = [], subject: Subject? = nil,
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) {
        self.operation = operation
        self.request = request
        self.inputs = inputs
        self.credential = credential
        self.idempotency = idempotency
        self.charges = charges
        self.subject = subject
        self.decode = decode
    }
}

extension Exchange {
    /// The same request with a transformed result.
    public func map<Other>(
        _ transform: @escaping @Sendable (Output) throws(PushError) -> Other
    ) -> Exchange<Other> {
        let decode = decode
        var other = Exchange<Other>(
            operation, request, inputs: inputs, credential: credential, idempotency: idempotency, charges: charges,
            subject: subject
        ) { (response) throws(PushError) in try transform(try decode(response)) }
        other.statusesInPlace = statusesInPlace
        return other
    }
}
