package import PushCore

/// One request on its way through a transport.
///
/// `@unchecked`: the inbox of the I/O thread guards `isCancelled` and `isSubmitted`. The rest belongs to that thread, from
/// the moment at which it takes the transfer from its inbox.
package final class Transfer: @unchecked Sendable {
    package typealias Answer = Result<WireResponse, PushError>

    package let request: TransportRequest
    package let origin: Origin
    /// When its time is over, at most a century from now.
    package let end: ContinuousClock.Instant
    /// What the transport keeps with it.
    package var state: AnyObject?

    var isCancelled = false
    var isSubmitted = false
    var continuation: CheckedContinuation<Answer, Never>?

    /// - Parameter origin: of the request, as `RequestCheck` found it.
    package init(_ request: TransportRequest, to origin: Origin) {
        self.request = request
        self.origin = origin
        end = ContinuousClock.now + min(request.timeout, .seconds(3_000_000_000))
    }

    /// Whether its caller has the answer.
    package var isOver: Bool { continuation == nil }

    /// Answers its caller, the first time.
    package func answer(_ result: Answer) {
        guard let continuation else { return }
        self.continuation = nil
        continuation.resume(returning: result)
    }
}

extension PushError {
    /// An error of a transport, which knows only whether the request had begun to leave.
    package static func transport(
        _ text: String, kind: Kind = .transport, retry: Retry = .backoff, wasSent: Bool
    ) -> PushError {
        PushError(
            kind, text + (wasSent ? "; the request had begun to leave" : "; nothing was sent"), retry: retry,
            effect: wasSent ? .unknown : .notApplied)
    }

    /// The error of a request that waited for others until its time was over.
    package static func noSlot(among count: Int) -> PushError {
        .transport("no free slot among \(count) requests in flight", kind: .timeout, wasSent: false)
    }

    /// The error of a caller whose task was cancelled, or whose transport was shut down.
    package static func cancelled(wasSent: Bool) -> PushError {
        PushError(
            .cancelled,
            wasSent ? "cancelled after the request had begun to leave" : "cancelled before anything was sent",
            effect: wasSent ? .unknown : .notApplied)
    }
}
