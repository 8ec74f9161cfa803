import PushAdapter

/// A call about a list of targets: how the client cuts the list, and how it makes and sends the request for some
/// targets.
protocol ListCall: Sendable {
    var client: PushClient { get }
    var operation: Feature { get }
    /// The targets that are planned and reported together.
    var sliceSize: Int { get }
    /// The targets that one request takes.
    var requestSize: Int { get }
    var options: SendOptions { get }

    nonisolated(nonsending) func prepare(_ targets: [Target], within deadline: Deadline) async -> PreparedRequest

    /// - Parameter position: that of the first target in the list.
    nonisolated(nonsending) func run(
        _ request: PreparedRequest, to targets: [Target], from position: Int, within deadline: Deadline
    ) async throws(PushError) -> ListReply

    /// Notes that a target was not attempted.
    nonisolated(nonsending) func noteSkipped(_ target: Target, at position: Int, because reason: PushError) async
}

/// The vendor's answer to the request for some targets of a list.
struct ListReply: Sendable {
    var receipt: SendReceipt
    /// The requests that it took, not counting retries.
    var requestCount = 1
    /// Why no target was accepted; with the effect `applied`, a failure after the vendor acted.
    var error: PushError?
}

extension ListCall {
    nonisolated(nonsending) func noteSkipped(_ target: Target, at position: Int, because reason: PushError) async {}

    /// Why a request must not begin, because its origin gave no answer; nil if it begins.
    func refusal(toBegin prepared: PreparedRequest) -> PushError? {
        guard let watch = options.watch, let origin = prepared.origin else { return nil }
        return watch.begin(at: origin)
    }

    /// Why no more requests start; nil while they may.
    func stopReason(at end: Duration) -> PushError? {
        client.stopReason(of: operation, end: end) ?? options.watch?.stopReason
    }

    /// The deadline of one request. A caller that watches the list uses its errors, so they come at once.
    func partDeadline(until end: Duration, _ place: WindowPlace? = nil) -> Deadline {
        client.partDeadline(until: end, place, outlastsOutages: options.watch == nil)
    }

    /// The time now, if the call is watched; otherwise zero, without a look at the clock.
    var startOfWatch: Duration { options.watch == nil ? .zero : client.configuration.clock.elapsed }

    /// Sends the one request of a slice; never throws, because a failed slice is a value of the report.
    nonisolated(nonsending) func runSlice(
        _ prepared: PreparedRequest, _ slice: SendPlan.Slice, within deadline: Deadline
    ) async -> SliceReport {
        if let reason = refusal(toBegin: prepared) { return client.unsent(slice, reason) }
        var report = SliceReport(
            index: slice.index, targetCount: slice.count, keying: prepared.keying, exceptions: slice.exceptions)
        report.requestCount = prepared.isReady ? 1 : 0
        let start = startOfWatch
        do throws(PushError) {
            let reply = try await run(
                prepared, to: slice.targets, from: slice.positions.first ?? 0, within: deadline)
            report.messageIDs = reply.receipt.messageIDs
            report.requestCount = reply.requestCount
            report.error = reply.error
            report.exceptions += slice.marking(reply.receipt.exceptions)
        } catch {
            report.error = error
            report.messageIDs = error.vendor?.messageID.map { [$0] } ?? []
            report.exceptions += slice.statuses(after: error)
        }
        options.watch?.note(report.error, at: prepared.origin, begunAt: start)
        return report
    }
}
