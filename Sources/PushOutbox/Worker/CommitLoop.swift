import PushAdapter

/// Commits changes in groups: changes that arrive during a transaction form the next one. An idle worker commits each
/// change at once. A busy worker, or one with a slow disk, commits many together. This needs no timer.
actor CommitLoop {
    typealias Waiting = (change: SliceChange, place: CheckedContinuation<Result<Bool, PushError>, Never>)

    private static let largestGroup = 256

    private let outbox: PushOutbox
    private(set) var waiting: [Waiting] = []
    private var isRunning = false

    init(_ outbox: PushOutbox) { self.outbox = outbox }

    /// Makes a change; false if the row is not as expected.
    func commit(_ change: SliceChange) async throws(PushError) -> Bool {
        let result = await withCheckedContinuation { place in
            waiting.append((change, place))
            guard !isRunning else { return }
            isRunning = true
            // Not a child task: a cancelled worker still writes its results.
            Task { await self.run() }
        }
        return try result.get()
    }

    private func run() async {
        while !waiting.isEmpty {
            let group = Array(waiting.prefix(Self.largestGroup))
            waiting.removeFirst(group.count)
            await make(group[...])
        }
        isRunning = false
    }

    /// Makes changes in one transaction. If the store refuses one of them for good, makes each half alone, so that the
    /// others do not fail with it.
    private func make(_ group: ArraySlice<Waiting>) async {
        let now = outbox.moment
        do throws(PushError) {
            let changes = group.map { $0.change.redated(at: now) }
            let made = try await outbox.stored { try await $0.apply(changes) }
            for (one, isMade) in zip(group, made) { one.place.resume(returning: .success(isMade)) }
        } catch {
            guard error.kind == .invalidArgument, group.count > 1 else {
                for one in group { one.place.resume(returning: .failure(error)) }
                return
            }
            let half = group.count / 2
            await make(group.prefix(half))
            await make(group.dropFirst(half))
        }
    }
}
