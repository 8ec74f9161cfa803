public import FoundationEssentials

/// The smallest part of a campaign that a worker takes: one request, or some hundred where each target has one of its
/// own. A store keeps a row for each, and changes rows as it is told; what a change means is decided elsewhere.
public struct SliceRow: Sendable, Hashable {
    /// Which one.
    public struct ID: Sendable, Hashable, Comparable {
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

        public static func < (left: ID, right: ID) -> Bool {
            (left.campaign, left.part, left.number) < (right.campaign, right.part, right.number)
        }
    }

    /// Where a slice is.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// Waits for a worker.
        case ready = 0
        /// A worker has it and has sent nothing.
        case leased = 1
        /// The targets before `marked` may have been sent.
        case sending = 2
        /// Every target has its outcome.
        case done = 3
        /// Several workers crashed while they had it. A person must resume it.
        case quarantined = 4
    }

    /// Which one.
    public var id: ID
    /// Where it is.
    public var state = State.ready
    /// Not leased before.
    public var notBefore: Date
    /// Raised by each lease: a change that expects another number is refused.
    public var epoch = 0
    /// The worker that has it; 0 for none.
    public var owner: Int64 = 0
    /// Workers that crashed while they had it.
    public var crashes = 0
    /// Attempts that failed.
    public var attempts = 0
    /// Counts the keys made for it.
    public var generation = 0
    /// The idempotency key of the current try, and of the next if `mayHaveActed`.
    public var key: String?
    /// When the vendor may forget the key.
    public var keyUntil: Date?
    /// When a request first carried the key.
    public var keyUsedAt: Date?
    /// The same moment, by a clock that cannot be set.
    public var keyUptime: Uptime?
    /// Whether the vendor may have acted on an earlier try: then only the same key may be sent.
    public var mayHaveActed = false
    /// The targets before this one, counted from 0, may have been sent: in the current try, or with the key that is kept.
    public var marked = 0
    /// Targets that were sent to a second time with an unknown first outcome.
    public var resent = 0
    /// One outcome for each target.
    public var outcomes: [Outcome]
    /// What else is said of the last try, as JSON; nil for nothing.
    public var notes: [UInt8]?

    /// A slice that no worker has had.
    public init(id: ID, notBefore: Date, outcomes: [Outcome]) {
        (self.id, self.notBefore, self.outcomes) = (id, notBefore, outcomes)
    }
}

extension SliceRow {
    /// The outcome of one target, one byte in a store.
    public struct Outcome: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// Its number.
        public let rawValue: UInt8

        /// The outcome with this number.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// To be sent; no earlier request can have reached it.
        public static let open = Outcome(rawValue: 0)
        /// The vendor accepted it.
        public static let accepted = Outcome(rawValue: 1)
        /// The vendor says that it does not know it, or does not take it.
        public static let invalid = Outcome(rawValue: 2)
        /// The vendor says that it does not fit.
        public static let suspect = Outcome(rawValue: 3)
        /// Refused for good.
        public static let rejected = Outcome(rawValue: 4)
        /// Refused each time; nothing was done, and a later campaign may succeed.
        public static let rejectedForNow = Outcome(rawValue: 5)
        /// It may have been sent: its request is on its way, or it is to be sent again with the same key or because a person
        /// said so. If nothing more is known of it, it is unknown.
        public static let openAgain = Outcome(rawValue: 6)
        /// The outcome cannot be known.
        public static let unknown = Outcome(rawValue: 7)
        /// It is in the list before.
        public static let duplicate = Outcome(rawValue: 8)
        /// Never sent, because its form breaks a rule that the vendor documents.
        public static let malformed = Outcome(rawValue: 9)
        /// The vendor certainly did not take it, and its message went on at another route: a slice of another part has it. The
        /// ``cause`` says why.
        public static let moved = Outcome(rawValue: 0x40)

        private static let vendorsWord: UInt8 = 0x80
        private static let moving: UInt8 = 0x20

