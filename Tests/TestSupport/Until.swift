public import Testing

/// Waits until something holds, because what happens in the background tells nobody; after a minute it is a failure.
public func until(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () async -> Bool
) async {
    let end = ContinuousClock.now + .seconds(60)
    while await !holds() {
        guard ContinuousClock.now < end else {
            Issue.record("it does not come to hold", sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}
