package import Hummingbird
package import PushSimulation

/// Answers the requests of a page's browser that the guard let pass.
package protocol PageDesk: Sendable {
    func answer(_ request: SimulatedRequest) async -> SimulatedResponse
    /// The stream of events that a request asks for; nil for any other request.
    /// - Parameters:
    ///   - request: the request without its body.
    ///   - connection: the same request, which tells when the browser goes.
    func events(_ request: SimulatedRequest, over connection: Request) throws(PageRefusal) -> ResponseBody?
}

extension PageDesk {
    package func events(_ request: SimulatedRequest, over connection: Request) throws(PageRefusal) -> ResponseBody? {
        nil
    }
}
