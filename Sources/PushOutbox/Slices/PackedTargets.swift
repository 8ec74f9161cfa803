import PushAdapter

/// The targets of a slice, packed into bytes. This takes a tenth of the time and a quarter of the space of a row for
/// each target.
///
/// | field | bytes | present |
/// | --- | --- | --- |
/// | version | 1 | once |
/// | count | number | once |
/// | kind and flags | 1 | for each target |
/// | steps of index and position from the target before | two numbers | unless both steps are 1 |
/// | position that it repeats | number | if it is a repeat |
/// | why its form is wrong | text | if malformed; empty if the same as for the last malformed one |
/// | account type | number | if it is an account with a type |
/// | target | text | for each target |
/// | second route: part, kind, account type, target | as above | if it has one |
///
/// A number has seven bits a byte. A text is its length and its bytes.
struct PackedTargets: Sendable {
    struct Entry: Sendable, Hashable {
        /// The index in the slice, which is that of its outcome in the row.
        var index: Int
        var position: ListPosition
        var target: Target
        /// The position of the target that it repeats.
        var repeats: ListPosition?
        /// Why its form is wrong; it is never sent.
        var malformed: String?
        /// The second route: the message takes it if this route's vendor certainly did not take the message.
        var other: Other?
    }

    /// A target in another part.
    struct Other: Sendable, Hashable {
        var part: Int
        var target: Target
    }

    private static let version: UInt8 = 2
    private static let isRepeat: UInt8 = 0x10
    private static let hasOther: UInt8 = 0x20
    private static let isNext: UInt8 = 0x40
    private static let isMalformed: UInt8 = 0x80

    var entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version]
        bytes.reserveCapacity(8 + entries.reduce(0) { $0 + $1.target.text.utf8.count + 4 })
        bytes.append(number: entries.count)
        var (index, position) = (-1, -1)
        var reason = ""
        for entry in entries {
            let isNext = entry.index == index &+ 1 && entry.position.number == position &+ 1
            let flags =
                (entry.repeats == nil ? 0 : Self.isRepeat) | (entry.other == nil ? 0 : Self.hasOther)
                | (isNext ? Self.isNext : 0) | (entry.malformed == nil ? 0 : Self.isMalformed)
            bytes.append(entry.target.packedKind | flags)
            if !isNext {
                bytes.append(number: entry.index &- index)
                bytes.append(number: entry.position.number &- position)
            }
            (index, position) = (entry.index, entry.position.number)
            if let first = entry.repeats { bytes.append(number: first.number) }
            if let malformed = entry.malformed {
                bytes.append(text: malformed == reason ? "" : malformed)
                reason = malformed
            }
            bytes.append(entry.target)
            if let other = entry.other {
                bytes.append(number: other.part)
                bytes.append(other.target.packedKind)
                bytes.append(other.target)
            }
        }
        return bytes
    }

    /// Refuses bytes of a newer version with `unsupported` and damaged bytes with `invalidState`.
    init(reading bytes: [UInt8]) throws(PushError) {
        var rest = bytes[...]
        func refusal(_ what: String) -> PushError {
            PushError(.invalidState, "the stored targets of a slice cannot be read: \(what)")
        }
        guard let version = rest.popFirst(), version > 0 else { throw refusal("they have no version") }
        guard version <= Self.version else {
            throw PushError(.unsupported, "the stored targets of a slice are of a newer version; update the worker")
        }
        guard let count = rest.takeNumber(), (0...min(bytes.count, SliceRow.mostTargets)).contains(count) else {
            throw refusal("they have no count")
        }
        entries = []
        entries.reserveCapacity(count)
        var (index, position) = (-1, -1)
        var reason = ""
        for _ in 0..<count {
            guard let kind = rest.popFirst() else { throw refusal("they end early") }
            if kind & Self.isNext != 0 {
                (index, position) = (index &+ 1, position &+ 1)
            } else {
                guard let moreIndex = rest.takeNumber(), let morePosition = rest.takeNumber() else {
                    throw refusal("they end early")
                }
                (index, position) = (index &+ moreIndex, position &+ morePosition)
            }
            var repeats: ListPosition?
            if kind & Self.isRepeat != 0 {
                guard let first = rest.takeNumber() else { throw refusal("they end early") }
                repeats = ListPosition(first)
            }
            var malformed: String?
            if kind & Self.isMalformed != 0 {
                guard let text = rest.takeText() else { throw refusal("they end early") }
                if !text.isEmpty { reason = text }
                malformed = reason
            }
            guard let target = rest.takeTarget(kind & 0x0F) else {
                throw refusal("a target ends early or is of no kind")
            }
            var entry = Entry(
                index: index, position: ListPosition(position), target: target, repeats: repeats, malformed: malformed)
            if kind & Self.hasOther != 0 {
                guard let part = rest.takeNumber(), let kind = rest.popFirst(), let other = rest.takeTarget(kind) else {
                    throw refusal("the other way of a target ends early or is of no kind")
                }
                entry.other = Other(part: part, target: other)
            }
            entries.append(entry)
        }
        guard rest.isEmpty else { throw refusal("they have more than they count") }
    }
}

extension PackedTargets {
    /// Also refuses a second route that leads to no part of the campaign.
    init(reading bytes: [UInt8], of campaign: Campaign) throws(PushError) {
        try self.init(reading: bytes)
        guard entries.allSatisfy({ $0.other.map { campaign.part($0.part) != nil } ?? true }) else {
            throw PushError(
                .invalidState,
                "the stored targets of a slice cannot be read: a second route leads to no part of the campaign")
        }
    }
}

extension Target {
    /// The number of its kind.
    var kind: UInt8 {
        switch self {
        case .device: 0
        case .alias: 1
        case .account: 2
        }
    }

    /// The number of its kind as packed: an account with a type is a kind of its own.
    fileprivate var packedKind: UInt8 {
        if case .account(let account) = self, account.type != nil { 3 } else { kind }
    }
}
