public import PushAdapter

/// One call on its way through the layers.
public struct Call<Output: Sendable>: Sendable {
    /// The parts that no layer changes, behind one reference because each layer copies the call.
    private final class Constants: Sendable {
        let provider: ProviderID
        let operation: Feature
        let exchange: Result<Exchange<Output>, PushError>
        let isChecked: Bool
        let deadline: Deadline
        let journal: Journal?

        init(
            _ provider: ProviderID, _ operation: Feature, _ exchange: Result<Exchange<Output>, PushError>,
            _ isChecked: Bool, _ deadline: Deadline, _ journal: Journal? = nil
        ) {
            self.provider = provider
            self.operation = operation
            self.exchange = exchange
            self.isChecked = isChecked
            self.deadline = deadline
            self.journal = journal
        }
    }

    private let constants: Constants
    /// The number of the attempt, from 1.
    public private(set) var attempt = 1
    /// Whether the vendor may have acted on an earlier attempt.
    private(set) var mayHaveActed = false
    /// The signer of an attempt; nil before the client has chosen it.
    private(set) var signer: Signer?
    /// Nil when no layer listens.
    private var listener: (@Sendable (PushEvent) -> Void)?

    /// - Parameter isChecked: the inputs were checked when the exchange was planned.
    init(
        _ exchange: Exchange<Output>, provider: ProviderID, isChecked: Bool, deadline: Deadline,
        journal: Journal? = nil
    ) {
        constants = Constants(provider, exchange.operation, .success(exchange), isChecked, deadline, journal)
    }

    /// A call that was refused while it was planned.
    init(refused refusal: PushError, _ operation: Feature, provider: ProviderID, deadline: Deadline) {
        constants = Constants(provider, operation, .failure(refusal), true, deadline)
    }

    /// A call that a client's own layers have not seen yet.
    private init(erasing call: Call<some Sendable>) where Output == any Sendable {
        let whole = call.constants
        constants = Constants(
            whole.provider, whole.operation, whole.exchange.map { $0.map { $0 } }, whole.isChecked, whole.deadline,
            whole.journal)
        listener = call.listener
    }

    /// The adapter whose vendor the call goes to.
    public var provider: ProviderID { constants.provider }
    /// The feature that the call uses.
    public var operation: Feature { constants.operation }
    /// The exchange to send, or the reason why planning refused the call. Layers outside the guard see both.
    public var exchange: Result<Exchange<Output>, PushError> { constants.exchange }
    /// Whether its inputs were checked when it was planned.
    var isChecked: Bool { constants.isChecked }
    /// The moment by which the call must end, including all its attempts and waits.
    public var deadline: Deadline { constants.deadline }
    /// The record of calls that may have been sent; nil for most calls.
    var journal: Journal? { constants.journal }

    /// Reports an event to every layer outside this one; makes no event when no layer listens.
    public func emit(_ event: @autoclosure () -> PushEvent) { listener?(event()) }

    /// The same call; `inner` also receives the events of the layers inside.
    public func observed(by inner: @escaping @Sendable (PushEvent) -> Void) -> Call {
        var call = self
        guard let outer = listener else {
            call.listener = inner
            return call
        }
        call.listener = { event in
            inner(event)
            outer(event)
        }
        return call
    }

    /// The same call for the client's own layers.
    var erased: AnyCall { AnyCall(erasing: self) }

    /// The same call, to be signed by this signer.
    func signed(by signer: Signer) -> Call {
        var call = self
        call.signer = signer
        return call
    }

    /// The same call as attempt `number`, after attempts with this effect.
    func numbered(_ number: Int, after effect: PushError.Effect) -> Call {
        var call = self
        call.attempt = number
        call.mayHaveActed = effect != .notApplied
        return call
    }
}

/// A call for layers that do not look at its output. A generic layer would be compiled for each type of output.
typealias AnyCall = Call<any Sendable>
typealias AnyExchange = Exchange<any Sendable>

/// How the outbox sends: one attempt, and only after the store has recorded that it may have been sent.
struct Journal: Sendable {
    /// Whether the vendor may have acted on an earlier call with the same key, perhaps by another process.
    let mayHaveActed: Bool
    /// Whether it is part of a list of millions, which leaves a tenth of each quota to other messages.
    let isBulk: Bool
    /// Called after every wait, including the transport's for a connection, and before the first byte. Throws if
    /// nothing may be sent.
    let note: @Sendable () async throws(PushError) -> Void
}

/// A layer around calls: it may observe, wait, retry or refuse, and calls `next` for everything inside.
///
/// An audit log of every call, also of those that the client refuses:
///
/// ```swift
/// struct AuditLayer: CallLayer {
///     let write: @Sendable (String) -> Void
///
///     func intercept<Output: Sendable>(
///         _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
///     ) async throws(PushError) -> Output {
///         do throws(PushError) {
///             let output = try await next(call)
///             write("\(call.provider) \(call.operation): done")
///             return output
///         } catch {
///             write("\(call.provider) \(call.operation): \(error.kind), \(error.effect.rawValue)")
///             throw error
///         }
///     }
/// }
/// ```
///
/// A switch that an operator turns to stop all pushes. Nothing was sent, so the error keeps its default effect, *not applied*:
///
/// ```swift
/// struct SwitchLayer: CallLayer {
///     let isOff: @Sendable () -> Bool
///
///     func intercept<Output: Sendable>(
///         _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
///     ) async throws(PushError) -> Output {
///         guard !isOff() else {
///             throw PushError(.invalidState, "pushes are switched off; nothing was sent", operation: call.operation)
///         }
///         return try await next(call)
///     }
/// }
/// ```
///
/// The first layer of `ClientConfiguration.layers` is the outermost one. It sees a call once, with all its attempts;
/// use ``Call/observed(by:)`` to see each attempt.
public protocol CallLayer: Sendable {
    /// Handles one call: passes it to `next`, as often as it likes, and decides the caller's result.
    func intercept<Output: Sendable>(
        _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
    ) async throws(PushError) -> Output
}
