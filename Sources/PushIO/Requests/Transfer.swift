package import PushAdapter

/// One request on its way through a transport.
///
/// `@unchecked`: the inbox of the I/O thread guards `isCancelled` and `isSubmitted`. The rest belongs to that thread, from
/// the moment at which it takes the transfer from its inbox.
package final class Transfer: @unchecked Sendable {
    package typealias Answer = Result<WireResponse, PushError>

    /// The step that its caller waits for.
    enum Step {
        /// The request could leave now; the caller says whether it may.
        case mayLeave
        case answer(Answer)
    }

    typealias Place = CheckedContinuation<Step, Never>

    package let request: TransportRequest
    package let origin: Origin
    /// When its time is over, at most a century from now.
    package let end: ContinuousClock.Instant
    /// The transport's state for it.
    package var state: AnyObject?
    /// Whether its caller is asked before the request leaves.
    package let isAsked: Bool
    /// Whether the engine has finished with it.
    package private(set) var isOver = false

    var isCancelled = false
    var isSubmitted = false
    /// Where the caller waits; nil while it is asked.
    private var place: Place?
    /// An answer that came while the caller was asked.
    private var answer: Answer?
    private var askedAt: ContinuousClock.Instant?

    /// - Parameters:
    ///   - origin: of the request, as `RequestCheck` found it.
    ///   - isAsked: whether its caller is asked before it leaves.
    package init(_ request: TransportRequest, to origin: Origin, isAsked: Bool = false) {
        (self.request, self.origin, self.isAsked) = (request, origin, isAsked)
        end = ContinuousClock.now + min(request.timeout, .seconds(3_000_000_000))
    }

    /// Answers its caller, the first time. A caller that is being asked gets the answer afterwards.
    package func answer(_ result: Answer) {
        guard !isOver else { return }
        isOver = true
        answer = result
        guard let place else { return }
        self.place = nil
        place.resume(returning: .answer(result))
    }

    // MARK: Asking the caller

    /// Whether the request may leave: the caller need not be asked, or was asked a short while ago and agreed.
    package func mayLeave(_ now: ContinuousClock.Instant) -> Bool {
        guard isAsked else { return true }
        return askedAt.map { now - $0 < TransportRequest.longestLeave } ?? false
    }

    /// Asks the caller whether the request may leave. Until then, the engine keeps everything that the request needs.
    package func ask(_ now: ContinuousClock.Instant) {
        guard let place else { return }
        askedAt = now
        self.place = nil
        place.resume(returning: .mayLeave)
    }

    /// Takes the caller back, which waits for the answer from here on; false if the answer has come.
    func wait(at place: Place) -> Bool {
        if let answer {
            place.resume(returning: .answer(answer))
            return false
        }
        self.place = place
        return true
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

    /// The error of a request whose caller was asked, and did not say in time that it may leave.
    package static var notAllowedInTime: PushError {
        .transport("the caller did not let the request leave in time", kind: .timeout, wasSent: false)
    }

    /// The error of a caller whose task was cancelled, or whose transport was shut down.
    package static func cancelled(wasSent: Bool) -> PushError {
        PushError(
            .cancelled,
            wasSent ? "cancelled after the request had begun to leave" : "cancelled before anything was sent",
            effect: wasSent ? .unknown : .notApplied)
    }
}
