import PushAdapter

/// A list at a vendor that takes one target per request, and the state that its slices share.
struct FanOut<Call: ListCall>: Sendable {
    let call: Call
    /// The refusal after which no more requests start; the first hopeless request sets it.
    let halt: SendHalt
    /// What skips targets whose credential is refused; nil if all are attempted.
    var credentials: CredentialHalt?
    /// The list's share of the window.
    let share: WindowShare
    /// When the time of the list is up.
    let end: Duration

    /// Begins a slice: from now on, one of its targets may be probed for another slice.
    func begin(_ slice: SendPlan.Slice) -> SliceLine {
        let line = SliceLine(slice)
        halt.begin(line)
        return line
    }

    /// Sends one request for each target of a slice that has begun, as many at once as the window takes.
    /// - Parameter first: the request to the first target, where it was made to prove the message.
    func send(_ line: SliceLine, first: PreparedRequest?) async -> SliceReport {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(call.client.window.size, line.count) {
                group.addTask(executorPreference: call.client.executor) { await work(through: line, first: first) }
            }
        }
        // A probe for another slice may still use the last target of this one.
        await halt.proven()
        halt.end(line)
        return line.report
    }

    /// Sends to one target of a slice after the other.
    private func work(through line: SliceLine, first: PreparedRequest?) async {
        let place = WindowPlace(of: share)
        while true {
            if halt.isInDoubt {
                place.giveBack()
                await halt.proven()
            }
            guard let next = line.takeNext() else { break }
            if let outcome = halt.outcome(at: next.position) {
                line.note(outcome, of: next)
                continue
            }
            let outcome = await run(next.target, at: next.position, next.isFirst ? first : nil, in: place)
            line.note(outcome, of: next)
            guard case .failed(let error, _) = outcome, let probe = halt.noteFailed(error) else { continue }
            let (target, position) = probe.target
            halt.note(await run(target, at: position, nil, in: place), of: probe)
        }
        place.giveBack()
    }

    private func run(
        _ target: Target, at position: Int, _ first: PreparedRequest?, in place: WindowPlace
    ) async -> SingleOutcome {
        guard await place.take() else {
            halt.stop(call.stopReason(at: end))
            return .notAttempted(halt.reason)
        }
        if halt.reason == nil { halt.stop(call.stopReason(at: end)) }
        if let reason = halt.reason { return .notAttempted(reason) }
        let prepared: PreparedRequest
        if let first {
            prepared = first
        } else {
            prepared = await call.prepare([target], within: call.partDeadline(until: end, place))
        }
        if let reason = credentials?.reason(toSkip: prepared) ?? call.refusal(toBegin: prepared) {
            await call.noteSkipped(target, at: position, because: reason)
            return .notAttempted(reason)
        }
        let start = call.startOfWatch
        halt.noteStart()
        do throws(PushError) {
            let deadline = call.partDeadline(until: end, place)
            let reply = try await call.run(prepared, to: [target], from: position, within: deadline)
            halt.noteEnd(isAccepted: true)
            credentials?.note(reply.error, of: prepared)
            call.options.watch?.note(reply.error, at: prepared.origin, begunAt: start)
            if let error = reply.error { return .failed(error, prepared) }
            return .accepted(reply.receipt, prepared)
        } catch {
            halt.noteEnd(isAccepted: false)
            credentials?.note(error, of: prepared)
            call.options.watch?.note(error, at: prepared.origin, begunAt: start)
            if error.endsList { halt.stop(error) }
            return .failed(error, prepared)
        }
    }
}

extension SendHalt.Probe {
    /// The target of the probe, with its position in the list.
    fileprivate var target: (Target, Int) {
        switch self {
        case .last(_, let entry): (entry.target, entry.position)
        case .ahead(let target, let position): (target, position)
        }
    }
}
