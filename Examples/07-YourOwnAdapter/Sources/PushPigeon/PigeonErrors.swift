import PushAdapter

/// The numbers of Pigeon's handbook. A refusal means that nothing was done; after a failure inside the vendor, that is
/// unknown.
enum PigeonErrors {
    static let page = "Pigeon handbook, 2026-11"

    static let rows: [VendorErrorRow] =
        PigeonCredentials.errors + [
            .refused(20, .invalidArgument, "the request is not valid", page),
            .refused(21, .noTarget, "no such bird", page),
            .throttled(30, .rateLimited, "too many calls", page),
            .failed(90, .server, "the loft is in disorder", page),
        ]
}
