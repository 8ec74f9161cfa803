import PushAdapter

/// The state that the slices of a list share, at a vendor that takes one target per request.
struct FanOut: Sendable {
    let call: ListCall
    /// The refusal after which no more requests start; the first hopeless request sets it.
    let halt: SendHalt
    /// The list's share of the window.
    let share: WindowShare
    /// When the time of the list is up.
    let end: Duration
}

/// A call about a list at a vendor that takes one target per request.
extension PushClient {
    /// Sends one request for each target of a slice, as many at once as the window takes.
    /// - Parameter first: the request to the first target, where it was made to prove the message.
    func send(_ slice: SendPlan.Slice, of list: FanOut, first: PreparedRequest?) async -> SliceReport {
        let line = SliceLine(slice)
        list.halt.begin(line)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(window.size, slice.targets.count) {
                group.addTask(executorPreference: executor) {
                    await self.work(through: line, of: list, first: first)
                }
            }
        }
        // A probe for another slice may still use the last target of this one.
        await list.halt.proven()
        list.halt.end(line)
        return line.report
    }

    /// Sends to one target of a slice after the other.
    private func work(through line: SliceLine, of list: FanOut, first: PreparedRequest?) async {
        let (place, halt) = (WindowPlace(of: list.share), list.halt)
        while true {
            if halt.isInDoubt {
                place.giveBack()
                await halt.proven()
            }
            guard let index = line.takeNext() else { break }
            let (target, position) = (line.slice.targets[index], line.slice.positions[index])
            if let outcome = halt.outcome(at: position) {
                line.note(outcome, ofTargetAt: index)
                continue
            }
            let outcome = await runSingle(target, position, index == 0 ? first : nil, of: list, place)
            line.note(outcome, ofTargetAt: index)
            guard case .failed(let error, _) = outcome, let probe = halt.noteFailed(error) else { continue }
            let (other, otherPosition) = probe.target
            halt.note(await runSingle(other, otherPosition, nil, of: list, place), of: probe)
        }
        place.giveBack()
    }

    private func runSingle(
        _ target: Target, _ position: Int, _ first: PreparedRequest?, of list: FanOut, _ place: WindowPlace
    ) async -> SingleOutcome {
        let (call, halt) = (list.call, list.halt)
        guard await place.take() else {
            halt.stop(stopReason(of: call, end: list.end))
            return .notAttempted(halt.reason)
        }
        if halt.reason == nil { halt.stop(stopReason(of: call, end: list.end)) }
        if let reason = halt.reason { return .notAttempted(reason) }
        let prepared: PreparedRequest
        if let first {
            prepared = first
        } else {
            prepared = await call.prepare([target], partDeadline(of: call, until: list.end, place))
        }
        let start = startOfWatch(call)
        do throws(PushError) {
            let deadline = partDeadline(of: call, until: list.end, place)
            let reply = try await call.run(prepared, [target], position, deadline)
            halt.noteAccepted()
            call.options.watch?.note(reply.error, begunAt: start)
            if let error = reply.error { return .failed(error, prepared) }
            return .accepted(reply.receipt, prepared)
        } catch {
            call.options.watch?.note(error, begunAt: start)
            if error.endsList { halt.stop(error) }
            return .failed(error, prepared)
        }
    }
}

extension SendHalt.Probe {
    /// The target of the probe, with its position in the list.
    fileprivate var target: (Target, Int) {
        switch self {
        case .last(let line, let index): (line.slice.targets[index], line.slice.positions[index])
        case .ahead(let target, let position): (target, position)
        }
    }
}
