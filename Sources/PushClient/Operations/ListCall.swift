import PushAdapter

/// A call about a list of targets: how it is cut, and how the request about some of the targets is made and sent.
struct ListCall: Sendable {
    /// The targets of a slice, which is planned and reported as one, whose targets each get a request of their own.
    static let fanOutSize = 500

    /// What the vendor answered to the request about some targets.
    struct Reply {
        var receipt: SendReceipt
        /// Requests that it took, without retries.
        var requestCount = 1
        /// Why no target was accepted; with the effect `applied`, what else went wrong.
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
