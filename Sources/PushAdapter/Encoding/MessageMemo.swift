/// What was made of the last message, so that requests with one message make it once: those of a list, and those that a
/// backend sends one by one.
///
/// Keep one beside everything else that the value depends on, and replace it when that changes. It knows copies of a
/// message, not equal ones, because comparing texts may take longer than encoding them. It holds that message in memory.
public final class MessageMemo<Value: Sendable>: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let message: Message
        @usableFromInline let second: Int?
        @usableFromInline let value: Value

        @inlinable
        init(_ message: Message, _ second: Int?, _ value: Value) {
            self.message = message
            self.second = second
            self.value = value
        }
    }

    @usableFromInline let last = Locked<Entry?>(nil)

    /// An empty memo.
    public init() {}

    /// Returns what `make` makes of a message, or made of it before.
    /// - Parameters:
    ///   - message: the message.
    ///   - second: the time that the value is for, if it has times that count from then.
    ///   - make: may run more than once at a time.
    @inlinable
    public func value(
        of message: Message, at second: Int? = nil, _ make: () throws(PushError) -> Value
    ) throws(PushError) -> Value {
        let known = last.withLock { entry -> Value? in
            guard let entry, entry.second == second, entry.message.isCopy(of: message) else { return nil }
            return entry.value
        }
        if let known { return known }
        let value = try make()
        // The old one is freed after the lock.
        let old = last.withLock { entry in
            defer { entry = Entry(message, second, value) }
            return entry
        }
        withExtendedLifetime(old) {}
        return value
    }
}
