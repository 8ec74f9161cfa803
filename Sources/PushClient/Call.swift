public import PushCore

/// One call on its way through the layers.
public struct Call<Output: Sendable>: Sendable {
    /// The adapter whose vendor the call goes to.
    public let provider: ProviderID
    /// The feature that the call uses.
    public let operation: Feature
    /// What to send, or why the call was refused while it was made. Layers outside the guard see both.
    public let exchange: Result<Exchange<Output>, PushError>
    /// The moment by which the call must end, with all its tries and waits.
    public let deadline: Deadline
    /// The number of the try, from 1.
    public let attempt: Int
    private let listener: @Sendable (PushEvent) -> Void

    init(
        provider: ProviderID, operation: Feature, exchange: Result<Exchange<Output>, PushError>, deadline: Deadline,
        attempt: Int = 1, listener: @escaping @Sendable (PushEvent) -> Void
    ) {
        self.provider = provider
        self.operation = operation
        self.exchange = exchange
        self.deadline = deadline
        self.attempt = attempt
        self.listener = listener
    }

    /// Tells every layer outside this one.
    public func emit(_ event: PushEvent) { listener(event) }

    /// The same call, with `listener` told about the events of the layers inside.
    public func observed(by inner: @escaping @Sendable (PushEvent) -> Void) -> Call {
        let outer = listener
        return Call(
            provider: provider, operation: operation, exchange: exchange, deadline: deadline, attempt: attempt
        ) { event in
            inner(event)
            outer(event)
        }
    }

    /// The same call as its `number`th try.
    func numbered(_ number: Int) -> Call {
        Call(
            provider: provider, operation: operation, exchange: exchange, deadline: deadline, attempt: number,
            listener: listener)
    }
}

/// A layer around calls: it may look, wait, repeat, or refuse, and calls `next` for everything inside.
public protocol CallLayer: Sendable {
    /// Handles one call: passes it to `next`, as often as it likes, and decides what the caller gets.
    func intercept<Output: Sendable>(
        _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
    ) async throws(PushError) -> Output
}
