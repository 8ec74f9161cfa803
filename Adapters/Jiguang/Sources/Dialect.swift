package import PushAdapter

/// One vendor's way of speaking Jiguang's API. JPush and EngageLab share the code of this target, and each passes here
/// the values in which it differs.
package struct Dialect: Sendable {
    /// The vendor's id, in refusals of message fields.
    package let provider: ProviderID
    /// The vendor's name, in errors.
    package let name: String
    /// The service that has every family of the API; nil if each family is a service of its own.
    package let service: ServiceName?
    /// The quota that a call to a service is charged to.
    package let bucket: @Sendable (ServiceName) -> QuotaBucket
    /// Reads the response to a successful write.
    package let done: @Sendable (WireResponse) throws(PushError) -> Void
    /// The message fields that the encoder writes.
    package let fields: Set<MessageField>
    /// The vendor's words for platforms, sorted.
    package let platformNames: @Sendable (Set<Platform>) throws(PushError) -> [Platform]
    /// The text of a refusal: a number's name, the number, and the range that the vendor takes.
    package let outOfRange: @Sendable (String, Int, ClosedRange<Int>) -> String

    package init(
        _ provider: ProviderID, _ name: String, service: ServiceName? = nil,
        bucket: @escaping @Sendable (ServiceName) -> QuotaBucket,
        done: @escaping @Sendable (WireResponse) throws(PushError) -> Void, fields: Set<MessageField>,
        platformNames: @escaping @Sendable (Set<Platform>) throws(PushError) -> [Platform],
        outOfRange: @escaping @Sendable (String, Int, ClosedRange<Int>) -> String
    ) {
        (self.provider, self.name, self.service, self.bucket) = (provider, name, service, bucket)
        (self.done, self.fields, self.platformNames, self.outOfRange) = (done, fields, platformNames, outOfRange)
    }

    /// A request to a family of the API: `devices`, `tags`, `aliases` or `schedules`.
    package func request(
        _ method: HTTPRequest.Method, _ family: String, _ path: [PathSegment] = [], query: [QueryItem] = [],
        body: WireBody = .none
    ) -> WireRequest {
        WireRequest(
            method, service ?? ServiceName(rawValue: family),
            path: (service == nil ? [] : [.literal(family)]) + path, query: query, body: body)
    }

    /// Creates an exchange for one of the vendor's calls, charged to the quota of its service.
    package func call<Output>(
        _ operation: Feature, _ request: WireRequest, _ idempotency: Idempotency = .idempotent, cost: Int = 1,
        as credential: CredentialScope = .app, of device: DeviceID? = nil, checking inputs: [Input] = [],
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) -> Exchange<Output> {
        Exchange(
            operation, request, inputs: inputs + (device.map { [.devices([$0])] } ?? []), credential: credential,
            idempotency: idempotency, charges: [QuotaCharge(bucket(request.service), cost: cost)],
            subject: device.map(Subject.device), decode: decode)
    }
}

extension WireBody {
    package static func json(_ value: JSONValue) -> WireBody { .json(JSONWriter.bytes(of: value)) }
}

extension WireResponse {
    /// The error for a successful response that cannot be read.
    package func malformed(_ text: String, retry: PushError.Retry = .backoff) -> PushError {
        PushError(
            .malformedResponse, "the response \(text)", retry: retry, effect: .unknown,
            vendor: VendorDetail(httpStatus: status, body: body))
    }
}

extension IdempotencyKey? {
    /// Refuses a key for another kind of request.
    package func check(_ kind: KeyedRequest) throws(PushError) {
        guard let key = self, key.kind != kind else { return }
        throw PushError(
            .invalidArgument,
            "a \(kind.rawValue) needs a key of kind \(kind.rawValue); this one is for a \(key.kind.rawValue)")
    }
}
