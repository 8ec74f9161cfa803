package import PushAdapter

extension SendPlan.Slice {
    /// The targets that the vendor skipped.
    func marking(_ exceptions: [String: TargetStatus]) -> [TargetReport] {
        guard !exceptions.isEmpty else { return [] }
        let all = reports { exceptions[$0.text] }
        // The other statuses may follow from a refusal of several targets.
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
                return reports { _ in error.isLocalRefusal ? .rejected(mayRetry: false) : .notAttempted }
            }
            // The verdict of a refusal is about one target, never about a list.
            if targets.count == 1, let status = vendor.verdict?.status { return reports { _ in status }.saidByVendor }
            let said = vendor.targets
            // The client can send to the rest again, without the targets that the vendor named. A caller that gave up, or
            // a client that was shut down, waited to do so.
            let mayRetry = !said.isEmpty || error.retry != .never || error.kind.subject == .worker
            let named = reports { said[$0.text]?.ofRefusal }.saidByVendor
            return named + reports { said[$0.text] == nil ? .rejected(mayRetry: mayRetry) : nil }
        }
    }
}

extension TargetStatus {
    /// Whether the status counts against the target itself.
    fileprivate var isAboutTarget: Bool { isInvalid || self == .suspect }

    /// The status that a refusal may give a target. A refusal that calls a target accepted contradicts itself.
    fileprivate var ofRefusal: TargetStatus { self == .accepted ? .unknown : self }
}
