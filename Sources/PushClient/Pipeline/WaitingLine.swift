import PushCore

/// Waits for something, and cancels the wait when the time is over.
///
/// - Parameter wait: whether it came to what it waited for; ends soon when its task is cancelled.
/// - Returns: the same; false when the time was over, or the caller's task was cancelled.
func waiting(
    atMost time: Duration, on clock: any PushClock, _ wait: @escaping @Sendable () async -> Bool
) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
        group.addTask { await wait() }
        group.addTask {
            // Either way there is nothing more to wait for.
            try? await clock.expire(after: time)
            return false
        }
        var came = await group.next() ?? false
        group.cancelAll()
        // What came at the last moment has come.
        if await group.next() ?? false { came = true }
        return came
    }
}

/// Tasks that wait for something of an actor, in the order they came. A cancelled task leaves the line.
struct WaitingLine {
    typealias Place = CheckedContinuation<Bool, Never>

    private var places: [(number: Int, place: Place)] = []

    var isEmpty: Bool { places.isEmpty }

    /// - Parameter number: of the task, never used again.
    mutating func join(_ number: Int, _ place: Place) { places.append((number, place)) }

    /// Lets the first go on.
    mutating func admitFirst() { if !places.isEmpty { places.removeFirst().place.resume(returning: true) } }

    /// Lets everyone go on.
    mutating func admitAll() { while !places.isEmpty { admitFirst() } }

    /// Sends one away, if it still waits.
    mutating func leave(_ number: Int) {
        guard let index = places.firstIndex(where: { $0.number == number }) else { return }
        places.remove(at: index).place.resume(returning: false)
    }
}
