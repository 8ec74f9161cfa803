import PushAdapter
import PushPages
import PushSimulation
import PushSimulationServer

/// A page with a service worker that subscribes to pushes and shows them, for a browser on this machine.
///
/// The page needs a browser whose push service is an `AutopushServer`, such as one with a `FirefoxProfile`.
package struct BrowserPage: Sendable {
    /// The address of the page, `http://127.0.0.1:41234`.
    package let address: String
    /// The events in the browser. Only one task may wait for them.
    package let events: AsyncStream<BrowserEvent>

    /// Serves the page on 127.0.0.1 while `body` runs, and always stops afterwards.
    /// - Parameters:
    ///   - serverKey: the public key of the sender: 65 bytes in base64url. The page subscribes with it.
    ///   - body: runs while the server runs.
    package static func withServer<Result: Sendable>(
        serverKey: String, _ body: @Sendable (BrowserPage) async throws -> Result
    ) async throws -> Result {
        let (events, reports) = AsyncStream.makeStream(of: BrowserEvent.self, bufferingPolicy: .bufferingNewest(1_000))
        defer { reports.finish() }
        let desk = BrowserPageDesk(serverKey: serverKey, reports: reports)
        return try await LoopbackServer("the page", port: 0).run(PageResponder(desk, hosts: ["127.0.0.1"])) { port in
            try await body(BrowserPage(address: "http://127.0.0.1:\(port)", events: events))
        }
    }
}

/// Answers the page and its service worker.
struct BrowserPageDesk: PageDesk {
    let serverKey: String
    let reports: AsyncStream<BrowserEvent>.Continuation

    private static let files = PageFiles(
        html: PackageResources.page_html, css: PackageResources.page_css, js: PackageResources.page_js)

    func answer(_ request: SimulatedRequest) async -> SimulatedResponse {
        do throws(PageRefusal) {
            switch (request.method, request.segments) {
            case (.get, ["worker.js"]?): return worker
            case (.get, ["key"]?): return .json(["key": .string(serverKey)])
            case (.post, ["events"]?): return try take(request)
            case (.get, let path?):
                if let file = Self.files.answer(path) { return file }
            default: break
            }
            throw PageRefusal(404, "there is nothing at this address")
        } catch {
            return error.response
        }
    }

    private var worker: SimulatedResponse {
        SimulatedResponse(
            status: 200, headers: [.contentType: "text/javascript; charset=utf-8"], body: PackageResources.worker_js)
    }

    private func take(_ request: SimulatedRequest) throws(PageRefusal) -> SimulatedResponse {
        guard let event = request.object.flatMap({ BrowserEvent(.object($0)) }) else {
            throw PageRefusal(400, "the body is not a report of the page")
        }
        reports.yield(event)
        return .json([:])
    }
}
