/// Remembers a value made from the last message, so that several requests with the same message make it once. These are
/// the requests of a list, or requests that a backend sends one by one.
///
/// Store it beside the other inputs of the value, and replace it when one of them changes. It recognizes copies of a
/// message, not equal messages, because comparing texts may take longer than encoding them. It keeps the message in
/// memory.
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

    /// Returns the remembered value if message and second are the same; otherwise runs `make` and remembers its result.
    /// - Parameters:
    ///   - message: the message.
    ///   - second: the time that the value is made for, if the value has times relative to it.
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
        // The old entry is freed outside the lock.
        let old = last.withLock { entry in
            defer { entry = Entry(message, second, value) }
            return entry
        }
        withExtendedLifetime(old) {}
        return value
    }
}
