/// The status of one target, with its position in the caller's list.
public struct TargetReport: Sendable, Hashable {
    /// The position in the caller's list, from 0.
    public var position: Int
    /// Who the message was for.
    public var target: Target
    /// The outcome for this target.
    public var status: TargetStatus
    /// Whether the vendor said so of this target; false where it follows from the outcome of a request for several, or
    /// from a rule that is checked before anything is sent.
    public var isSaidByVendor = false
    /// Why its request failed, or why none was made; nil where nothing failed. The targets of one request share it.
    public var failure: Failure? {
        get { cause?.value }
        set { cause = newValue.map(Boxed.init) }
    }
    fileprivate var cause: Boxed<Failure>?

    /// What a program needs to know of an error.
    public struct Failure: Sendable, Hashable {
        /// What went wrong.
        public var kind: PushError.Kind
        /// Whether and when a retry can help.
        public var retry: PushError.Retry
        /// Whether nothing was sent because there was no access token or key for it; the kind is that of the request for one.
        public var isWithoutProof: Bool
        /// Whether the vendor said so of this one target, so that others need not meet it.
        public var isAboutTarget: Bool

        /// What an error says.
        public init(_ error: PushError) {
            (kind, retry) = (error.kind, error.retry)
            isWithoutProof = error.isWithoutProof
            isAboutTarget = error.vendor?.verdict != nil
        }
    }

    /// The status of the target at this position of the caller's list, from 0.
    public init(position: Int, target: Target, status: TargetStatus) {
        self.position = position
        self.target = target
        self.status = status
    }
}

extension [TargetReport] {
    /// The same, as said by the vendor.
    package var saidByVendor: [TargetReport] {
        map { report in
            var report = report
            report.isSaidByVendor = true
            return report
        }
    }

    /// The same, because of an error.
    package func because(of error: PushError?) -> [TargetReport] {
        guard let error else { return self }
        let cause = Boxed(TargetReport.Failure(error))
        return map { report in
            var report = report
            report.cause = cause
            return report
        }
    }
}
