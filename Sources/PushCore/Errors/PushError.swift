/// The library's only error type: what happened, whether the vendor acted, and whether to retry.
///
/// `kind`, `retry` and `effect` are for programs. `message` is for people and never holds a secret, a token or a
/// payload. The description leaves out the vendor's body; read `vendor` for it.
public struct PushError: Error, Sendable {
    /// Behind one reference, so that a throw moves one word.
    private var parts: Boxed<Parts>

    /// An error of this kind; by default, nothing was done and a retry cannot help.
    public init(
        _ kind: Kind, _ message: String, retry: Retry = .never, effect: Effect = .notApplied,
        operation: Feature? = nil, vendor: VendorDetail? = nil, report: SendReport? = nil,
        underlying: (any Error)? = nil
    ) {
        parts = Boxed(
            Parts(
                kind: kind, message: message, retry: retry, effect: effect, operation: operation, vendor: vendor,
                report: report, underlying: underlying))
    }

    /// For programs: the kind of the failure.
    public var kind: Kind {
        get { parts.value.kind }
        set { parts.value.kind = newValue }
    }
    /// For people: what happened, to what, what to do. Never match on it.
    public var message: String {
        get { parts.value.message }
        set { parts.value.message = newValue }
    }
    /// Whether a retry can help.
    public var retry: Retry {
        get { parts.value.retry }
        set { parts.value.retry = newValue }
    }
    /// Whether the vendor acted.
    public var effect: Effect {
        get { parts.value.effect }
        set { parts.value.effect = newValue }
    }
    /// The feature that was used.
    public var operation: Feature? {
        get { parts.value.operation }
        set { parts.value.operation = newValue }
    }
    /// The details of the vendor's response, if there was one.
    public var vendor: VendorDetail? {
        get { parts.value.vendor }
        set { parts.value.vendor = newValue }
    }
    /// The report of a send, if the vendor accepted none of it.
    public var report: SendReport? {
        get { parts.value.report }
        set { parts.value.report = newValue }
    }
    /// The underlying error, from the operating system or a library.
    public var underlying: (any Error)? {
        get { parts.value.underlying }
        set { parts.value.underlying = newValue }
    }

    private struct Parts: Sendable {
        var kind: Kind
        var message: String
        var retry: Retry
        var effect: Effect
        var operation: Feature?
        var vendor: VendorDetail?
        var report: SendReport?
        var underlying: (any Error)?
    }
}

extension PushError {
    /// The kind of a failure, as one of the library's words. Open: an adapter may add a kind.
    public struct Kind: TextIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An input is wrong: empty, malformed, contradictory.
        public static let invalidArgument: Kind = "invalidArgument"
        /// A text or a message has too many bytes or characters.
        public static let tooLong: Kind = "tooLong"
        /// There are too many of something.
        public static let limitExceeded: Kind = "limitExceeded"
        /// The provider cannot do it, or the caller did not accept the loss of an emulation.
        public static let unsupported: Kind = "unsupported"
        /// The call is not possible now, or no longer possible.
        public static let invalidState: Kind = "invalidState"
        /// The device has no id yet.
        public static let notRegistered: Kind = "notRegistered"
        /// The client, the transport or the service was shut down.
        public static let stopped: Kind = "stopped"
        /// The caller has to wait, for the vendor or for another call.
        public static let busy: Kind = "busy"
        /// Too many calls in too short a time.
        public static let rateLimited: Kind = "rateLimited"
        /// A daily quota or a contract's quota is used up.
        public static let quotaExhausted: Kind = "quotaExhausted"
        /// The credentials are wrong or missing.
        public static let unauthorized: Kind = "unauthorized"
        /// The vendor blocks this app or this machine.
        public static let blocked: Kind = "blocked"
        /// A setting is wrong: address, data center, app key, file.
        public static let misconfigured: Kind = "misconfigured"
        /// No device matches the audience.
        public static let noTarget: Kind = "noTarget"
        /// A device's clock is wrong.
        public static let deviceClock: Kind = "deviceClock"
        /// The vendor failed internally, or something in front of it failed.
        public static let server: Kind = "server"
        /// No response arrived in time.
        public static let timeout: Kind = "timeout"
        /// The connection could not be opened, or it broke.
        public static let transport: Kind = "transport"
        /// The response cannot be read.
        public static let malformedResponse: Kind = "malformedResponse"
        /// The route's circuit breaker is open: the route gave no answer often in a row, so this request was not sent.
        public static let circuitOpen: Kind = "circuitOpen"
        /// The task was cancelled.
        public static let cancelled: Kind = "cancelled"
        /// The vendor returned something that this library does not know; its code is in `vendor`.
        public static let unknown: Kind = "unknown"
    }

    /// Whether a retry of the same call can help.
    public enum Retry: Sendable, Hashable {
        /// The same call fails again until something changes.
        case never
        /// Retry after a backoff that grows with each attempt.
        case backoff
        /// Retry after this time: the vendor's, at most an hour, or until a used up quota is whole again, at most eleven
        /// days, or the remaining wait of a quota or a policy. Zero comes only from a transport: the server did not
        /// process the request, and the retry takes nothing from the budget.
        case after(Duration)
        /// Retry with a new access token. The client gets the token and retries once.
        case afterRenewal
        /// The client retried as often as the policy allows.
        case exhausted

        /// Whether another attempt is worthwhile.
        public var isAdvised: Bool {
            switch self {
            case .backoff, .after, .afterRenewal: true
            case .never, .exhausted: false
            }
        }
    }

    /// Whether the vendor acted on the request.
    public enum Effect: String, Sendable, Hashable, Codable {
        /// Nothing was done: the request was refused, or no byte of it left this machine.
        case notApplied
        /// It is unknown: the response was lost or unreadable, or the vendor failed internally.
        case unknown
        /// The vendor acted, although the call failed.
        case applied
    }
}

extension PushError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        var text = "\(kind): \(message)"
        var facts: [String] = []
        if let operation { facts.append("operation \(operation)") }
        if let code = vendor?.code { facts.append("vendor code \(code)") }
        if let status = vendor?.httpStatus { facts.append("HTTP \(status)") }
        if let id = vendor?.requestID { facts.append("request \(id)") }
        facts.append("effect \(effect.rawValue)")
        text += " (" + facts.joined(separator: ", ") + ")"
        return text
    }

    public var debugDescription: String { description }
    /// A dump shows only the description, so bodies and reports stay out of crash logs.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
