import PushAdapter

/// Random numbers from a seed, for several threads.
final class Dice: Sendable {
    private let state: Locked<UInt64>

    init(seed: UInt64) { state = Locked(seed) }

    /// SplitMix64.
    func next() -> UInt64 {
        let value = state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
        let first = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let second = (first ^ (first >> 27)) &* 0x94D0_49BB_1331_11EB
        return second ^ (second >> 31)
    }

    func roll(_ range: Range<Int>) -> Int { range.lowerBound + Int(next() % UInt64(range.count)) }
    func roll(_ range: ClosedRange<Int>) -> Int { roll(range.lowerBound..<range.upperBound + 1) }
    func happens(_ percent: Int) -> Bool { roll(0..<100) < percent }
    func pick<Element>(_ list: [Element]) -> Element { list[roll(0..<list.count)] }
}

/// 36 hexadecimal digits, unique to a call. They name a device, a tag or a message that the server recognizes wherever
/// it appears.
enum Unit {
    static let filler = "feedc0defeedc0defeed"

    private static let numbers = Locked(0)

    /// A new unit that no call has used.
    static func next() -> String { make(block(1)) }

    /// The number of the first of several new units.
    static func block(_ count: Int) -> Int {
        numbers.withLock { number in
            defer { number += count }
            return number + 1
        }
    }

    static func make(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + filler
    }

    /// All units in a request, without duplicates.
    static func find(in bytes: [UInt8]) -> [String] {
        let filler = Array(filler.utf8)
        var found: [String] = []
        var rest = bytes[...]
        while let range = rest.firstRange(of: filler) {
            let unit = rest[..<range.upperBound].suffix(36)
            let text = String(decoding: unit, as: UTF8.self)
            if unit.count == 36, !found.contains(text) { found.append(text) }
            rest = rest[range.upperBound...]
        }
        return found
    }
}
