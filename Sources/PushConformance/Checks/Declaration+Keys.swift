import PushAdapter
import PushClient

extension ConformanceCheck {
    static let callerKeys = ConformanceCheck(
        .declaration, "keys",
        "The client's keys fit the key limit, and the vendor states how long it remembers them.",
        isSafeLive: true
    ) { world in
        for (kind, memory) in world.provider.capabilities.callerKeys {
            try expect(
                memory.duration > .zero && !memory.source.isEmpty, "a time and its source",
                actual: "\(memory.duration), \(memory.source)", hint: "callerKeys of a \(kind.rawValue)")
            try expect(
                memory.scope == .request || [.target, .device].contains(memory.grade), "a key for each request",
                actual: "one for a message, of the grade \(memory.grade.rawValue)",
                hint: "a vendor that drops repeated requests would drop the second slice; leave the scope out")
        }
        guard !world.provider.capabilities.callerKeys.isEmpty else { return }
        let length = world.provider.capabilities.limits[.idempotencyKey]?.maximum ?? 32
        try expect(
            length >= shortestKey, "room for \(shortestKey) characters in a key",
            actual: "limits[.idempotencyKey] of \(length)",
            hint: "shorter keys of different messages could be equal; remove callerKeys")
        let texts = length < 32 ? lettersAndDigits.pages(of: shortestKey) : [Array(repeating: "0a", count: 16)]
        for text in texts.map({ $0.joined() }) {
            do throws(PushError) {
                try world.provider.capabilities.limits.check(
                    .text(text, .idempotencyKey, "a key"), of: world.provider.id)
            } catch {
                throw ConformanceFailure(
                    expected: "limits[.idempotencyKey] to take \(text)", actual: "\(error)",
                    hint: "the client makes such keys; remove callerKeys if the vendor does not accept them")
            }
        }
    }

    private static let shortestKey = 8
    private static let lettersAndDigits = AllowedCharacters.alphanumerics.map(String.init)
}
