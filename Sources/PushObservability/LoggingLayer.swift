public import Logging
public import PushClient
public import PushCore

/// Writes one line for each call, and one for each wait, retry and unkeyed send inside it.
///
/// A success is logged at `debug`, a refusal at `info`, everything else at `warning`. No line holds a target, a text, a
/// token or a vendor's body.
public struct LoggingLayer: CallLayer {
    private let logger: Logger

    /// A layer that writes to this logger.
    public init(_ logger: Logger = Logger(label: "push")) { self.logger = logger }

    /// Passes the call on and logs its waits and retries, its outcome and its duration.
    public func intercept<Output: Sendable>(
        _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        var logger = logger
        logger[metadataKey: Vocabulary.provider] = .string(Vocabulary.label(call.provider.rawValue))
        logger[metadataKey: Vocabulary.operation] = .string(Vocabulary.label(call.operation.rawValue))
        let lines = logger
        let start = ContinuousClock.now
        do throws(PushError) {
            let output = try await next(call.observed { Self.log($0, lines) })
            lines.debug(
                "push call done",
                metadata: [
                    Vocabulary.outcome: .string(Vocabulary.ok),
                    Vocabulary.duration: .stringConvertible((ContinuousClock.now - start).milliseconds),
                ])
            return output
        } catch {
            var metadata: Logger.Metadata = [
                Vocabulary.outcome: .string(Vocabulary.label(error.kind.rawValue)),
                Vocabulary.effect: .string(error.effect.rawValue),
                Vocabulary.duration: .stringConvertible((ContinuousClock.now - start).milliseconds),
            ]
            if let code = error.vendor?.code { metadata[Vocabulary.vendorCode] = .stringConvertible(code) }
            if let status = error.vendor?.httpStatus { metadata[Vocabulary.httpStatus] = .stringConvertible(status) }
            if let id = error.vendor?.requestID { metadata[Vocabulary.requestID] = .string(id) }
            // The kind and not the message: a message may quote what an adapter of somebody else put into it.
            let wasRefusedHere = error.effect == .notApplied && error.vendor == nil
            lines.log(level: wasRefusedHere ? .info : .warning, "push call failed", metadata: metadata)
            throw error
        }
    }

    private static func log(_ event: PushEvent, _ logger: Logger) {
        switch event {
        case .retrying(let attempt, let delay, let cause):
            logger.info(
                "push call is tried again",
                metadata: [
                    Vocabulary.attempt: .stringConvertible(attempt),
                    Vocabulary.delay: .stringConvertible(delay.milliseconds),
                    Vocabulary.cause: .string(Vocabulary.label(cause.rawValue)),
                ])
        case .waiting(let wait, let delay):
            logger.info(
                "push call waits",
                metadata: [
                    Vocabulary.cause: .string(wait.label), Vocabulary.delay: .stringConvertible(delay.milliseconds),
                ])
        case .retryBudgetEmpty: logger.warning("push call is not tried again: the retry budget is empty")
        case .unkeyed: logger.notice("push send goes without an idempotency key")
        case .attemptStarted, .answered, .attemptFailed: return
        }
    }
}
