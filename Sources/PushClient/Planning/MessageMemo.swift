import PushAdapter

/// Remembers a value made from the last message, so that the requests of a list, or requests that a backend sends one
/// by one, make it once.
///
/// It recognizes copies of a message, not equal messages, because comparing texts may take longer than encoding them.
/// It keeps the message in memory.
final class MessageMemo<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let message: Message
        let second: Int?
        let value: Value
    }

    private let last = Locked<Entry?>(nil)

    /// Returns the remembered value if message and second are the same; otherwise runs `make` and remembers its result.
    /// - Parameters:
    ///   - message: the message.
    ///   - second: the time that the value is made for, if the value has times relative to it.
    ///   - make: may run more than once at a time.
    func value(
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
            defer { entry = Entry(message: message, second: second, value: value) }
            return entry
        }
        withExtendedLifetime(old) {}
        return value
    }
}
