import CoreMetrics
import InMemoryLogging
import InMemoryTracing
import Instrumentation
import Logging
import MetricsTestKit
import PushConformance
import PushObservability
import Tracing

/// Logs, metrics and traces of a backend, kept in memory.
enum Observation {
    @Sendable static func make() -> ConformanceObserver {
        let logs = InMemoryLogHandler()
        let metrics = TestMetrics()
        let tracer = InMemoryTracer()
        var logger = Logger(label: "conformance") { _ in
            var handler = logs
            handler.logLevel = .trace
            return handler
        }
        logger.logLevel = .trace
        return ConformanceObserver(
            layers: [LoggingLayer(logger), MetricsLayer(factory: metrics), TracingLayer(tracer: tracer)]
        ) {
            let lines = logs.entries.map { "\($0.message) \($0.metadata)" }
            let labels =
                metrics.counters.map { "\($0.label) \($0.dimensions)" }
                + metrics.timers.map { "\($0.label) \($0.dimensions)" }
            let spans = tracer.finishedSpans.map { "\($0.operationName) \($0.attributes) \($0.events) \($0.errors)" }
            return (lines + labels + spans).joined(separator: "\n")
        }
    }
}
