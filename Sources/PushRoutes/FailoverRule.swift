package import PushAdapter

/// Decides from the outcome of an attempt whether the message may take the next way to the same installation.
///
/// A message moves on only if the vendor certainly did not accept it. A wrong key must not move all messages to another
/// vendor: a person must correct it.
package enum FailoverRule {
    package enum Decision: Equatable {
        /// The outcome stands.
        case settled
        /// The next way.
        case next
        /// The same way, after this time.
        case again(after: Duration)
        /// The same way, without the targets that the vendor named.
        case withoutNamed
    }

    /// - Parameters:
    ///   - status: the outcome of the attempt.
    ///   - failure: why it failed.
    ///   - isSaidByVendor: whether the vendor stated the outcome for this target.
    ///   - patience: how long to wait for a throttled vendor.
    package static func decide(
        _ status: TargetStatus, _ failure: TargetReport.Failure?, isSaidByVendor: Bool, patience: Duration
    ) -> Decision {
        switch status {
        case .accepted, .duplicate, .unknown, .suspect: return .settled
        // The vendor was not asked. A person has to look at where the text comes from.
        case .malformed: return .settled
        case .invalid: return isSaidByVendor ? .next : .settled
        case .rejected, .notAttempted: break
        }
        // A vendor that accepts a list may refuse some of its targets without a reason.
        guard let failure else { return status == .rejected(mayRetry: false) ? .next : .settled }
        if failure.isOutOfReach { return .next }
        switch failure.kind {
        case .blocked, .quotaExhausted, .circuitOpen: return .next
        case _ where [.credentials, .worker].contains(failure.kind.subject): return .settled
        case .rateLimited:
            guard case .after(let time) = failure.retry else { return .settled }
            return time > patience ? .next : .again(after: time)
        // The vendor named other targets of the request; without them it may accept the message.
        case _ where status == .rejected(mayRetry: true) && failure.retry == .never:
            return isSaidByVendor ? .settled : .withoutNamed
        // The vendor or the client refused the message; the rest of a list is not attempted then.
        case _ where status == .rejected(mayRetry: false): return .next
        default: return failure.retry == .never && failure.kind.subject == .message ? .next : .settled
        }
    }
}
