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
        let next = Locked(0)
        let outcomes = Locked(Outcomes(slice))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(window.size, slice.targets.count) {
                group.addTask(executorPreference: executor) {
                    var place = Place(in: self.window)
                    while let index = next.withLock({ $0.next(below: slice.targets.count) }) {
                        let target = slice.targets[index]
                        let isIn = await place.take()
                        let outcome = await self.runSingle(
                            call, target, slice.positions[index], index == 0 ? first : nil, halt, isIn: isIn, end: end)
                        outcomes.withLock { $0.note(outcome, ofTargetAt: index) }
                    }
                    place.giveBack()
                }
            }
        }
        return outcomes.withLock { $0.report }
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
    ) async -> Outcome {
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
            if error.isHopeless { halt.stop(error) } else { halt.noteFailed(error) }
            return .failed(error, prepared)
        }
    }
}

/// Why a send starts no more requests; shared by its slices.
final class SendHalt: Sendable {
    /// After this many refusals and no acceptance, the cause is the message, not the targets.
    private static let mostRefusals = 100

    private struct State {
        var reason: PushError?
        /// Refusals before anything was accepted; nil once something was.
        var refusals: Int? = 0
    }

    private let state = Locked(State())

    /// Nil while requests may start.
    var reason: PushError? { state.withLock { $0.reason } }

    /// Halts the send, unless something has halted it before.
    func stop(_ reason: PushError?) { state.withLock { $0.reason = $0.reason ?? reason } }

    /// Notes that the vendor took a request, so a refusal is about its target.
    func noteAccepted() { state.withLock { $0.refusals = nil } }

    /// Counts a refusal that is not about its target; the last of many halts the send.
    func noteFailed(_ error: PushError) {
        guard error.effect == .notApplied, error.retry == .never, error.kind != .noTarget,
            let vendor = error.vendor, vendor.verdict == nil
        else { return }
        state.withLock { state in
            guard let count = state.refusals else { return }
            state.refusals = count + 1
            if count + 1 >= Self.mostRefusals { state.reason = state.reason ?? error }
        }
    }
}

/// What became of the request to one target.
private enum Outcome {
    case accepted(SendReceipt, Prepared)
    case failed(PushError, Prepared)
    case notAttempted(PushError?)
}

/// The outcomes of the targets of one slice.
private struct Outcomes: Sendable {
    private let slice: SendPlan.Slice
    private var messageIDs: [Int: [MessageID]] = [:]
    private var exceptions: [TargetReport] = []
    private var failures: [PushError.Kind: Int] = [:]
    /// The first error; its effect is unknown if that of any is.
    private var error: PushError?
    private var keying: SliceReport.Keying?
    private var requestCount = 0

    init(_ slice: SendPlan.Slice) { self.slice = slice }

    mutating func note(_ outcome: Outcome, ofTargetAt index: Int) {
        let single = slice.single(index)
        switch outcome {
        case .accepted(let receipt, let prepared):
            note(prepared)
            messageIDs[index] = receipt.messageIDs
            exceptions += single.marking(receipt.exceptions)
        case .failed(let error, let prepared):
            note(prepared)
            failures[error.kind, default: 0] += 1
            exceptions += single.statuses(after: error)
            self.error = self.error ?? error
            if error.effect == .unknown { self.error?.effect = .unknown }
        case .notAttempted(let reason):
            exceptions += single.reports { _ in .notAttempted }.because(of: reason)
            error = error ?? reason
        }
    }

    private mutating func note(_ prepared: Prepared) {
        if prepared.isReady { requestCount += 1 }
        if keying == nil || prepared.keying != .keyed { keying = prepared.keying }
    }

    var report: SliceReport {
        var report = SliceReport(
            index: slice.index, targetCount: slice.count,
            messageIDs: messageIDs.sorted { $0.key < $1.key }.flatMap(\.value),
            keying: keying ?? .unkeyed("nothing was sent"), exceptions: slice.exceptions + exceptions)
        report.requestCount = requestCount
        report.failures = failures
        if report.acceptedCount == 0 { report.error = error }
        return report
    }
}

extension SendPlan.Slice {
    fileprivate func single(_ index: Int) -> SendPlan.Slice {
        SendPlan.Slice(index: self.index, targets: [targets[index]], positions: [positions[index]])
    }
}

extension Int {
    fileprivate mutating func next(below end: Int) -> Int? {
        guard self < end else { return nil }
        defer { self += 1 }
        return self
    }
}
