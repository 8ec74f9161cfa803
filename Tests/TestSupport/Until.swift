public import Testing

/// Waits until a condition holds, for background work. Fails after twenty minutes, as the time limits of suites do: all suites
/// share the cores, and the conformance kit keeps them busy for minutes.
public func until(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () async throws -> Bool
) async rethrows {
    let end = ContinuousClock.now + .seconds(1_200)
    var turns = 0
    while try await !holds() {
        guard ContinuousClock.now < end else {
            Issue.record("it does not come to hold", sourceLocation: sourceLocation)
            return
        }
        turns += 1
        await Task.yield()
        // Leaves the cores to the work that it waits for.
        if turns > 1_000 { try? await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Waits until the current task is cancelled.
public func untilCancelled() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
}
