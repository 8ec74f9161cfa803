package import PushAdapter
package import WebPushSimulator

/// The WebSocket over which browsers take their pushes from a simulator, in the protocol of Mozilla's autopush.
package enum AutopushServer {
    /// Serves it on 127.0.0.1 while `body` runs, and always stops afterwards.
    /// - Parameters:
    ///   - simulator: the push service, which senders reach at its own origin.
    ///   - clock: the clock of the service.
    ///   - body: runs while the server runs; gets the address for browsers, `ws://127.0.0.1:41234/`.
    package static func withServer<Result: Sendable>(
        _ simulator: WebPushSimulator, clock: any PushClock,
        _ body: @Sendable (_ address: String) async throws -> Result
    ) async throws -> Result {
        try await WebSocketServer.run(port: 0) { connection in
            let session = await simulator.openSession(at: clock.date) { output in
                switch output {
                case .text(let text): connection.send(text)
                case .close(let code): connection.close(code: code)
                }
            }
            for await text in connection.texts { await session.receive(text, at: clock.date) }
            await session.close(at: clock.date)
        } _: { port in
            try await body("ws://127.0.0.1:\(port)/")
        }
    }
}
