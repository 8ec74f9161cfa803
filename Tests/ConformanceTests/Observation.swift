import PushConformance

enum Observation {
    @Sendable static func make() -> ConformanceObserver { .events() }
}