        /// The name of its kind, as reports and metrics have it; such as `accepted`.
        public var description: String {
            switch kind {
            case .open: "open"
            case .openAgain: "openAgain"
            case .accepted: "accepted"
            case .invalid: "invalid"
            case .suspect: "suspect"
            case .rejected: "rejected"
            case .rejectedForNow: "rejectedForNow"
            case .unknown: "unknown"
            case .duplicate: "duplicate"
            case .malformed: "malformed"
            case .moved: "moved"
            default: "other"
            }
        }

        /// The same, as said by the vendor of this target.
        var saidByVendor: Outcome { Outcome(rawValue: rawValue | Self.vendorsWord) }
        /// Whether the vendor said so of this target.
        public var isSaidByVendor: Bool { rawValue & Self.vendorsWord != 0 }
        /// The same, and its message is to go on at another route.
        var movingOn: Outcome { Outcome(rawValue: rawValue | Self.moving) }
        /// Whether its message is to go on at another route, and no other slice has it yet.
        var isMoving: Bool { rawValue & Self.moving != 0 }
        /// The same, and its message went on.
        var movedOn: Outcome { Outcome(rawValue: rawValue & ~Self.moving | Self.moved.rawValue) }
        /// Whether it is to be sent by its slice.
        public var isOpen: Bool { self == .open || self == .openAgain }
        /// The outcome without its flags; `moved` for a target whose message went on, `open` for one whose message is to go on.
        public var kind: Outcome { isMoving ? .open : rawValue & Self.moved.rawValue != 0 ? .moved : cause }
        /// The outcome without its flags (said by the vendor, moving, moved); `open` if there was no attempt.
        public var cause: Outcome {
            Outcome(rawValue: rawValue & ~(Self.vendorsWord | Self.moved.rawValue | Self.moving))
        }
    }

    /// The positions of the targets that are to be sent.
    var open: [Int] { outcomes.indices.filter { outcomes[$0].isOpen } }

    /// Whether some messages are to go on at another route.
    var isMoving: Bool { outcomes.contains(where: \.isMoving) }

    /// Notes that what was to go on went on.
    mutating func moveOn() {
        for position in outcomes.indices where outcomes[position].isMoving {
            outcomes[position] = outcomes[position].movedOn
        }
    }

    /// How many targets have which outcome.
    public var counts: [Outcome: Int] { counts(of: outcomes.indices) }

    /// How many of the targets at these positions have which outcome.
    func counts(of positions: some Sequence<Int>) -> [Outcome: Int] {
        // By byte first, because hashing a thousand takes longer than the rest of a change.
        var bytes = [Int](repeating: 0, count: 256)
        for position in positions { bytes[Int(outcomes[position].rawValue)] += 1 }
        return bytes.indices.reduce(into: [:]) { counts, byte in
            guard bytes[byte] > 0 else { return }
            counts[Outcome(rawValue: UInt8(byte)).kind, default: 0] += bytes[byte]
        }
    }

    /// Gives targets an outcome. What may have been sent before is not rejected by a later refusal: it stays unknown.
    mutating func close(_ positions: some Sequence<Int>, as outcome: Outcome) {
        let saysNothingSent = [.rejected, .rejectedForNow].contains(outcome.kind)
        for position in positions {
            let mayHaveBeenSent = [.openAgain, .unknown].contains(outcomes[position].kind)
            outcomes[position] = saysNothingSent && mayHaveBeenSent ? .unknown : outcome
        }
    }

    /// The row as a store keeps it while requests are on their way: what is before the mark may have been sent, but for
    /// those that were refused.
    func noted(_ isRefused: (Int) -> Bool) -> SliceRow {
        var slice = self
        for position in 0..<min(marked, outcomes.count) where outcomes[position] == .open && !isRefused(position) {
            slice.outcomes[position] = .openAgain
        }
        return slice
    }
}
