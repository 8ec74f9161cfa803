import PushAdapter

/// Commits changes in groups: what was asked for while one transaction ran is the next. So an idle worker commits each
/// change at once, and a busy one, or one on a slow disk, commits many together, without a timer.
actor CommitLoop {
    private static let largestGroup = 256

    private let outbox: PushOutbox
    private var waiting: [(change: SliceChange, place: CheckedContinuation<Result<Bool, PushError>, Never>)] = []
    private var isRunning = false

    init(_ outbox: PushOutbox) { self.outbox = outbox }

    /// Makes a change; false if the row is not as expected.
    func commit(_ change: SliceChange) async throws(PushError) -> Bool {
        let result = await withCheckedContinuation { place in
            waiting.append((change, place))
            guard !isRunning else { return }
            isRunning = true
            // Not inherited: a cancelled worker still writes down what it knows.
            Task { await self.run() }
        }
        return try result.get()
    }

    private func run() async {
        while !waiting.isEmpty {
            let group = Array(waiting.prefix(Self.largestGroup))
            waiting.removeFirst(group.count)
            do throws(PushError) {
                let changes = group.map(\.change)
                let made = try await outbox.stored { try await $0.apply(changes) }
                for (one, isMade) in zip(group, made) { one.place.resume(returning: .success(isMade)) }
            } catch {
                for one in group { one.place.resume(returning: .failure(error)) }
            }
        }
        isRunning = false
    }
}
