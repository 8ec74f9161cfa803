/// A large value behind one reference, so that a copy of its holder moves one word. A change makes a new one.
@frozen
package struct Boxed<Value: Sendable>: Sendable {
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let value: Value
        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    @inlinable
    package init(_ value: Value) { storage = Storage(value) }

    @inlinable
    package var value: Value {
        // In place: a getter would copy the whole value for each look at a part of it.
        _read { yield storage.value }
        set { storage = Storage(newValue) }
    }

    /// Whether both are unchanged copies of one.
    func isCopy(of other: Boxed) -> Bool { storage === other.storage }
}

extension Boxed: Equatable where Value: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.isCopy(of: right) || left.value == right.value }
}

extension Boxed: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
