import PushAdapter

/// Generates the ids of a client's messages: 64 random bits of the client, and 64 bits that it never repeats. They need
/// not be hard to guess, and asking the system for random bits costs more than the rest of a request's plan.
final class MessageIDs: Sendable {
    private let client: UInt64
    private let last: Locked<UInt64>

    init(_ random: RandomSource) { (client, last) = (random.next(), Locked(random.next())) }

    func next() -> (high: UInt64, low: UInt64) {
        let number = last.withLock { last in
            last &+= 0x9E37_79B9_7F4A_7C15
            return last
        }
        // The mixing of SplitMix64, which maps no two numbers to the same one.
        var bits = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return (client, bits ^ (bits >> 31))
    }
}
