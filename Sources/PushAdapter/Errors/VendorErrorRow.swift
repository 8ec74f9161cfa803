import FoundationEssentials

/// The meaning of a vendor's error code for the caller: a row of an adapter's table.
public struct VendorErrorRow: Sendable {
    /// The API family of the code, because families may use the same code for different things.
    public var surface = "rest"
    /// The vendor's code; `VendorCode.status(503)` for a response that has a status and no body.
    public let code: VendorCode
    /// The `PushError` kind that the code becomes.
    public let kind: PushError.Kind
    /// Whether the same call can succeed later.
    public let retry: PushError.Retry
    /// Whether the vendor acted before it returned the code.
    public let effect: PushError.Effect
    /// The meaning of the code, and the remedy.
    public let advice: String
    /// The vendor's page and its date, or where else the code was seen.
    public let source: String
    /// Whether the vendor accepts nothing more over the connection on which it returned the code.
    public var endsConnection = false
    /// The status of 500 or more at which the code is a refusal, if the row's source says so. Nil if a failing server
    /// may have acted, whatever the body says.
    public var certainStatus: Int?
    /// The calendar of a quota that is used up until midnight; nil for any other code.
    public var usedUpBy: CalendarDay?

    /// A row with these values.
    public init(
        code: VendorCode, kind: PushError.Kind, retry: PushError.Retry, effect: PushError.Effect, advice: String,
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
    public static func refused(_ code: VendorCode, _ kind: PushError.Kind, _ advice: String, _ source: String)
        -> VendorErrorRow
    {
        VendorErrorRow(code: code, kind: kind, retry: .never, effect: .notApplied, advice: advice, source: source)
    }

    /// A throttle: nothing was done, and a later attempt may succeed.
    public static func throttled(
        _ code: VendorCode, _ kind: PushError.Kind, _ advice: String, _ source: String
    ) -> VendorErrorRow {
        VendorErrorRow(code: code, kind: kind, retry: .backoff, effect: .notApplied, advice: advice, source: source)
    }

    /// A quota that is used up until midnight: nothing was done, and the client asks no more before.
    public static func usedUp(
        by day: CalendarDay, _ code: VendorCode, _ advice: String, _ source: String
    ) -> VendorErrorRow {
        var row = refused(code, .quotaExhausted, advice, source)
        row.usedUpBy = day
        return row
    }

    /// A failure inside the vendor: whether it acted is unknown.
    public static func failed(_ code: VendorCode, _ kind: PushError.Kind, _ advice: String, _ source: String)
        -> VendorErrorRow
    {
        VendorErrorRow(code: code, kind: kind, retry: .backoff, effect: .unknown, advice: advice, source: source)
    }

    /// The status of a target that has the code in a list of results. A quota that is used up until midnight accepts
    /// a later attempt.
    package var status: TargetStatus {
        effect == .notApplied ? .rejected(mayRetry: retry.isAdvised || usedUpBy != nil) : .unknown
    }

    /// A copy of the row for a vendor that accepts nothing more over the connection after the code.
    public func endingConnection() -> VendorErrorRow {
        var row = self
        row.endsConnection = true
        return row
    }

    /// A copy of the row that is a refusal at this status of 500 or more. The row's source must say that nothing was
    /// done.
    public func certain(at status: Int) -> VendorErrorRow {
        var row = self
        row.certainStatus = status
        return row
    }
}

extension [VendorErrorRow] {
    /// The rows, assigned to an API family.
    public func on(_ surface: String) -> [VendorErrorRow] {
        map { row in
            var row = row
            row.surface = surface
            return row
        }
    }

    /// The row of a code, nil for one that is not documented.
    public func row(_ code: VendorCode, on surface: String = "rest") -> VendorErrorRow? {
        first { $0.code == code && $0.surface == surface }
    }

    /// The row of a status without a body; nil if the response has a body, which may be a gateway's.
    public func row(ofBare response: WireResponse, on surface: String = "rest") -> VendorErrorRow? {
        response.body.isEmpty ? row(.status(response.status), on: surface) : nil
    }
}

extension PushError {
    /// The error that the row of a code describes. A code without a row keeps its text and stays unknown.
    /// - Parameters:
    ///   - row: the code's row in the vendor's table; nil for a code that is not documented.
    ///   - detail: the details of the vendor's response.
    ///   - vendor: the vendor's name, for people.
    ///   - response: the response that holds the code; nil for a part of a response.
    public init(
        _ row: VendorErrorRow?, _ detail: VendorDetail, of vendor: String, in response: WireResponse? = nil
    ) {
        if let row {
            var detail = detail
            // A code in the table is not a secret, even if it looks like one.
            if detail.code == "…" { detail.code = row.code }
            detail.endsConnection = detail.endsConnection || row.endsConnection
            detail.isCertain = detail.isCertain || row.certainStatus.map { $0 == detail.httpStatus } ?? false
            var retry = row.retry
            if let day = row.usedUpBy, let date = response?.receivedAt {
                retry = .after(.seconds(max(1, day.end(after: date).timeIntervalSince(date))))
            }
            self.init(row.kind, "\(vendor): \(row.advice)", retry: retry, effect: row.effect, vendor: detail)
            return
        }
        let code = detail.code?.rawValue ?? "-"
        let status = response.map { PushError(unexplained: $0) }
        self.init(
            response?.status == 429 ? .rateLimited : .unknown,
            "\(vendor) returned code \(code), which this library does not know", retry: status?.retry ?? .never,
            effect: response?.isSuccess == false ? status?.effect ?? .unknown : .unknown, vendor: detail)
    }
}
