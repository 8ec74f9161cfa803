public import Testing

/// Waits until a condition holds, for background work. Fails after five minutes: all suites share the cores, and the
/// conformance kit keeps them busy for minutes.
public func until(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () async -> Bool
) async {
    let end = ContinuousClock.now + .seconds(300)
    while await !holds() {
        guard ContinuousClock.now < end else {
            Issue.record("it does not come to hold", sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}
