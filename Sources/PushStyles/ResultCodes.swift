public import PushAdapter
public import PushDevice

/// Maps the result codes of the vendors' device SDKs to errors, and back.
///
/// 0 is the only success. A code that is not in the table becomes an unknown error that carries it. Codes from 9001 on
/// are this library's own, for cases where the SDKs have no code.
public enum ResultCodes {
    /// One result code.
    public struct Row: Sendable, Hashable {
        /// The code.
        public var code: Int
        /// The kind of failure.
        public var kind: PushError.Kind
        /// Whether to retry the same call.
        public var retry: Retry
        /// Whether the vendor acted.
        public var effect: PushError.Effect
        /// The meaning, for people.
        public var meaning: String
        /// The calls to which the meaning applies; nil for all.
        public var calls: Set<SessionCall.Kind>?
        /// Where the code comes from.
        public var source: String
    }

    /// Whether to retry the same call.
    public enum Retry: String, Sendable, Hashable {
        /// It fails again until something changes.
        case never
        /// Once: a second failure is not an accident.
        case once
        /// After a while.
        case later
    }

    /// The call succeeded.
    public static let success = 0
    /// The generation or the vendor does not have this call.
    public static let unsupported = 9001

    private static let guide = "JPush iOS SDK guide"
    private static let library = "this library"

    /// Every code of the guides, in order, then this library's own.
    public static let rows: [Row] = [
        row(1005, .unauthorized, "the app key does not exist"),
        row(1008, .unauthorized, "the app key is not valid; compare it with the console"),
        row(1009, .unauthorized, "the app key has no iOS app; add one in the console"),
        row(1011, .noTarget, "no device has the tag or the alias; setting it did not succeed"),
        row(1011, .notRegistered, "the device has no id, as on a phone simulator", calls: [.registration]),
        row(6001, .invalidArgument, "the value to set is nil or empty"),
        row(6002, .timeout, "the call timed out; retry it", retry: .later, effect: .unknown),
        row(6003, .invalidArgument, "the alias has a character that is not allowed"),
        row(6004, .tooLong, "the alias is too long"),
        row(6005, .invalidArgument, "a tag has a character that is not allowed"),
        row(6006, .tooLong, "a tag is too long"),
        row(6007, .limitExceeded, "more tags than a call takes"),
        row(6008, .tooLong, "the tags have more bytes in total than a call takes"),
        row(6009, .unknown, "an unexpected error", retry: .once, effect: .unknown),
        row(6011, .rateLimited, "too many updates in ten seconds", retry: .later),
        row(6012, .stopped, "the service is stopped"),
        row(6013, .deviceClock, "the device's clock is wrong"),
        row(6014, .rateLimited, "the vendor is busy; retry later", retry: .later),
        row(6015, .blocked, "the user is on a block list"),
        row(6016, .notRegistered, "the user is not valid; register the device again"),
        row(6017, .invalidArgument, "the request has something that the vendor does not expect"),
        row(6018, .limitExceeded, "the user has the maximum number of tags; remove some"),
        row(6019, .server, "the tags could not be read", retry: .later),
        row(6020, .server, "the request failed for another reason", retry: .once, effect: .unknown),
        row(6021, .busy, "another request about tags is in flight", retry: .later),
        row(6022, .busy, "another request about the alias is in flight", retry: .later),
        row(6023, .invalidArgument, "the phone number has the wrong format"),
        row(6024, .server, "an internal error of the vendor; retry later", retry: .later, effect: .unknown),
        row(6025, .tooLong, "the phone number is too long"),
        row(unsupported, .unsupported, "the SDK or the vendor does not have this call", source: library),
        row(9002, .cancelled, "the call was cancelled", effect: .unknown, source: library),
        row(9003, .invalidState, "the call is not possible now, or no longer possible", source: library),
        row(9004, .busy, "the vendor asks to wait, or another call is in flight", retry: .later, source: library),
        row(9005, .quotaExhausted, "a daily or contract quota is used up", source: library),
        row(9006, .misconfigured, "a setting of the client is wrong", source: library),
        row(
            9007, .transport, "the connection could not be opened, or it broke", retry: .later, effect: .unknown,
            source: library),
        row(9008, .malformedResponse, "the vendor's response cannot be read", effect: .unknown, source: library),
        row(9009, .tooLong, "a text is too long, but not a tag, alias or phone number", source: library),
        row(9010, .limitExceeded, "a limit is exceeded, but not the limit on tags", source: library),
    ]

