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
