import PushCore

extension SendPlan.Slice {
    /// The targets that the vendor named as invalid.
    func marking(_ invalid: [String]) -> [TargetReport] {
        guard !invalid.isEmpty else { return [] }
        let named = Set(invalid)
        return reports { named.contains($0.text) ? .invalid : nil }
    }

    /// What became of the targets of a slice that failed.
    func statuses(after error: PushError) -> [TargetReport] {
        switch error.effect {
        case .applied: return []
        case .unknown: return reports { _ in .unknown }
        case .notApplied:
            guard let vendor = error.vendor else {
                return reports { _ in error.isRefusal ? .rejected(mayRetry: false) : .notAttempted }
            }
            let named = Set(vendor.invalidTargets)
            // Without the targets that the vendor named, the rest is good to send again.
            let mayRetry = !named.isEmpty || error.retry != .never || error.kind == .cancelled
            return reports { named.contains($0.text) ? .invalid : .rejected(mayRetry: mayRetry) }
        }
    }
}

extension PushError {
    /// Whether the message was refused before anything was sent. A key that could not be had says nothing about it: such
    /// an error has the reason below it.
    var isRefusal: Bool {
        let kinds: [Kind] = [.invalidArgument, .tooLong, .limitExceeded, .unsupported]
        return vendor == nil && underlying == nil && kinds.contains(kind)
    }
}