    /// The error that a code means for a call; nil for 0. A code that is not in the table becomes an unknown error that
    /// carries it.
    ///
    /// The underlying error is a ``ResultError`` with the code, so that the error leads back to the same code.
    public static func error(for code: Int, of call: SessionCall.Kind? = nil) -> PushError? {
        guard code != success else { return nil }
        var error = meaning(of: code, call)
        error.underlying = ResultError(code: code, error: error)
        return error
    }

    private static func meaning(of code: Int, _ call: SessionCall.Kind?) -> PushError {
        let rows = rows.filter { $0.code == code }
        let own = rows.first { row in row.calls.flatMap { calls in call.map(calls.contains) } ?? false }
        guard let row = own ?? rows.first(where: { $0.calls == nil }) else {
            return PushError(
                .unknown, "the device SDK answered with code \(code), which this library does not know",
                effect: .unknown, vendor: VendorDetail(code: VendorCode(code)))
        }
        return PushError(
            row.kind, row.meaning, retry: row.retry == .never ? .never : .backoff, effect: row.effect,
            vendor: VendorDetail(code: VendorCode(code)))
    }

    /// The code for a fault. Refusals by the session have a code each; for refusals and failures of the client, the
    /// kind and the subject decide.
    public static func code(for fault: SessionFault, of call: SessionCall.Kind? = nil) -> Int {
        guard fault.reason != .failed else { return code(for: fault.error, about: fault.subject, of: call) }
        return refusals[fault.reason]?[fault.subject] ?? refusals[fault.reason]?[nil]
            ?? code(for: fault.error, about: fault.subject, of: call)
    }

    /// The code for an error of the client, in a call about a subject. An error that was made from a code has that code.
    public static func code(
        for error: PushError, about subject: SessionSubject, of call: SessionCall.Kind? = nil
    ) -> Int {
        if let result = error.underlying as? ResultError { return result.code }
        if error.kind == .server, call == .getAllTags || call == .queryTags { return 6019 }
        if error.kind == .notRegistered, call == .registration { return 1011 }
        // The vendor may object to anything in the request.
        if error.kind == .invalidArgument, error.vendor != nil { return 6017 }
        return kinds[error.kind]?[subject] ?? kinds[error.kind]?[nil] ?? 6009
    }

    /// Codes for the session's refusals; nil stands for every other subject.
    private static let refusals: [SessionFault.Reason: [SessionSubject?: Int]] = [
        .stopped: [nil: 6012], .missing: [nil: 6001],
        .characters: [.tags: 6005, .alias: 6003, .phone: 6023],
        .tooLong: [.tags: 6006, .alias: 6004, .phone: 6025],
        .tooMany: [.tags: 6007], .tooManyBytes: [.tags: 6008],
        .busy: [.tags: 6021, .alias: 6022], .tooFrequent: [nil: 6011],
    ]

    /// Codes for the client's refusals and failures; nil stands for every other subject.
    private static let kinds: [PushError.Kind: [SessionSubject?: Int]] = [
        .invalidArgument: [.tags: 6005, .alias: 6003, .phone: 6023, nil: 6017],
        .tooLong: [.tags: 6006, .alias: 6004, .phone: 6025, nil: 9009],
        .limitExceeded: [.tags: 6018, nil: 9010],
        .timeout: [nil: 6002], .stopped: [nil: 6012], .deviceClock: [nil: 6013], .rateLimited: [nil: 6014],
        .blocked: [nil: 6015], .notRegistered: [nil: 6016], .server: [nil: 6024], .unauthorized: [nil: 1008],
        .noTarget: [nil: 1011], .unsupported: [nil: unsupported], .cancelled: [nil: 9002], .invalidState: [nil: 9003],
        .busy: [nil: 9004], .quotaExhausted: [nil: 9005], .misconfigured: [nil: 9006], .transport: [nil: 9007],
        .malformedResponse: [nil: 9008], .unknown: [nil: 6009],
    ]

    private static func row(
        _ code: Int, _ kind: PushError.Kind, _ meaning: String, retry: Retry = .never,
        effect: PushError.Effect = .notApplied, calls: Set<SessionCall.Kind>? = nil, source: String = guide
    ) -> Row {
        Row(
            code: code, kind: kind, retry: retry, effect: effect, meaning: meaning, calls: calls, source: source)
    }
}
