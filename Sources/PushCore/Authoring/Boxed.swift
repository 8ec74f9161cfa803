/// A large value behind one reference, so that a copy of what holds it moves one word. A change makes a new one.
struct Boxed<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }

    /// Whether both are unchanged copies of one.
    func isCopy(of other: Boxed) -> Bool { storage === other.storage }
}

extension Boxed: Equatable where Value: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.isCopy(of: right) || left.value == right.value }
}

extension Boxed: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
