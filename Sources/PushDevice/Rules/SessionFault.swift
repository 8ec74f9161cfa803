public import PushAdapter

/// Why a session refused a call, or how an accepted call failed.
public struct SessionFault: Error, Sendable {
    /// The reason, for programs to act on. Open: more reasons may be added.
    public struct Reason: TextIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The generation or the vendor does not have this call.
        public static let unsupported: Reason = "unsupported"
        /// The service is stopped.
        public static let stopped: Reason = "stopped"
        /// A required value is nil or empty.
        public static let missing: Reason = "missing"
        /// A character that is not allowed, or a text in the wrong format.
        public static let characters: Reason = "characters"
        /// A single text is too long.
        public static let tooLong: Reason = "tooLong"
        /// More items than a call takes.
        public static let tooMany: Reason = "tooMany"
        /// More bytes in total than a call takes.
        public static let tooManyBytes: Reason = "tooManyBytes"
        /// A number outside its range.
        public static let outOfRange: Reason = "outOfRange"
        /// The device is not registered.
        public static let notRegistered: Reason = "notRegistered"
        /// The call comes too early or too late.
        public static let outOfOrder: Reason = "outOfOrder"
        /// Another request of its kind is in flight.
        public static let busy: Reason = "busy"
        /// More calls than the time window allows.
        public static let tooFrequent: Reason = "tooFrequent"
        /// The client refused the call, or the call failed; the error has the details.
        public static let failed: Reason = "failed"
    }

    /// The reason.
    public var reason: Reason
    /// The subject; if the call has several, the one that failed.
    public var subject: SessionSubject
    /// The library's error: kind, effect and advice.
    public var error: PushError

    /// Wraps an error of the library, with its subject.
    public init(_ error: PushError, about subject: SessionSubject) {
        reason = .failed
        self.subject = subject
        self.error = error
    }

    init(
        _ reason: Reason, about subject: SessionSubject, _ kind: PushError.Kind, _ message: String,
        retry: PushError.Retry = .never
    ) {
        self.reason = reason
        self.subject = subject
        error = PushError(kind, message, retry: retry)
    }
}

extension SessionFault: CustomStringConvertible {
    public var description: String { "\(subject), \(reason): \(error)" }
}
