package import PushAdapter

/// Calls about lists: cut into slices, several at once, one report for all.
extension PushClient {
    /// Makes a call about a list: slice by slice, several at once.
    func runList<Source: AsyncSequence>(
        _ call: ListCall, to targets: Source
    ) async throws(PushError) -> SendReport where Source.Element == Target {
        let options = call.options
        let clock = configuration.clock
        let end = clock.elapsed + (options.deadline?.bounded ?? configuration.plannedDeadline)
        let list = targets as? ListSource
        let isStream = list == nil
        var plan = SendPlan(
            size: call.sliceSize, count: list?.targets.count ?? 0, separatesTypes: capabilities.separatesAccountTypes,
            rules: targetRules)
        var reports: [SliceReport] = []
        let isSingle = call.requestSize == 1
        // The last position among the slices that have begun.
        let begun = Locked(-1)
        let halt = SendHalt { [targetRules] in
            isSingle ? list?.lastTarget(after: begun.withLock { $0 }, targetRules) : nil
        }
        let fanOut =
            isSingle ? FanOut(call: call, halt: halt, share: window.open(until: end, on: clock), end: end) : nil
        defer { fanOut?.share.close() }
        // The first request shows whether the message can be sent at all.
        var isProven = false
        var isRefused = false

        await withTaskGroup(of: SliceReport.self) { group in
            var running = 0
            func collect(_ report: SliceReport) {
                running -= 1
                options.onSlice?(report)
                reports.append(options.keepsMessageIDs ? report : report.withoutMessageIDs)
                if let error = report.error, error.endsList { halt.stop(error) }
            }
            func start(_ slice: SendPlan.Slice) async {
                while running >= max(1, configuration.concurrentSlices), let report = await group.next() {
                    collect(report)
                }
                running += 1
                begun.withLock { $0 = max($0, slice.positions.last ?? -1) }
                halt.stop(self.stopReason(of: call, end: end))
                let targets = isSingle ? Array(slice.targets.prefix(1)) : slice.targets
                guard halt.reason == nil || halt.hasOutcome(in: slice.positions), !targets.isEmpty else {
                    collect(unsent(slice, halt.reason, isRefused: isRefused))
                    return
                }
                var first: PreparedRequest?
                if !isProven {
                    let prepared = await call.prepare(targets, self.partDeadline(of: call, until: end))
                    isProven = true
                    first = prepared
                    if case .failure(let error) = prepared.exchange, error.isLocalRefusal {
                        isRefused = true
                        halt.stop(error)
                    }
                }
                group.addTask { [first] in
                    if let fanOut, !(first?.isRefused ?? false) {
                        return await self.send(slice, of: fanOut, first: first)
                    }
                    let prepared: PreparedRequest
                    if let first {
                        prepared = first
                    } else {
                        prepared = await call.prepare(targets, self.partDeadline(of: call, until: end))
                    }
                    return await self.runSlice(call, prepared, slice, within: self.partDeadline(of: call, until: end))
                }
            }
            do {
                for try await target in targets {
                    if let slice = plan.add(target) { await start(slice) }
                    // Read a list in memory to its end, to report the rest, but stop reading a stream.
                    if isStream {
                        halt.stop(self.stopReason(of: call, end: end))
                        if halt.reason != nil { break }
                    }
                }
            } catch {
                let broken = PushError(
                    .invalidArgument, "the stream of targets failed; the report has what was read", underlying: error)
                halt.stop(self.stopReason(of: call, end: end) ?? broken)
            }
            // A stream may end without an error because the task was cancelled.
            if isStream { halt.stop(self.stopReason(of: call, end: end)) }
            for slice in plan.finish() { await start(slice) }
            while let report = await group.next() { collect(report) }
        }
        return try finish(reports, halt.reason, of: call.operation)
    }

    /// Why no more requests of a list start; nil while they may.
    func stopReason(of call: ListCall, end: Duration) -> PushError? {
        stopReason(of: call.operation, end: end) ?? call.options.watch?.stopReason
    }

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

    /// Sends the one request of a slice; never throws, because a failed slice is a value of the report.
    nonisolated(nonsending) func runSlice(
        _ call: ListCall, _ prepared: PreparedRequest, _ slice: SendPlan.Slice, within deadline: Deadline
    ) async -> SliceReport {
        var report = SliceReport(
            index: slice.index, targetCount: slice.count, keying: prepared.keying, exceptions: slice.exceptions)
        report.requestCount = prepared.isReady ? 1 : 0
        let start = startOfWatch(call)
        do throws(PushError) {
            let reply = try await call.run(prepared, slice.targets, slice.positions.first ?? 0, deadline)
            report.messageIDs = reply.receipt.messageIDs
            report.requestCount = reply.requestCount
            report.error = reply.error
            report.exceptions += slice.marking(reply.receipt.exceptions)
        } catch {
            report.error = error
            report.messageIDs = error.vendor?.messageID.map { [$0] } ?? []
            report.exceptions += slice.statuses(after: error)
        }
        call.options.watch?.note(report.error, begunAt: start)
        return report
    }

    /// The time now, if the call is watched; otherwise zero, without a look at the clock.
    func startOfWatch(_ call: ListCall) -> Duration {
        call.options.watch == nil ? .zero : configuration.clock.elapsed
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
