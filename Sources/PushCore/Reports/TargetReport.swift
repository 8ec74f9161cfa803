/// The status of one target, with its position in the caller's list.
public struct TargetReport: Sendable, Hashable {
    /// The position in the caller's list, from 0.
    public var position: Int
    /// The recipient of the message.
    public var target: Target
    /// The outcome for this target.
    public var status: TargetStatus
    /// Whether the vendor stated the status of this target. False if it follows from the outcome of a request for
    /// several targets, or from a rule that the client checks before it sends anything.
    public var isSaidByVendor = false
    /// Why its request failed, or why none was made; nil if nothing failed. The targets of one request share it.
    public var failure: Failure? {
        get { cause?.value }
        set { cause = newValue.map(Boxed.init) }
    }
    fileprivate var cause: Boxed<Failure>?

    /// The parts of an error that a program needs.
    public struct Failure: Sendable, Hashable {
        /// The kind of the failure.
        public var kind: PushError.Kind
        /// Whether and when a retry can help.
        public var retry: PushError.Retry
        /// Whether nothing was sent because the client had no access token or key for it; `kind` is then that of the
        /// request for one.
        public var isWithoutProof: Bool
        /// Whether the vendor gave a verdict on this one target, so others need not get the same failure.
        public var isAboutTarget: Bool

        /// The parts of this error.
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
    /// The same reports, marked as stated by the vendor.
    package var saidByVendor: [TargetReport] {
        map { report in
            var report = report
            report.isSaidByVendor = true
            return report
        }
    }

    /// The same reports, with this error as their failure.
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
