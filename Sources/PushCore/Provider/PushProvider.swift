/// A push vendor as the client sees it: what it can do, who encodes it, who signs it, what its errors mean.
///
/// An adapter is a value without I/O, clock, randomness or logging.
public protocol PushProvider: Sendable {
    /// The adapter's name, as errors, logs and the options of a message use it.
    var id: ProviderID { get }
    /// Where the requests go.
    var dataCenter: DataCenter { get }
    /// What the vendor does natively, with its limits.
    var capabilities: Capabilities { get }
    /// Who implements it: a value, not a cast.
    var roles: Roles { get }
    /// Runs on every attempt.
    var authorizer: any Authorizer { get }
    /// The vendor's error in a response, nil for a success.
    func diagnose(_ response: WireResponse, to request: WireRequest, for operation: Feature) -> PushError?
    /// Rate headers and request id.
    func facts(in response: WireResponse) -> ResponseFacts
}
