import Instrumentation
public import PushAdapter
public import PushClient
public import Tracing

/// Opens one span for each call; attempts, responses, waits and retries are its events.
public struct TracingLayer: CallLayer {
    private let tracer: (any Tracer)?

    /// - Parameter tracer: nil uses the one the process was bootstrapped with, at each call.
    public init(tracer: (any Tracer)? = nil) { self.tracer = tracer }

    /// Passes the call on inside a span, which is the current one for everything below.
    public func intercept<Output: Sendable>(
        _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        let tracer = tracer ?? InstrumentationSystem.tracer
        let name = "push \(Vocabulary.label(call.operation.rawValue))"
        let span: any Span = tracer.startAnySpan(name, ofKind: .client)
        span.attributes[Vocabulary.provider] = Vocabulary.label(call.provider.rawValue)
        span.attributes[Vocabulary.operation] = Vocabulary.label(call.operation.rawValue)
        defer { span.end() }
        let result: Result<Output, PushError> = await ServiceContext.withValue(span.context) {
            do throws(PushError) {
                return .success(try await next(call.observed { Self.note($0, on: span) }))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success: span.attributes[Vocabulary.outcome] = Vocabulary.ok
        case .failure(let error):
            span.attributes[Vocabulary.outcome] = Vocabulary.label(error.kind.rawValue)
            span.attributes[Vocabulary.effect] = error.effect.rawValue
            if let code = error.vendor?.code { span.attributes[Vocabulary.vendorCode] = code.rawValue }
            span.setStatus(SpanStatus(code: .error, message: Vocabulary.label(error.kind.rawValue)))
        }
        return try result.get()
    }

    private static func note(_ event: PushEvent, on span: any Span) {
        var attributes = SpanAttributes()
        let name: String
        switch event {
        case .attemptStarted(let number, let host):
            name = Vocabulary.attemptEvent
            attributes[Vocabulary.host] = host
            attributes[Vocabulary.attempt] = number
        case .answered(let status, let facts):
            name = Vocabulary.answerEvent
            attributes[Vocabulary.httpStatus] = status
            if let id = facts.requestID { attributes[Vocabulary.requestID] = id }
        case .retrying(let attempt, let delay, let cause):
            name = Vocabulary.retryEvent
            attributes[Vocabulary.attempt] = attempt
            attributes[Vocabulary.delay] = delay.milliseconds
            attributes[Vocabulary.cause] = Vocabulary.label(cause.rawValue)
        case .waiting(let wait, let delay):
            name = Vocabulary.waitEvent
            attributes[Vocabulary.cause] = wait.label
            attributes[Vocabulary.delay] = delay.milliseconds
        case .unkeyed: name = Vocabulary.unkeyedEvent
        case .attemptFailed, .retryBudgetEmpty: return
        }
        span.addEvent(SpanEvent(name: name, attributes: attributes))
    }
}
