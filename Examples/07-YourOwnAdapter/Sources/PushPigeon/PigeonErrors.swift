import PushCore

/// The numbers of Pigeon's handbook. A refusal means that nothing was done; a failure inside leaves that open.
enum PigeonErrors {
    struct Row {
        var kind: PushError.Kind
        var retry: PushError.Retry = .never
        var effect: PushError.Effect = .notApplied
        var advice: String
    }

    static let rows: [Int: Row] = [
        10: Row(kind: .unauthorised, advice: "the key is wrong; copy it from the loft"),
        20: Row(kind: .invalidArgument, advice: "the request is not valid"),
        21: Row(kind: .noTarget, advice: "no such bird"),
        30: Row(kind: .rateLimited, retry: .backoff, advice: "too many calls"),
        90: Row(kind: .server, retry: .backoff, effect: .unknown, advice: "the loft is in disorder"),
    ]
}
