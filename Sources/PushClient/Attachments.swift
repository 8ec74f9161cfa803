import PushAdapter

/// State that another module keeps for as long as a client, or a session, exists: one value of each type.
package final class Attachments: Sendable {
    private let values = Locked<[ObjectIdentifier: any Sendable]>([:])

    package init() {}

    /// The value of a type, made at its first use.
    package func value<Value: Sendable>(_ make: () -> Value) -> Value {
        values.withLock { values in
            let key = ObjectIdentifier(Value.self)
            if let value = values[key] as? Value { return value }
            let value = make()
            values[key] = value
            return value
        }
    }
}
