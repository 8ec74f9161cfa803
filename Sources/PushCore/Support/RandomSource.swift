/// The library's random numbers, for jitter and for names that must not repeat: the system's in production, seeded ones
/// in a simulation. Cryptographic keys and nonces do not come from here.
public struct RandomSource: RandomNumberGenerator, Sendable {
    /// The system's random numbers.
    public static let system = RandomSource { .random(in: .min ... .max) }

    private let draw: @Sendable () -> UInt64

    /// Random numbers from a function. All bits of its results must be equally likely.
    public init(_ draw: @escaping @Sendable () -> UInt64) { self.draw = draw }

    /// The next number.
    public func next() -> UInt64 { draw() }

    /// The next number between 0 and 1, both included.
    public func fraction() -> Double { Double(draw() >> 11) / Double(UInt64.max >> 11) }

    /// Random hexadecimal digits, 16 for every 64 of `bits`. The first digit is never 0.
    package func hex(bits: Int) -> String {
        (0..<bits / 64).map { _ in String(draw() | 1 << 63, radix: 16) }.joined()
    }
}
