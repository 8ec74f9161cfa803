/// One HTTP request to a vendor and how to read its response: everything that an adapter says about a call.
///
/// It is a value without I/O. The client signs, sends, retries, meters and decodes it; a vendor's extra call is just
/// another exchange for `PushClient.run(_:)`.
public struct Exchange<Output: Sendable>: Sendable {
    /// Behind one reference: each layer of a client copies its exchange.
    private var parts: Boxed<ExchangeParts>

    /// The feature that it uses.
    public var operation: Feature {
        get { parts.value.operation }
        set { parts.value.operation = newValue }
    }
    /// The request to send.
    public var request: WireRequest {
        get { parts.value.request }
        set { parts.value.request = newValue }
    }
    /// The caller's inputs, which the client checks before it sends anything.
    public var inputs: [Input] {
        get { parts.value.inputs }
        set { parts.value.inputs = newValue }
    }
    /// Which key signs the request.
    public var credential: CredentialScope {
        get { parts.value.credential }
        set { parts.value.credential = newValue }
    }
    /// Whether a retry is safe.
    public var idempotency: Idempotency {
        get { parts.value.idempotency }
        set { parts.value.idempotency = newValue }
    }
    /// The units that the request takes from the vendor's quotas. The first is the one that rate headers describe, and
    /// that a refusal means which says that a quota is used up.
    public var charges: [QuotaCharge] {
        get { parts.value.charges }
        set { parts.value.charges = newValue }
    }
    /// The device, alias or tag that the vendor's minimum interval applies to.
    public var subject: Subject? {
        get { parts.value.subject }
        set { parts.value.subject = newValue }
    }
    /// Statuses outside 200 to 299 that mean that the requested state was in place already. `decode` reads such a
    /// response. It must refuse a response that is not the vendor's; the client then diagnoses it as an error.
    public var statusesInPlace: Set<Int> {
        get { parts.value.statusesInPlace }
        set { parts.value.statusesInPlace = newValue }
    }
    /// The most bytes that a response to this request can have. The client does not read a longer one: it judges the
    /// effect by the status alone.
    public var longestResponse: Int {
        get { parts.value.longestResponse }
        set { parts.value.longestResponse = newValue }
    }
    /// Reads a successful response; throws `malformedResponse` if it cannot.
    public var decode: @Sendable (WireResponse) throws(PushError) -> Output

    /// One request for an operation and how to read its response; the app's key signs it by default. The response to a
    /// send, a validation, a probe or a token request has at most 64 KiB. Other responses have as many bytes as the
    /// transport accepts.
    public init(
        _ operation: Feature, _ request: WireRequest, inputs: [Input] = [], credential: CredentialScope = .app,
        idempotency: Idempotency, charges: [QuotaCharge] = [], subject: Subject? = nil,
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) {
        parts = Boxed(
            ExchangeParts(
                operation: operation, request: request, inputs: inputs, credential: credential,
                idempotency: idempotency, charges: charges, subject: subject,
                longestResponse: operation.isAnsweredShortly ? 64 << 10 : .max))
        self.decode = decode
    }

    fileprivate init(
        parts: Boxed<ExchangeParts>, decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) {
        self.parts = parts
        self.decode = decode
    }
}

/// The parts of an exchange besides `decode`. Not generic, because a generic type is looked up at run time.
private struct ExchangeParts: Sendable {
    var operation: Feature
    var request: WireRequest
    var inputs: [Input]
    var credential: CredentialScope
    var idempotency: Idempotency
    var charges: [QuotaCharge]
    var subject: Subject?
    var statusesInPlace: Set<Int> = []
    var longestResponse: Int
}

extension Feature {
    /// Whether the response holds little more than an id or a reason.
    fileprivate var isAnsweredShortly: Bool { [.send, .validate, .probeCredentials, .mintToken].contains(self) }
}

extension Exchange {
    /// The same request with a transformed result.
    public func map<Other>(
        _ transform: @escaping @Sendable (Output) throws(PushError) -> Other
    ) -> Exchange<Other> {
        Exchange<Other>(parts: parts) { [decode] (response) throws(PushError) in try transform(try decode(response)) }
    }
}
