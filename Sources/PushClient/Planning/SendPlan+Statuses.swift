package import PushCore

extension SendPlan.Slice {
    /// The targets that the vendor skipped.
    func marking(_ exceptions: [String: TargetStatus]) -> [TargetReport] {
        guard !exceptions.isEmpty else { return [] }
        let all = reports { exceptions[$0.text] }
        // The others may follow from a refusal of several.
        return all.filter(\.status.isAboutTarget).saidByVendor + all.filter { !$0.status.isAboutTarget }
    }

    /// The outcome of the targets of a failed slice.
    package func statuses(after error: PushError) -> [TargetReport] { effects(of: error).because(of: error) }

    private func effects(of error: PushError) -> [TargetReport] {
        switch error.effect {
        case .applied: return []
        case .unknown: return reports { _ in .unknown }
        case .notApplied:
            guard let vendor = error.vendor else {
                return reports { _ in error.isRefusal ? .rejected(mayRetry: false) : .notAttempted }
            }
            // What a refusal says about one target, it does not say about a list.
            switch targets.count == 1 ? vendor.verdict : nil {
            case .dead(let date): return reports { _ in .invalid(since: date) }.saidByVendor
            case .suspect: return reports { _ in .suspect }.saidByVendor
            case .isolated, nil: break
            }
            let named = Set(vendor.invalidTargets)
            // The rest can be sent again without the targets that the vendor named.
            let mayRetry = !named.isEmpty || error.retry != .never || error.kind == .cancelled
            let invalid = reports { named.contains($0.text) ? .invalid() : nil }.saidByVendor
            return invalid + reports { named.contains($0.text) ? nil : .rejected(mayRetry: mayRetry) }
        }
    }
}

extension TargetStatus {
    /// Whether it says something against the target itself.
    fileprivate var isAboutTarget: Bool { isInvalid || self == .suspect }
}

extension PushError {
    /// Whether the message was refused before anything was sent. A missing key says nothing about the message: such an
    /// error has an `underlying` one.
    var isRefusal: Bool {
        let kinds: [Kind] = [.invalidArgument, .tooLong, .limitExceeded, .unsupported]
        return vendor == nil && underlying == nil && kinds.contains(kind)
    }
}
