public import FoundationEssentials

/// The values that a send needs and an adapter must not make itself; the client passes them to the call.
public struct SendContext: Sendable, Hashable {
    /// The moment at which the request is made, for times that a vendor counts from it.
    public var now: Date
    /// The idempotency key; nil for a request without one.
    public var key: IdempotencyKey?
    private let high: UInt64
    private let low: UInt64

    /// A context of this moment, with a random id.
    public init(at now: Date, key: IdempotencyKey? = nil) {
        self.init(at: now, key: key, id: (.random(in: .min ... .max), .random(in: .min ... .max)))
    }

    /// A context of this moment with an id of these bits, for a client that makes ids faster than the system does.
    package init(at now: Date, key: IdempotencyKey?, id: (high: UInt64, low: UInt64)) {
        self.now = now
        self.key = key
        (high, low) = id
    }

    /// A unique id, 32 hex digits in lower case, for vendors that let the sender name a message; the same each time.
    public var id: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The same id as a UUID in lower case: 8, 4, 4, 4 and 12 digits.
    public var uuid: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var index = 0
            for (start, half) in [(0, high), (16, low)] {
                for digit in 0..<16 {
                    if [8, 12, 16, 20].contains(start + digit) {
                        text[index] = 0x2D
                        index += 1
                    }
                    let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * digit) & 0xF)
                    text[index] = value < 10 ? 0x30 + value : 0x57 + value
                    index += 1
                }
            }
            return index
        }
    }
}
