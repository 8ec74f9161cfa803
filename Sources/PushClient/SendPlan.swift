import PushCore

/// Turns a stream of targets into slices: checks each, drops repetitions, and closes a slice when it is full.
struct SendPlan {
    /// One request to be: its targets in order, and those of its stretch that are not sent.
    struct Slice: Sendable {
        var index: Int
        var targets: [Target] = []
        /// Where each of the targets is in the caller's list.
        var positions: [Int] = []
        var exceptions: [TargetReport] = []

        var count: Int { targets.count + exceptions.count }

        /// What became of its targets, for those that `status` says something about.
        func reports(_ status: (Target) -> TargetStatus?) -> [TargetReport] {
            zip(targets, positions).compactMap { target, position in
                status(target).map { TargetReport(position: position, target: target, status: $0) }
            }
        }
    }

    private let size: Int
    private let takes: (Target) -> Bool
    private var digests: TargetDigests
    private var slice = Slice(index: 0)
    private var position = 0

    /// - Parameters:
    ///   - size: the targets of a slice.
    ///   - count: how many targets are coming, 0 when nobody knows.
    ///   - takes: whether the provider takes a target.
    init(size: Int, count: Int, takes: @escaping (Target) -> Bool) {
        self.size = max(1, size)
        self.takes = takes
        digests = TargetDigests(reserving: count)
    }

    /// Adds a target; returns the slice that it fills.
    mutating func add(_ target: Target) -> Slice? {
        defer { position += 1 }
        if let first = digests.firstPosition(of: target, at: position) {
            slice.exceptions.append(TargetReport(position: position, target: target, status: .duplicate(of: first)))
        } else if !takes(target) {
            slice.exceptions.append(TargetReport(position: position, target: target, status: .invalid))
        } else {
            slice.targets.append(target)
            slice.positions.append(position)
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
