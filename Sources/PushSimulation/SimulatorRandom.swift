package import PushAdapter

/// Ids, keys and numbers for simulators, as random as their vendors'.
public enum SimulatorRandom {
    /// Where the numbers of the current task come from; a simulation with a seed has its own.
    @TaskLocal package static var source = RandomSource.system

    /// Random bytes, `count` of them.
    public static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: source.next() >> 32) }
    }

    /// A random number in a range.
    public static func number(in range: ClosedRange<Int>) -> Int {
        var source = source
        return Int.random(in: range, using: &source)
    }

    /// A random UUID, in lower case.
    public static func uuid() -> String {
        var bytes = bytes(16)
        // Version 4, of the variant that RFC 9562 defines.
        (bytes[6], bytes[8]) = (bytes[6] & 0x0F | 0x40, bytes[8] & 0x3F | 0x80)
        let digits = bytes.flatMap { byte in [byte >> 4, byte & 0xF].map { String($0, radix: 16) } }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0].joined() }.joined(separator: "-")
    }
}
