import PushAdapter

/// A call about a list on its way: slice by slice, several at once, one report for all.
struct ListRun<Call: ListCall> {
    private let call: Call
    /// When the time of the list is up.
    private let end: Duration
    private let halt: SendHalt
    /// Nil at a vendor that takes several targets per request.
    private let fanOut: FanOut<Call>?
    /// The last position among the slices that have begun.
    private let begun = Locked(-1)
    private var reports: [SliceReport] = []
    private var running = 0
    /// Whether the first request has shown that the message can be sent at all.
    private var isProven = false
    private var isRefused = false

    /// - Parameter list: the targets, if they are in memory.
    init(_ call: Call, _ list: ListSource?) {
        let client = call.client
        let clock = client.configuration.clock
        self.call = call
        let end = clock.elapsed + (call.options.deadline?.bounded ?? client.configuration.plannedDeadline)
        self.end = end
        guard call.requestSize == 1 else {
            (halt, fanOut) = (SendHalt(), nil)
            return
        }
        let halt = SendHalt { [begun] probed in
            list?.lastTarget(after: begun.withLock { $0 }, except: probed, client.targetRules)
        }
        self.halt = halt
        fanOut = FanOut(
            call: call, halt: halt, credentials: CredentialHalt(), share: client.window.open(until: end, on: clock),
            end: end)
    }

    /// Makes the call and returns the reports of all slices, with the reason why some were not sent.
    consuming func run<Source: AsyncSequence>(
        to targets: Source, _ plan: consuming SendPlan
    ) async -> (reports: [SliceReport], interruption: PushError?) where Source.Element == Target {
        defer { fanOut?.share.close() }
        let isStream = !(targets is ListSource)
        await withTaskGroup(of: SliceReport.self) { group in
            do {
                for try await target in targets {
                    if let slice = plan.add(target) { await start(slice, in: &group) }
                    // Read a list in memory to its end, to report the rest, but stop reading a stream.
                    if isStream {
                        halt.stop(call.stopReason(at: end))
                        if halt.reason != nil { break }
                    }
                }
            } catch {
                let broken = PushError(
                    .invalidArgument, "the stream of targets failed; the report has what was read", underlying: error)
                halt.stop(call.stopReason(at: end) ?? broken)
            }
            // A stream may end without an error because the task was cancelled.
            if isStream { halt.stop(call.stopReason(at: end)) }
            for slice in plan.finish() { await start(slice, in: &group) }
            while let report = await group.next() { collect(report) }
        }
        return (reports, halt.reason ?? fanOut?.credentials?.reason)
    }

    private mutating func collect(_ report: SliceReport) {
        running -= 1
        call.options.onSlice?(report)
        reports.append(call.options.keepsMessageIDs ? report : report.withoutMessageIDs)
        if let error = report.error, error.endsList { halt.stop(error) }
    }

    /// Starts a slice, after others have ended if too many are on their way.
    private mutating func start(_ slice: SendPlan.Slice, in group: inout TaskGroup<SliceReport>) async {
        while running >= max(1, call.client.configuration.concurrentSlices), let report = await group.next() {
            collect(report)
        }
        running += 1
        halt.stop(call.stopReason(at: end))
        guard halt.reason == nil || halt.hasOutcome(in: slice.positions), !slice.targets.isEmpty else {
            return collect(call.client.unsent(slice, halt.reason, isRefused: isRefused))
        }
        let first = isProven ? nil : await prove(slice)
        if let fanOut, !(first?.isRefused ?? false) {
            let line = fanOut.begin(slice)
            // After the line has begun, so that a probe finds each target of the list here or there.
            begun.withLock { $0 = max($0, slice.positions.last ?? -1) }
            return group.addTask { await fanOut.send(line, first: first) }
        }
        group.addTask { [call, end] in
            let prepared: PreparedRequest
            if let first {
                prepared = first
            } else {
                prepared = await call.prepare(slice.targets, within: call.partDeadline(until: end))
            }
            return await call.runSlice(prepared, slice, within: call.partDeadline(until: end))
        }
    }

    /// Prepares the first request, which shows whether the message can be sent at all.
    private mutating func prove(_ slice: SendPlan.Slice) async -> PreparedRequest {
        let targets = fanOut == nil ? slice.targets : Array(slice.targets.prefix(1))
        let prepared = await call.prepare(targets, within: call.partDeadline(until: end))
        isProven = true
        if case .failure(let error) = prepared.exchange, error.isLocalRefusal {
            isRefused = true
            halt.stop(error)
        }
        return prepared
    }
}
