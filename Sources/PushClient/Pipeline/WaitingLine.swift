import PushCore

/// Waits for something, and cancels the wait after a timeout.
///
/// - Parameter wait: returns whether it got what it waited for; must end soon after its task is cancelled.
/// - Returns: the same; false after a timeout, or when the caller's task was cancelled.
func waiting(
    atMost time: Duration, on clock: any PushClock, _ wait: @escaping @Sendable () async -> Bool
) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
        group.addTask { await wait() }
        group.addTask {
            // Expired or cancelled, the wait is over.
            try? await clock.expire(after: time)
            return false
        }
        var came = await group.next() ?? false
        group.cancelAll()
        // A result that arrives at the last moment counts.
        if await group.next() ?? false { came = true }
        return came
    }
}

/// Tasks that wait in an actor, in order of arrival. A cancelled task leaves the line.
struct WaitingLine {
    typealias Place = CheckedContinuation<Bool, Never>

    private var places: [(number: Int, place: Place)] = []

    var isEmpty: Bool { places.isEmpty }

    /// - Parameter number: the task's number, never reused.
    mutating func join(_ number: Int, _ place: Place) { places.append((number, place)) }

    /// Resumes the first task.
    mutating func admitFirst() { if !places.isEmpty { places.removeFirst().place.resume(returning: true) } }

    /// Resumes all tasks.
    mutating func admitAll() { resumeAll(true) }

    /// Ends all waits.
    mutating func dismissAll() { resumeAll(false) }

    private mutating func resumeAll(_ isAdmitted: Bool) {
        let all = places
        places = []
        for place in all { place.place.resume(returning: isAdmitted) }
    }

    /// Ends the wait of one task, if it still waits.
    mutating func leave(_ number: Int) {
        guard let index = places.firstIndex(where: { $0.number == number }) else { return }
        places.remove(at: index).place.resume(returning: false)
    }
}
