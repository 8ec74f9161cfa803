public import Logging
public import PushAdapter
public import PushClient

/// Writes one line for each call, and one for each wait, retry and unkeyed send inside it.
///
/// Logs a success at `debug`, and everything else at `info` or at the level that you choose, because only a program
/// knows which of its failures need a person. A line has the host, the number of attempts and why the call failed. No
/// line holds a target, a text, a token or a vendor's body.
public struct LoggingLayer: CallLayer {
    private let logger: Logger?
    private let failureLevel: Logger.Level

    /// A layer that writes to a logger.
    /// - Parameters:
    ///   - logger: by default the logger of the task that makes the call, `Logger.current`.
    ///   - failureLevel: the level of calls that failed at the vendor or on the way to it. A refusal by this library stays
    ///     at `info`.
    public init(_ logger: Logger? = nil, failuresAt failureLevel: Logger.Level = .info) {
        self.logger = logger
        self.failureLevel = failureLevel
    }

    /// Passes the call on and logs its waits and retries, its outcome and its duration.
    public func intercept<Output: Sendable>(
        _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        var logger = logger ?? Logger.current
        logger[metadataKey: Vocabulary.provider] = .string(Vocabulary.label(call.provider.rawValue))
        logger[metadataKey: Vocabulary.operation] = .string(Vocabulary.label(call.operation.rawValue))
        let lines = logger
        let start = ContinuousClock.now
        let attempts = Locked((count: 0, host: ""))
        let observed = call.observed { event in
            if case .attemptStarted(let number, let host) = event { attempts.withLock { $0 = (number, host) } }
            log(event, lines)
        }
        func metadata(_ outcome: String) -> Logger.Metadata {
            var metadata: Logger.Metadata = [
                Vocabulary.outcome: .string(outcome),
                Vocabulary.duration: .stringConvertible((ContinuousClock.now - start).milliseconds),
            ]
            let (count, host) = attempts.withLock { $0 }
            if count > 0 {
                metadata[Vocabulary.attemptCount] = .stringConvertible(count)
                metadata[Vocabulary.host] = .string(host)
            }
            return metadata
        }
        do throws(PushError) {
            let output = try await next(observed)
            var metadata = metadata(Vocabulary.ok)
            if let receipt = output as? SendReceipt { metadata.add(receipt.messageIDs) }
            lines.debug("push call done", metadata: metadata)
            return output
        } catch {
            var metadata = metadata(Vocabulary.label(error.kind.rawValue))
            metadata[Vocabulary.effect] = .string(error.effect.rawValue)
            if let code = error.vendor?.code { metadata[Vocabulary.vendorCode] = .stringConvertible(code) }
            if let status = error.vendor?.httpStatus { metadata[Vocabulary.httpStatus] = .stringConvertible(status) }
            if let id = error.vendor?.requestID { metadata[Vocabulary.requestID] = .string(id) }
            metadata.add(error.vendor?.messageID.map { [$0] } ?? [])
            // A request was attempted but no response came. Otherwise log only the kind: the message may quote a
            // third-party adapter's text.
            let failedOnTheWay = attempts.withLock { $0.count } > 0 && error.vendor == nil
            if failedOnTheWay { metadata[Vocabulary.reason] = .string(Redaction.masked(error.message)) }
            let wasRefusedHere = error.effect == .notApplied && error.vendor == nil && !failedOnTheWay
            lines.log(level: wasRefusedHere ? .info : failureLevel, "push call failed", metadata: metadata)
            throw error
        }
    }

    private func log(_ event: PushEvent, _ logger: Logger) {
        switch event {
        case .retrying(let attempt, let delay, let cause):
            logger.info(
                "push call retries",
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
        case .retryBudgetEmpty:
            logger.log(level: failureLevel, "push call does not retry: the retry budget is empty")
        case .unkeyed: logger.debug("push send goes without an idempotency key")
        case .attemptStarted, .answered, .attemptFailed: return
        }
    }
}

extension Logger.Metadata {
    fileprivate mutating func add(_ messages: [MessageID]) {
        guard !messages.isEmpty else { return }
        self[Vocabulary.messageIDs] = .array(messages.map { .string(Vocabulary.messageID($0.rawValue)) })
    }
}
