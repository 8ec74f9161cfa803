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
        /// The vendor says that it does not know the target, or does not accept it.
        public static let invalid = Outcome(rawValue: 2)
        /// The vendor says that the target does not fit.
        public static let suspect = Outcome(rawValue: 3)
        /// Refused for good.
        public static let rejected = Outcome(rawValue: 4)
        /// Refused each time without effect. A later campaign may succeed.
        public static let rejectedForNow = Outcome(rawValue: 5)
        /// It may have been sent: its request is in flight, or it will be sent again, with the same key or because a
        /// person asked for it. If no more is learned, it becomes unknown.
        public static let openAgain = Outcome(rawValue: 6)
        /// The outcome cannot be known.
        public static let unknown = Outcome(rawValue: 7)
        /// It repeats an earlier target of the list.
        public static let duplicate = Outcome(rawValue: 8)
        /// Never sent, because its form breaks a rule that the vendor documents.
        public static let malformed = Outcome(rawValue: 9)
        /// The vendor certainly did not take the message, and it moved to another route: a slice of another part has
        /// it. The ``cause`` says why.
        public static let moved = Outcome(rawValue: 0x40)

        private static let vendorsWord: UInt8 = 0x80
        private static let moving: UInt8 = 0x20

        /// The name of its kind in reports and metrics, such as `accepted`.
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

        /// The outcome, marked as said by the vendor about this target.
        var saidByVendor: Outcome { Outcome(rawValue: rawValue | Self.vendorsWord) }
        /// Whether the vendor said this about this target.
        public var isSaidByVendor: Bool { rawValue & Self.vendorsWord != 0 }
        /// The outcome, marked to move to another route.
        var movingOn: Outcome { Outcome(rawValue: rawValue | Self.moving) }
        /// Whether its message will move to another route, but no other slice has it yet.
        var isMoving: Bool { rawValue & Self.moving != 0 }
        /// The outcome, marked as moved to another route.
        var movedOn: Outcome { Outcome(rawValue: rawValue & ~Self.moving | Self.moved.rawValue) }
        /// Whether its slice will send it.
        public var isOpen: Bool { self == .open || self == .openAgain }
        /// The outcome without its flags: `moved` for a message that moved on, `open` for one that will.
        public var kind: Outcome { isMoving ? .open : rawValue & Self.moved.rawValue != 0 ? .moved : cause }
        /// The outcome without its flags (said by the vendor, moving, moved); `open` if there was no attempt.
        public var cause: Outcome {
            Outcome(rawValue: rawValue & ~(Self.vendorsWord | Self.moved.rawValue | Self.moving))
        }
    }
}
