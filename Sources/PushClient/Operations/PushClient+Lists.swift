package import PushAdapter

/// Calls about lists: cut into slices, several at once, one report for all.
extension PushClient {
    /// Makes a call about a list: slice by slice, several at once.
    func runList<Source: AsyncSequence>(
        _ call: some ListCall, to targets: Source
    ) async throws(PushError) -> SendReport where Source.Element == Target {
        let list = targets as? ListSource
        let plan = SendPlan(
            size: call.sliceSize, count: list?.targets.count ?? 0, separatesTypes: capabilities.separatesAccountTypes,
            rules: targetRules)
        let (reports, interruption) = await ListRun(call, list).run(to: targets, plan)
        return try finish(reports, interruption, of: call.operation)
    }

    /// The number of targets in a slice whose targets each get a request of their own. The client plans and reports such
    /// a slice as one.
    static let fanOutSize = 500

    /// Why no more requests start: the task was cancelled, the client was shut down, or the time is up. Nil while they may.
    func stopReason(of operation: Feature, end: Duration) -> PushError? {
        let name = operation == .send ? "send" : "change"
        if Task.isCancelled { return PushError(.cancelled, "the \(name) was cancelled", operation: operation) }
        guard gate.isOpen else {
            return PushError(.stopped, "the client was shut down during the \(name)", operation: operation)
        }
        if configuration.clock.elapsed >= end {
            return PushError(
                .timeout, "the deadline of the \(name) passed", retry: .backoff, operation: operation)
        }
        return nil
    }

    /// The report of a slice that was not sent.
    /// - Parameter isRefused: the interruption is a refusal of the message, which would hit this slice too.
    package func unsent(
        _ slice: SendPlan.Slice, _ interruption: PushError?, isRefused: Bool = false
    ) -> SliceReport {
        let unsent = slice.reports { _ in isRefused ? .rejected(mayRetry: false) : .notAttempted }
        var report = SliceReport(
            index: slice.index, targetCount: slice.count, keying: .unkeyed("nothing was sent"), error: interruption,
            exceptions: slice.exceptions + unsent.because(of: interruption))
        report.requestCount = 0
        return report
    }

    /// The report on all slices; throws if nothing was accepted.
    func finish(
        _ slices: [SliceReport], _ interruption: PushError?, of operation: Feature
    ) throws(PushError) -> SendReport {
        var report = SendReport()
        for slice in slices.sorted(by: { $0.index < $1.index }) { report.append(slice) }
        report.interruption = interruption
        let wasAccepted = report.slices.contains { slice in
            slice.isAccepted && slice.acceptedCount != 0
        }
        guard wasAccepted else {
            var error =
                interruption ?? report.slices.lazy.compactMap(\.error).first
                ?? PushError(
                    .invalidArgument, "no valid target is left in the list; see the report", operation: operation)
            error.report = report
            // A refusal of the rest says nothing about a slice whose response was lost.
            if report.slices.contains(where: { $0.error?.effect == .unknown }) { error.effect = .unknown }
            throw error
        }
        return report
    }
}
