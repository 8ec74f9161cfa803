import PushCore

/// Turns a stream of targets into slices: checks each, drops repetitions, and closes a slice when it is full.
struct SendPlan {
    /// One request to be: its targets in order, and those of its stretch that are not sent.
    struct Slice: Sendable {
        var index: Int
        var targets: [TargetReport] = []
        var exceptions: [TargetReport] = []

        var count: Int { targets.count + exceptions.count }
    }

    private let size: Int
    private let check: (Target) throws(PushError) -> Void
    private var digests = TargetDigests()
    private var slice = Slice(index: 0)
    private var position = 0

    init(size: Int, check: @escaping (Target) throws(PushError) -> Void) {
        self.size = max(1, size)
        self.check = check
    }

    /// Adds a target; returns the slice that it fills.
    mutating func add(_ target: Target) -> Slice? {
        defer { position += 1 }
        if let first = digests.firstPosition(of: target, at: position) {
            slice.exceptions.append(TargetReport(position: position, target: target, status: .duplicate(of: first)))
        } else if (try? check(target)) == nil {
            slice.exceptions.append(TargetReport(position: position, target: target, status: .invalid))
        } else {
            slice.targets.append(TargetReport(position: position, target: target, status: .accepted))
        }
        return slice.targets.count == size ? close() : nil
    }

    /// The last slice; nil when nothing is left.
    mutating func finish() -> Slice? { slice.count > 0 ? close() : nil }

    private mutating func close() -> Slice {
        let full = slice
        slice = Slice(index: full.index + 1)
        return full
    }
}

/// A list as an asynchronous sequence that never waits.
struct ListSource: AsyncSequence, Sendable {
    typealias Element = Target
    typealias Failure = Never

    let targets: [Target]

    func makeAsyncIterator() -> Iterator { Iterator(rest: targets.makeIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: IndexingIterator<[Target]>
        mutating func next() async -> Target? { rest.next() }
        mutating func next(isolation actor: isolated (any Actor)?) async -> Target? { rest.next() }
    }
}
