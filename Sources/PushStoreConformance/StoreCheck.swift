/// A rule that every store of a protocol must follow. Run all checks of the protocol on a store of your own; each needs
/// a new, empty one.
///
/// ```swift
/// @Test(arguments: BindingStoreCheck.all)
/// func store(_ check: BindingStoreCheck) async throws { try await check.run(MyStore()) }
/// ```
public struct StoreCheck<Store: Sendable>: Sendable, CustomStringConvertible {
    /// A rule that a store breaks, in one sentence.
    public struct Failure: Error, CustomStringConvertible {
        /// The expected and the actual behavior of the store.
        public let description: String

        package init(description: String) { self.description = description }
    }

    /// The rule, as a sentence.
    public let description: String
    private let body: @Sendable (Store) async throws -> Void

    init(_ rule: String, _ body: @escaping @Sendable (Store) async throws -> Void) {
        description = rule
        self.body = body
    }

    /// Runs the check on an empty store. Throws a ``Failure``, or the store's own error.
    public func run(_ store: Store) async throws { try await body(store) }

    static func expect(_ holds: Bool, _ what: String) throws {
        guard holds else { throw Failure(description: what) }
    }
}
