import PushAdapter

/// State of another module that lives as long as a client, or a session: one value of each type.
package final class Attachments: Sendable {
    private let values = Locked<[ObjectIdentifier: any Sendable]>([:])

    package init() {}

    /// Returns the value of a type; makes it at its first use.
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
