import PushAdapter

/// Waits for something, and cancels the wait after a timeout.
///
/// - Parameter wait: returns whether the wait succeeded; must end soon after its task is cancelled.
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

/// Tasks that wait, in order of arrival. A cancelled task leaves the line.
struct WaitingLine {
    typealias Place = CheckedContinuation<Bool, Never>

    /// Tasks that have left a line and go on when they are resumed. Never resume them while you hold a lock that the
    /// end of a wait takes. Resuming a task waits for its concurrent cancellation, which may wait for the lock.
    struct Departure {
        fileprivate var places: [(place: Place, isAdmitted: Bool)] = []

        func resume() { for one in places { one.place.resume(returning: one.isAdmitted) } }

        mutating func add(_ other: Departure) { places += other.places }
    }

    /// In order of arrival, with the numbers of some that left.
    private var order: ArraySlice<Int> = []
    private var places: [Int: Place] = [:]

    var isEmpty: Bool { places.isEmpty }

    /// - Parameter number: the task's number, never reused.
    mutating func join(_ number: Int, _ place: Place) {
        order.append(number)
        places[number] = place
    }

    /// Lets the first task go on.
    mutating func admitFirst() -> Departure {
        while let number = order.popFirst() {
            if let place = places.removeValue(forKey: number) { return Departure(places: [(place, true)]) }
        }
        return Departure()
    }

    /// Lets all tasks go on.
    mutating func admitAll() -> Departure { removeAll(true) }

    /// Ends all waits.
    mutating func dismissAll() -> Departure { removeAll(false) }

    private mutating func removeAll(_ isAdmitted: Bool) -> Departure {
        defer { (order, places) = ([], [:]) }
        return Departure(places: order.compactMap { places[$0] }.map { ($0, isAdmitted) })
    }

    /// Ends the wait of one task, if it still waits.
    mutating func leave(_ number: Int) -> Departure {
        guard let place = places.removeValue(forKey: number) else { return Departure() }
        if order.count > 2 * places.count { order.removeAll { places[$0] == nil } }
        return Departure(places: [(place, false)])
    }
}
