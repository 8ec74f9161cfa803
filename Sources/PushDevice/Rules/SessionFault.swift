public import PushCore

/// Why a session refused a call, or what became of one that it let through.
public struct SessionFault: Error, Sendable {
    /// What somebody's program reacts to. Open: a session may have one more reason.
    public struct Reason: TextIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The generation or the vendor has no such call.
        public static let unsupported: Reason = "unsupported"
        /// The service is stopped.
        public static let stopped: Reason = "stopped"
        /// What the call is about is nil or empty.
        public static let missing: Reason = "missing"
        /// A character that is not allowed, or a text in another form.
        public static let characters: Reason = "characters"
        /// One text that is too long.
        public static let tooLong: Reason = "tooLong"
        /// More of something than a call takes.
        public static let tooMany: Reason = "tooMany"
        /// More bytes together than a call takes.
        public static let tooManyBytes: Reason = "tooManyBytes"
        /// A number outside its range.
        public static let outOfRange: Reason = "outOfRange"
        /// The device is not registered.
        public static let notRegistered: Reason = "notRegistered"
        /// The call comes too early or too late.
        public static let outOfOrder: Reason = "outOfOrder"
        /// Another request of its kind is under way.
        public static let busy: Reason = "busy"
        /// More settings than the span of time allows.
        public static let tooFrequent: Reason = "tooFrequent"
        /// The client refused it or it got that far; the error says what became of it.
        public static let failed: Reason = "failed"
    }

    /// Why.
    public var reason: Reason
    /// What it is about: of a call about several things, the one that failed.
    public var subject: SessionSubject
    /// The same in the words of the library: kind, effect and advice.
    public var error: PushError

    /// A failure of the library, about something.
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
