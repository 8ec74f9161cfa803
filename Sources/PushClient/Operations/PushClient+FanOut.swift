import PushCore

/// A call about a list at a vendor that takes one target in a request.
extension PushClient {
    /// Sends one request for each target of a slice, as many at once as the window takes.
    /// - Parameters:
    ///   - first: the request to the first target, where it was made to prove the message.
    ///   - halt: the refusal after which no more requests start; set by the first hopeless one.
    func fanOut(
        _ call: ListCall, _ slice: SendPlan.Slice, first: Prepared?, halt: SendHalt, end: Duration
    ) async -> SliceReport {
        let line = SliceLine(slice)
        halt.begin(line)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(window.size, slice.targets.count) {
                group.addTask(executorPreference: executor) {
                    await self.work(through: line, call, first: first, halt, end: end)
                }
            }
        }
        // Its last target may still be asked for another slice.
        await halt.proven()
        halt.end(line)
        return line.report
    }

    /// Sends to one target of a slice after the other.
    private func work(
        through line: SliceLine, _ call: ListCall, first: Prepared?, _ halt: SendHalt, end: Duration
    ) async {
        var place = Place(in: window)
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
            let isIn = await place.take()
            let outcome = await runSingle(
                call, target, position, index == 0 ? first : nil, halt, isIn: isIn, end: end)
            line.note(outcome, ofTargetAt: index)
            guard case .failed(let error, _) = outcome, let probe = halt.noteFailed(error) else { continue }
            let (other, otherPosition) = probe.target
            let answer = await runSingle(call, other, otherPosition, nil, halt, isIn: isIn, end: end)
            halt.note(answer, of: probe)
        }
        place.giveBack()
    }

    /// A place in the window, which a task keeps for some requests: each change of places is a switch of tasks.
    private struct Place {
        /// Another send waits for at most this many requests of each task.
        private static let mostRequests = 16

        private let window: SendWindow
        private var requests = 0

        init(in window: SendWindow) { self.window = window }

        /// Takes a place for the next request; false when the task was cancelled first.
        mutating func take() async -> Bool {
            if requests == Self.mostRequests { giveBack() }
            if requests == 0 { guard await window.enter() else { return false } }
            requests += 1
            return true
        }

        mutating func giveBack() {
            if requests > 0 { window.leave() }
            requests = 0
        }
    }

    private func runSingle(
        _ call: ListCall, _ target: Target, _ position: Int, _ first: Prepared?, _ halt: SendHalt, isIn: Bool,
        end: Duration
    ) async -> SingleOutcome {
        guard isIn else {
            halt.stop(stopReason(of: call, end: end))
            return .notAttempted(halt.reason)
        }
        if halt.reason == nil { halt.stop(stopReason(of: call, end: end)) }
        if let reason = halt.reason { return .notAttempted(reason) }
        let prepared: Prepared
        if let first {
            prepared = first
        } else {
            prepared = await call.prepare([target], partDeadline(until: end))
        }
        let start = startOfWatch(call)
        do throws(PushError) {
            let reply = try await call.run(prepared, [target], position, partDeadline(until: end))
            halt.noteAccepted()
            call.options.watch?.note(reply.error, begunAt: start)
            if let error = reply.error { return .failed(error, prepared) }
            return .accepted(reply.receipt, prepared)
        } catch {
            call.options.watch?.note(error, begunAt: start)
            if error.isHopeless { halt.stop(error) }
            return .failed(error, prepared)
        }
    }
}

extension SendHalt.Probe {
    /// Who is asked, with the position in the list.
    fileprivate var target: (Target, Int) {
        switch self {
        case .last(let line, let index): (line.slice.targets[index], line.slice.positions[index])
        case .ahead(let target, let position): (target, position)
        }
    }
}
