import PushCore

/// The targets of a slice as one text of bytes: a tenth of the time and a quarter of the space of a row for each.
///
/// A version, a count, and for each target: what it adds to the index and to the position of the one before, its kind, the
/// position that it repeats, its account type, its length, and its bytes. Numbers have seven bits a byte.
struct PackedTargets: Sendable {
    struct Entry: Sendable, Hashable {
        /// Its place in the slice.
        var index: Int
        /// Its place in the caller's list.
        var position: Int
        var target: Target
        /// The place in the caller's list that it repeats.
        var repeats: Int?
    }

    private static let version: UInt8 = 1
    private static let isRepeat: UInt8 = 0x10

    var entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version]
        bytes.reserveCapacity(8 + entries.reduce(0) { $0 + $1.target.text.utf8.count + 4 })
        bytes.append(number: entries.count)
        var (index, position) = (0, 0)
        for entry in entries {
            bytes.append(number: entry.index - index)
            bytes.append(number: entry.position - position)
            (index, position) = (entry.index, entry.position)
            var kind: UInt8 = 0
            var type: Int?
            switch entry.target {
            case .device: kind = 0
            case .alias: kind = 1
            case .account(let account):
                type = account.type
                kind = type == nil ? 2 : 3
            }
            bytes.append(kind | (entry.repeats == nil ? 0 : Self.isRepeat))
            if let first = entry.repeats { bytes.append(number: first) }
            if let type { bytes.append(number: type << 1 ^ type >> (Int.bitWidth - 1)) }
            bytes.append(number: entry.target.text.utf8.count)
            bytes.append(contentsOf: entry.target.text.utf8)
        }
        return bytes
    }

    /// Refuses with `unsupported` bytes of a newer version, and with `invalidState` what is damaged.
    init(reading bytes: [UInt8]) throws(PushError) {
        var rest = bytes[...]
        func refusal(_ what: String) -> PushError {
            PushError(.invalidState, "the stored targets of a slice cannot be read: \(what)")
        }
        guard let version = rest.popFirst(), version > 0 else { throw refusal("they have no version") }
        guard version <= Self.version else {
            throw PushError(.unsupported, "the stored targets of a slice are of a newer version; update the worker")
        }
        guard let count = rest.takeNumber(), count <= bytes.count else { throw refusal("they have no count") }
        entries = []
        entries.reserveCapacity(count)
        var (index, position) = (0, 0)
        for _ in 0..<count {
            guard let moreIndex = rest.takeNumber(), let morePosition = rest.takeNumber(), let kind = rest.popFirst()
            else { throw refusal("they end early") }
            (index, position) = (index &+ moreIndex, position &+ morePosition)
            var repeats: Int?
            if kind & Self.isRepeat != 0 {
                guard let first = rest.takeNumber() else { throw refusal("they end early") }
                repeats = first
            }
            var type: Int?
            if kind & 0x0F == 3 {
                guard let number = rest.takeNumber() else { throw refusal("they end early") }
                type = Int(bitPattern: UInt(bitPattern: number) >> 1) ^ -(number & 1)
            }
            guard let length = rest.takeNumber(), length >= 0, length <= rest.count else {
                throw refusal("they end early")
            }
            let text = String(decoding: rest.prefix(length), as: UTF8.self)
            rest = rest.dropFirst(length)
            let target: Target
            switch kind & 0x0F {
            case 0: target = .device(DeviceID(text))
            case 1: target = .alias(Alias(text))
            case 2, 3: target = .account(Account(name: text, type: type))
            default: throw refusal("a target has an unknown kind")
            }
            entries.append(Entry(index: index, position: position, target: target, repeats: repeats))
        }
        guard rest.isEmpty else { throw refusal("they have more than they count") }
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func takeNumber() -> Int? {
        var number: UInt = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard let byte = popFirst() else { return nil }
            number |= UInt(byte & 0x7F) << UInt(shift)
            if byte < 0x80 { return Int(bitPattern: number) }
        }
        return nil
    }
}
