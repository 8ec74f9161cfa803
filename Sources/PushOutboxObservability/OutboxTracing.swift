import Instrumentation
import PushCore
import PushObservability
public import PushOutbox
public import Tracing

/// Opens a span for each attempt of a slice. The spans of its requests, which a `TracingLayer` of the client opens, are
/// inside it.
///
/// ```swift
/// settings.aroundAttempt = OutboxTracing().aroundAttempt
/// ```
///
/// It has the campaign's number, the part and the slice as attributes, and no target.
public struct OutboxTracing: Sendable {
    private let tracer: (any Tracer)?

    /// - Parameter tracer: nil uses the one the process was bootstrapped with, at each attempt.
    public init(tracer: (any Tracer)? = nil) { self.tracer = tracer }

    /// Runs an attempt inside a span.
    @Sendable public func aroundAttempt(
        _ slice: SliceRow.ID, _ route: RouteName, _ work: @Sendable () async -> Void
    ) async {
        let tracer = tracer ?? InstrumentationSystem.tracer
        let span: any Span = tracer.startAnySpan("push outbox slice", ofKind: .internal)
        span.attributes[Vocabulary.route] = Vocabulary.label(route.rawValue)
        span.attributes[Vocabulary.campaign] = slice.campaign
        span.attributes[Vocabulary.part] = slice.part
        span.attributes[Vocabulary.slice] = slice.number
        defer { span.end() }
        await ServiceContext.withValue(span.context) { await work() }
    }
}
