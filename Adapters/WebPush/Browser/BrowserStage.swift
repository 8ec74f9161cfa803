import PushAdapter
package import PushSimulation
import PushSimulationServer
package import WebPushSimulator

/// A push service, a page, and a profile with which a real Firefox uses both. Everything is on this machine.
package struct BrowserStage: Sendable {
    /// The push service, with the acknowledgments of browsers.
    package let simulator: WebPushSimulator
    /// The service as senders reach it, with its requests and faults.
    package let host: SimulatorHost
    /// The page, with the events in the browser.
    package let page: BrowserPage
    package let profile: FirefoxProfile

    /// The host of all subscriptions, for the adapter's list of services.
    package static let serviceHost = "localhost"

    /// Runs the servers while `body` runs, and always stops them. Firefox must have ended when `body` returns.
    ///
    /// Throws `invalidState` if a server cannot get its port, or the profile cannot be written.
    /// - Parameters:
    ///   - serverKey: the public key of the sender: 65 bytes in base64url.
    ///   - body: runs while the servers run.
    package static func run<Result: Sendable>(
        serverKey: String, _ body: @Sendable (BrowserStage) async throws -> Result
    ) async throws -> Result {
        let simulator = WebPushSimulator(.mozilla)
        let host = SimulatorHost(simulator)
        return try await SimulationServer.withServer(host, security: .plain) { server in
            await simulator.setOrigin(server.origin)
            return try await AutopushServer.withServer(simulator, clock: host.clock) { service in
                try await BrowserPage.withServer(serverKey: serverKey) { page in
                    try await FirefoxProfile.withProfile(for: page.address, pushService: service) { profile in
                        try await body(BrowserStage(simulator: simulator, host: host, page: page, profile: profile))
                    }
                }
            }
        }
    }
}
