/// A push vendor as the client sees it: its capabilities, the encoding and signing of its requests, and its errors.
///
/// An adapter is a value without I/O, clock, randomness or logging.
public protocol PushProvider: Sendable {
    /// The adapter's name, as used in errors, logs and message options.
    var id: ProviderID { get }
    /// Where the requests go.
    var dataCenter: DataCenter { get }
    /// The vendor's native capabilities, with its limits.
    var capabilities: Capabilities { get }
    /// The calls that the vendor has: a value, not a cast.
    var roles: Roles { get }
    /// Signs the requests; runs on every attempt.
    var authorizer: any Authorizer { get }
    /// The vendor's error in a response to a call, nil for a success. The call has the inputs of its exchange, such as
    /// the targets, for a vendor whose refusal names none.
    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError?
    /// The rate headers and the request id of a response; none by default.
    func facts(in response: WireResponse) -> ResponseFacts
    /// Secrets that requests have to contain, such as the address of a backend for receipts; none by default. Where a
    /// request is shown to people, they are masked.
    var sentSecrets: [Secret] { get }
}

extension PushProvider {
    /// None: the vendor has no rate headers, and its id of a request, if any, is in the body.
    public func facts(in response: WireResponse) -> ResponseFacts { ResponseFacts() }
    /// None.
    public var sentSecrets: [Secret] { [] }
}
