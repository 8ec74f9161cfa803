public import PushCore
public import PushDevice

/// The numbers that the vendors' device SDKs answer with, and what they mean here; both ways.
///
/// 0 is the only success. A number that is not in the table stays as it is: an unknown error that carries it. From 9001
/// on are the numbers of this library, for what the SDKs have none for.
public enum ResultCodes {
    /// One number.
    public struct Row: Sendable, Hashable {
        /// The number.
        public var code: Int
        /// What kind of failure it is.
        public var kind: PushError.Kind
        /// Whether to make the same call again.
        public var retry: Retry
        /// Whether the vendor acted.
        public var effect: PushError.Effect
        /// For people.
        public var meaning: String
        /// The calls that the meaning is for; nil for all.
        public var calls: Set<SessionCall.Kind>?
        /// Where the number comes from.
        public var source: String
    }

    /// Whether to make the same call again.
    public enum Retry: String, Sendable, Hashable {
        /// It fails again until something changes.
        case never
        /// Once: a second failure is no accident.
        case once
        /// After a while.
        case later
    }

    /// The call succeeded.
    public static let success = 0
    /// The generation or the vendor has no such call.
    public static let unsupported = 9001

    private static let guide = "JPush iOS SDK guide"
    private static let library = "this library"

    /// Every number of the guides, in order, and then those of this library.
    public static let rows: [Row] = [
        row(1005, .unauthorized, "there is no such app key"),
        row(1008, .unauthorized, "the app key is not valid; compare it with the console"),
        row(1009, .unauthorized, "the app key has no app for iOS; add it in the console"),
        row(1011, .noTarget, "nobody has the tag or the alias: setting it has not succeeded"),
        row(1011, .notRegistered, "the device has no id, as on a phone's simulator", calls: [.registration]),
        row(6001, .invalidArgument, "what is to be set is nil or empty"),
        row(6002, .timeout, "the call timed out; make it again", retry: .later, effect: .unknown),
        row(6003, .invalidArgument, "a character that an alias cannot have"),
        row(6004, .tooLong, "an alias that is too long"),
        row(6005, .invalidArgument, "a character that a tag cannot have"),
        row(6006, .tooLong, "a tag that is too long"),
        row(6007, .limitExceeded, "more tags than a call takes"),
        row(6008, .tooLong, "tags with more bytes together than a call takes"),
        row(6009, .unknown, "an error that nobody expected", retry: .once, effect: .unknown),
        row(6011, .rateLimited, "too many settings in ten seconds", retry: .later),
        row(6012, .stopped, "the service is stopped"),
        row(6013, .deviceClock, "the device's clock is wrong"),
        row(6014, .rateLimited, "the vendor is busy; make the call again later", retry: .later),
        row(6015, .blocked, "the user is on a list of those refused"),
        row(6016, .notRegistered, "the user is not valid; register the device again"),
        row(6017, .invalidArgument, "the request has something in it that the vendor does not expect"),
        row(6018, .limitExceeded, "the user has as many tags as there may be; take some off"),
        row(6019, .server, "the tags could not be read", retry: .later),
        row(6020, .server, "the request failed for a reason of its own", retry: .once, effect: .unknown),
        row(6021, .busy, "another request about tags is under way", retry: .later),
        row(6022, .busy, "another request about the alias is under way", retry: .later),
        row(6023, .invalidArgument, "a phone number in another form"),
        row(6024, .server, "an error inside the vendor; make the call again later", retry: .later, effect: .unknown),
        row(6025, .tooLong, "a phone number that is too long"),
        row(unsupported, .unsupported, "the SDK or the vendor has no such call", source: library),
        row(9002, .cancelled, "the call was given up", effect: .unknown, source: library),
        row(9003, .invalidState, "it cannot be done now, or not any more", source: library),
        row(9004, .busy, "the vendor asks for patience, or another call is at it", retry: .later, source: library),
        row(9005, .quotaExhausted, "a quota of a day or a contract is used up", source: library),
        row(9006, .misconfigured, "a setting of the client is wrong", source: library),
        row(
            9007, .transport, "the connection could not be made, or broke", retry: .later, effect: .unknown,
            source: library),
        row(9008, .malformedResponse, "the vendor's answer cannot be read", effect: .unknown, source: library),
        row(9009, .tooLong, "a text that is too long and neither tag, alias nor phone number", source: library),
        row(9010, .limitExceeded, "more of something than there may be, and not of tags", source: library),
    ]

    /// What a number means for a call; nil for 0. One that is not in the table is unknown, and the error carries it.
    public static func error(for code: Int, of call: SessionCall.Kind? = nil) -> PushError? {
        guard code != success else { return nil }
        let rows = rows.filter { $0.code == code }
        let own = rows.first { row in row.calls.flatMap { calls in call.map(calls.contains) } ?? false }
        guard let row = own ?? rows.first(where: { $0.calls == nil }) else {
            return PushError(
                .unknown, "the device SDK's number \(code), which this library does not know", effect: .unknown,
                vendor: VendorDetail(code: code))
        }
        return PushError(
            row.kind, row.meaning, retry: row.retry == .never ? .never : .backoff, effect: row.effect,
            vendor: VendorDetail(code: code))
    }

    /// The number of a fault: what a session refuses has one each; of what the client refused or failed at, the kind
    /// and the subject decide.
    public static func code(for fault: SessionFault, of call: SessionCall.Kind? = nil) -> Int {
        guard fault.reason != .failed else { return code(for: fault.error, about: fault.subject, of: call) }
        return refusals[fault.reason]?[fault.subject] ?? refusals[fault.reason]?[nil]
            ?? code(for: fault.error, about: fault.subject, of: call)
    }

    /// The number of a failure of the client, for a call about something.
    public static func code(
        for error: PushError, about subject: SessionSubject, of call: SessionCall.Kind? = nil
    ) -> Int {
        if error.kind == .server, call == .getAllTags || call == .queryTags { return 6019 }
        if error.kind == .notRegistered, call == .registration { return 1011 }
        // What the vendor finds wrong may be anything in the request.
        if error.kind == .invalidArgument, error.vendor != nil { return 6017 }
        return kinds[error.kind]?[subject] ?? kinds[error.kind]?[nil] ?? 6009
    }

    /// What a session refuses; nil stands for every other subject.
    private static let refusals: [SessionFault.Reason: [SessionSubject?: Int]] = [
        .stopped: [nil: 6012], .missing: [nil: 6001],
        .characters: [.tags: 6005, .alias: 6003, .phone: 6023],
        .tooLong: [.tags: 6006, .alias: 6004, .phone: 6025],
        .tooMany: [.tags: 6007], .tooManyBytes: [.tags: 6008],
        .busy: [.tags: 6021, .alias: 6022], .tooFrequent: [nil: 6011],
    ]

    /// What a client refuses or fails at; nil stands for every other subject.
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
