public import PushAdapter
public import PushOutbox
import PushPages
import PushSimulationServer

/// A page for the operators of an outbox, for a browser on this machine: campaigns, slices in work, routes, workers and
/// the store.
///
/// ```swift
/// let page = OutboxPage(outbox, token: Secret(token))
/// try await OutboxPage.withServer(page, port: 9090) { _ in try await outbox.run() }
/// ```
///
/// It shows neither targets nor texts of messages. It changes nothing unless ``allowsChanges`` is true.
///
/// The operator types the token into the page. The page's script sends it in the header field `Authorization` and
/// keeps it until the tab is closed. A cookie would go to every server on this machine, whatever its port, and along
/// with the requests of other sites. No address has the token, so neither a history nor a log gets it.
public struct OutboxPage: Sendable {
    /// The outbox. One without routes is enough, but it cannot know which routes rest in the process of a worker.
    public var outbox: PushOutbox
    /// Who has it may use the page: 16 to 200 visible ASCII characters, without spaces.
    public var token: Secret
    /// Whether the page can pause, resume and cancel campaigns; false by default.
    public var allowsChanges: Bool

    /// A page about an outbox that whoever has the token may read.
    public init(_ outbox: PushOutbox, token: Secret, allowsChanges: Bool = false) {
        (self.outbox, self.token, self.allowsChanges) = (outbox, token, allowsChanges)
    }

    /// Serves the page on 127.0.0.1 while `body` runs, and always stops afterwards. Without TLS: reach it from another
    /// machine through SSH or a port of the cluster, with the same port number there. Takes 32 connections at once, and
    /// closes one that was silent for a minute.
    ///
    /// Throws `misconfigured` for a token that is too short or has other characters, and `invalidState` if it cannot
    /// get the port.
    /// - Parameters:
    ///   - page: the page.
    ///   - port: 0 for any free port.
    ///   - body: runs while the server runs; gets the address of the page, `http://127.0.0.1:41234`.
    public static func withServer<Result: Sendable>(
        _ page: OutboxPage, port: Int = 0, _ body: @Sendable (_ address: String) async throws -> Result
    ) async throws -> Result {
        try page.checkToken()
        var server = LoopbackServer("the outbox's page", port: port)
        // It runs in the process of a worker, which needs its descriptors for requests.
        (server.mostConnections, server.idleTimeout) = (32, .seconds(60))
        return try await server.run(
            PageResponder(OutboxDesk(page: page), hosts: ["127.0.0.1"]),
            { port in try await body("http://127.0.0.1:\(port)") })
    }

    private func checkToken() throws(PushError) {
        let isVisible = token.withBytes { $0.allSatisfy { (0x21...0x7E).contains($0) } }
        guard isVisible, (16...200).contains(token.count) else {
            throw PushError(
                .misconfigured,
                "the token of the outbox's page needs 16 to 200 visible ASCII characters, without spaces; "
                    + "make one with: openssl rand -hex 16")
        }
    }
}
