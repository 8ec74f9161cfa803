import PushAdapter

/// Runs calls on one subject one at a time, in order of arrival.
actor SubjectLocks {
    private var lines: [Subject: WaitingLine] = [:]
    private var lastNumber = 0
    private var isClosed = false

    /// Returns true when the subject is locked, and `unlock` must follow; false when the deadline passed, the task was
    /// cancelled or the client was shut down while waiting.
    func lock(_ subject: Subject, within deadline: Deadline) async -> Bool {
        if take(subject) { return true }
        deadline.giveBackPlace()
        let isLocked = await waiting(atMost: deadline.remaining, on: deadline.clock) { await self.join(subject) }
        guard isLocked else { return false }
        guard await deadline.takePlace() else {
            unlock(subject)
            return false
        }
        return true
    }

    /// Ends all waits, now and from now on.
    func close() {
        isClosed = true
        for subject in lines.keys { lines[subject]?.dismissAll().resume() }
    }

    private func take(_ subject: Subject) -> Bool {
        guard lines[subject] == nil else { return false }
        lines[subject] = WaitingLine()
        return true
    }

    private func join(_ subject: Subject) async -> Bool {
        if take(subject) { return true }
        lastNumber += 1
        let number = lastNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { place in
                if Task.isCancelled || isClosed {
                    place.resume(returning: false)
                } else {
                    lines[subject]?.join(number, place)
                }
            }
        } onCancel: {
            Task { await self.leave(subject, number) }
        }
    }

    func unlock(_ subject: Subject) {
        if lines[subject]?.isEmpty ?? true { lines[subject] = nil } else { lines[subject]?.admitFirst().resume() }
    }

    private func leave(_ subject: Subject, _ number: Int) { lines[subject]?.leave(number).resume() }
}
