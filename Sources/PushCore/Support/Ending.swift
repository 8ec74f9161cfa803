/// Runs a body, and then an end, also if the body throws.
package nonisolated(nonsending) func ending<Output, Failure: Error>(
    by end: nonisolated(nonsending) @autoclosure () async -> Void,
    _ body: nonisolated(nonsending) () async throws(Failure) -> Output
) async throws(Failure) -> Output {
    do throws(Failure) {
        let output = try await body()
        await end()
        return output
    } catch {
        await end()
        throw error
    }
}
