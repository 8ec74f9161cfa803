public import FoundationEssentials

/// The smallest part of a campaign that a worker leases: one request, or some hundred if each target has a request of
/// its own. A store holds a row for each slice and changes it on request. The worker knows the meaning of a change.
public struct SliceRow: Sendable, Hashable {
    /// Identifies a slice.
    public struct ID: Sendable, Hashable, Comparable, CustomStringConvertible {
        /// The store's number of the campaign.
        public var campaign: Int64
        /// The number of the part.
        public var part: Int
        /// The number in the part, from 0.
        public var number: Int

        /// The slice with these numbers.
        public init(campaign: Int64, part: Int, number: Int) {
            (self.campaign, self.part, self.number) = (campaign, part, number)
        }

        /// The campaign, the part and the number: `17/0/3`.
        public var description: String { "\(campaign)/\(part)/\(number)" }

        public static func < (left: ID, right: ID) -> Bool {
            (left.campaign, left.part, left.number) < (right.campaign, right.part, right.number)
        }
    }

    /// The states of a slice.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// Waits for a worker.
        case ready = 0
        /// A worker has it but has sent nothing.
        case leased = 1
        /// The targets before `marked` may have been sent.
        case sending = 2
        /// Every target has its outcome.
        case done = 3
        /// Several workers crashed while they had it. A person must resume it.
        case quarantined = 4
    }

    /// Its numbers.
    public var id: ID
    /// Its state.
    public var state = State.ready
    /// No worker leases it before this moment.
    public var notBefore: Date
    /// Each lease raises it. The store refuses a change that expects another number.
    public var epoch = 0
    /// The worker that has it; 0 for none.
    public var owner: Int64 = 0
    /// Workers that crashed while they had it.
    public var crashes = 0
    /// Attempts that the vendor refused without an outcome for any target, and repeats of a key.
    public var attempts = 0
    /// Counts the keys made for it.
    public var generation = 0
    /// The idempotency key of the current attempt, and of the next one if `mayHaveActed`.
    public var key: String?
    /// When the vendor may forget the key.
    public var keyUntil: Date?
    /// When a request first carried the key.
    public var keyUsedAt: Date?
    /// The same moment on a clock that cannot be set.
    public var keyUptime: Uptime?
    /// Whether the vendor may have acted on an earlier attempt. Then only the same key may be sent.
    public var mayHaveActed = false
    /// Targets before this index may have been sent, in the current attempt or with the stored key.
    public var marked = 0
    /// Targets that were sent to again after an unknown outcome.
    public var resent = 0
    /// One outcome for each target.
    public var outcomes: [Outcome]
    /// More about the last attempt, as JSON; nil for nothing.
    public var notes: [UInt8]?

    /// A slice that no worker has had.
    public init(id: ID, notBefore: Date, outcomes: [Outcome]) {
        (self.id, self.notBefore, self.outcomes) = (id, notBefore, outcomes)
    }
}

extension SliceRow {
    /// The indices of the open targets.
    var open: [Int] { outcomes.indices.filter { outcomes[$0].isOpen } }

    /// Whether some messages will move to another route.
    var isMoving: Bool { outcomes.contains(where: \.isMoving) }

    /// Marks the moving messages as moved.
    mutating func moveOn() {
        for index in outcomes.indices where outcomes[index].isMoving {
            outcomes[index] = outcomes[index].movedOn
        }
    }

    /// The number of targets by outcome.
    public var counts: [Outcome: Int] { counts(of: outcomes.indices) }

    /// The number of targets at these indices by outcome.
    func counts(of indices: some Sequence<Int>) -> [Outcome: Int] {
        // Counts bytes first, because hashing a thousand outcomes takes longer than the rest of a change.
        var bytes = [Int](repeating: 0, count: 256)
        for index in indices { bytes[Int(outcomes[index].rawValue)] += 1 }
        return bytes.indices.reduce(into: [:]) { counts, byte in
            guard bytes[byte] > 0 else { return }
            counts[Outcome(rawValue: UInt8(byte)).kind, default: 0] += bytes[byte]
        }
    }

    /// Gives targets an outcome. A refusal does not reject a target that may have been sent before: it stays unknown.
    mutating func close(_ indices: some Sequence<Int>, as outcome: Outcome) {
        let saysNothingSent = [.rejected, .rejectedForNow].contains(outcome.kind)
        for index in indices {
            let mayHaveBeenSent = [.openAgain, .unknown].contains(outcomes[index].kind)
            outcomes[index] = saysNothingSent && mayHaveBeenSent ? .unknown : outcome
        }
    }

    /// The row that the store holds while requests are in flight. Targets before the mark may have been sent, except
    /// those that the vendor refused.
    func noted(_ isRefused: (Int) -> Bool) -> SliceRow {
        var slice = self
        for index in 0..<min(marked, outcomes.count) where outcomes[index] == .open && !isRefused(index) {
            slice.outcomes[index] = .openAgain
        }
        return slice
    }
}
