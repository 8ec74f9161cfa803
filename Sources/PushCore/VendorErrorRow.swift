/// What one code of a vendor means for the caller: a row of an adapter's table.
public struct VendorErrorRow: Sendable {
    /// The vendor's number.
    public let code: Int
    /// The `PushError` kind that the code becomes.
    public let kind: PushError.Kind
    /// Whether the same call can succeed later.
    public let retry: PushError.Retry
    /// Whether the vendor acted before it answered with the code.
    public let effect: PushError.Effect
    /// What it means and what to do.
    public let advice: String
    /// The vendor's page and its date, or where else the code was seen.
    public let source: String

    /// A row as it is.
    public init(
        code: Int, kind: PushError.Kind, retry: PushError.Retry, effect: PushError.Effect, advice: String,
        source: String
    ) {
        self.code = code
        self.kind = kind
        self.retry = retry
        self.effect = effect
        self.advice = advice
        self.source = source
    }

    /// A refusal: nothing was done, and the same call is refused again.
    public static func refused(_ code: Int, _ kind: PushError.Kind, _ advice: String, _ source: String)
        -> VendorErrorRow
    {
        VendorErrorRow(code: code, kind: kind, retry: .never, effect: .notApplied, advice: advice, source: source)
    }

    /// A throttle: nothing was done, and later it may be.
    public static func throttled(
        _ code: Int, _ kind: PushError.Kind, _ advice: String, _ source: String
    ) -> VendorErrorRow {
        VendorErrorRow(code: code, kind: kind, retry: .backoff, effect: .notApplied, advice: advice, source: source)
    }

    /// A failure inside the vendor: nobody says whether it acted.
    public static func failed(_ code: Int, _ kind: PushError.Kind, _ advice: String, _ source: String) -> VendorErrorRow
    {
        VendorErrorRow(code: code, kind: kind, retry: .backoff, effect: .unknown, advice: advice, source: source)
    }
}
