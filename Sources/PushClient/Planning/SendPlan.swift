package import PushAdapter

/// Turns a stream of targets into slices: checks each, drops duplicates, and closes a slice when it is full.
package struct SendPlan {
    /// One planned request: its targets in order, and the targets of its part of the list that are left out.
    package struct Slice: Sendable {
        package var index: Int
        package var targets: [Target] = []
        /// The position of each target in the list that was cut. In an outbox's attempt for a stored slice, that list is
        /// the slice, so the position is the target's index in it.
        package var positions: [Int] = []
        package var exceptions: [TargetReport] = []

        package init(index: Int, targets: [Target] = [], positions: [Int] = []) {
            (self.index, self.targets, self.positions) = (index, targets, positions)
        }

        var count: Int { targets.count + exceptions.count }

        /// Reports on its targets, for those that `status` returns a status for.
        func reports(_ status: (Target) -> TargetStatus?) -> [TargetReport] {
            zip(targets, positions).compactMap { target, position in
                status(target).map { TargetReport(position: position, target: target, status: $0) }
            }
        }
    }

    private let size: Int
    private let mostExceptions: Int
    private let rules: TargetRules
    private let separatesTypes: Bool
    private var digests: TargetDigests
    private var slice = Slice(index: 0)
    /// If accounts of different types go in different slices: the type of the open slice, and the open slices of the
    /// others.
    private var type: Int?
    private var others: [Int?: Slice] = [:]
    private var nextIndex = 0
    private var position = 0

    /// - Parameters:
    ///   - size: the targets of a slice.
    ///   - count: how many targets are coming, 0 if unknown.
    ///   - mostExceptions: a slice with this many targets that are not sent is full too. It may have no others.
    ///   - separatesTypes: whether accounts of different types go in different slices.
    ///   - rules: which targets the provider accepts.
    init(
        size: Int, count: Int, separatesTypes: Bool = false, mostExceptions: Int = .max, rules: TargetRules
    ) {
        self.size = max(1, size)
        self.mostExceptions = mostExceptions
        self.rules = rules
        self.separatesTypes = separatesTypes
        digests = TargetDigests(reserving: count)
    }

    /// Adds a target; returns the slice that it fills.
    /// - Parameter place: its position in the caller's list, after all before it; nil for the next one.
    package mutating func add(_ target: Target, at place: Int? = nil) -> Slice? {
        if let place { position = place }
        defer { position += 1 }
        if let first = digests.firstPosition(of: rules.canonical(target), at: position) {
            slice.exceptions.append(TargetReport(position: position, target: target, status: .duplicate(of: first)))
        } else if let refusal = rules.refusal(of: target) {
            let status = TargetStatus.malformed(reason: refusal.message)
            slice.exceptions.append(TargetReport(position: position, target: target, status: status))
        } else {
            if separatesTypes, case .account(let account) = target { open(account.type) }
            slice.targets.append(target)
            slice.positions.append(position)
        }
        return slice.targets.count == size || slice.exceptions.count >= mostExceptions ? close() : nil
    }

    /// Returns the last slices: one, or one per account type; empty when nothing is left.
    package mutating func finish() -> [Slice] {
        var rest = slice.count > 0 ? [close()] : []
        for type in others.keys.sorted(by: { ($0 ?? .min) < ($1 ?? .min) }) {
            slice = others[type] ?? slice
            if slice.count > 0 { rest.append(close()) }
        }
        others = [:]
        return rest.withoutEmptySlices
    }

    private mutating func open(_ type: Int?) {
        guard type != self.type else { return }
        others[self.type] = slice
        slice = others.removeValue(forKey: type) ?? Slice(index: 0)
        self.type = type
    }

    private mutating func close() -> Slice {
        var full = slice
        full.index = nextIndex
        nextIndex += 1
        slice = Slice(index: 0)
        return full
    }
}

extension [SendPlan.Slice] {
    /// Moves targets that are not sent to the first slice that is sent, if there is one.
    fileprivate var withoutEmptySlices: [SendPlan.Slice] {
        guard let start = first?.index, contains(where: { !$0.targets.isEmpty }) else { return self }
        var sent = filter { !$0.targets.isEmpty }
        sent[0].exceptions += flatMap { $0.targets.isEmpty ? $0.exceptions : [] }
        for index in sent.indices { sent[index].index = start + index }
        return sent
    }
}

/// A list as an asynchronous sequence that never waits.
struct ListSource: AsyncSequence, Sendable {
    typealias Element = Target
    typealias Failure = Never

    let targets: [Target]

    /// The last target whose first occurrence is after a position and not at one of others, with the position of that
    /// occurrence. Nil if there is none, or if the end of the list repeats its head.
    func lastTarget(
        after start: Int, except others: Set<Int>, _ rules: TargetRules
    ) -> (target: Target, position: Int)? {
        let rest = targets.indices.reversed().prefix { $0 > start }
        for target in rest.lazy.map({ targets[$0] }).filter(rules.takes).prefix(16) {
            let form = rules.canonical(target)
            if let first = targets.firstIndex(where: { rules.canonical($0) == form }), first > start,
                !others.contains(first)
            {
                return (targets[first], first)
            }
        }
        return nil
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: targets.makeIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: IndexingIterator<[Target]>
        mutating func next() async -> Target? { rest.next() }
        mutating func next(isolation actor: isolated (any Actor)?) async -> Target? { rest.next() }
    }
}
