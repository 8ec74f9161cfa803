import PushAdapter

/// A call about a list of targets: how the client cuts the list, and how it makes and sends the request for some
/// targets.
struct ListCall: Sendable {
    /// The number of targets in a slice whose targets each get a request of their own. The client plans and reports
    /// such a slice as one.
    static let fanOutSize = 500

    /// The vendor's answer to the request for some targets.
    struct Reply {
        var receipt: SendReceipt
        /// The requests that it took, not counting retries.
        var requestCount = 1
        /// Why no target was accepted; with the effect `applied`, a failure after the vendor acted.
        var error: PushError?
    }

    let operation: Feature
    /// The targets that are planned and reported together.
    let sliceSize: Int
    /// The targets that one request takes.
    let requestSize: Int
    var options = SendOptions()
    let prepare: nonisolated(nonsending) @Sendable ([Target], Deadline) async -> PreparedRequest
    /// Gets the position of the first target too.
    let run:
        nonisolated(nonsending) @Sendable (PreparedRequest, [Target], Int, Deadline) async throws(PushError) -> Reply
}
