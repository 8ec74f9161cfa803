public import Testing

/// Waits until something holds, because what happens in the background tells nobody; after five minutes it is a failure.
/// All suites share the cores, and those of the kit take them for minutes.
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
