import PushAdapter
import PushOutbox
import PushPages
import PushSimulation

/// The requests of the page. Its files are for everyone; all else needs the token.
struct OutboxDesk: PageDesk {
    private static let files = PageFiles(
        html: PackageResources.page_html, css: PackageResources.page_css, js: PackageResources.page_js)

    let page: OutboxPage
    /// Whether a request reads all campaigns now.
    let isScanning = Locked(false)

    func answer(_ request: SimulatedRequest) async -> SimulatedResponse {
        do throws(PageRefusal) {
            guard let path = request.segments else { throw PageRefusal(400, "the address has a broken escape") }
            if request.method == .get, let file = Self.files.answer(path) { return file }
            guard isAuthorized(request) else { return Self.unauthorized }
            return .json(
                request.method == .get ? try await read(path, request) : try await change(request, path))
        } catch {
            return error.response
        }
    }

    // MARK: The token

    private func isAuthorized(_ request: SimulatedRequest) -> Bool {
        // Compares in time that depends only on the lengths.
        request.credential("Bearer").map { Secret($0) == page.token } ?? false
    }

    private static var unauthorized: SimulatedResponse {
        var response = PageRefusal(401, "the token is missing or wrong").response
        response.headers[.wwwAuthenticate] = #"Bearer realm="outbox""#
        return response
    }

    // MARK: Reading

    private func read(_ path: [String], _ request: SimulatedRequest) async throws(PageRefusal) -> JSONValue {
        switch path {
        case ["store"]: return await store()
        case ["campaigns"]: return try await campaigns(request)
        case ["campaign"]:
            guard let name = request.parameter("name") else { throw PageRefusal(400, "name is missing") }
            return try await asked { outbox async throws(PushError) in
                let report = try await outbox.report(of: CampaignName(name))
                return report.json(try await report.waits())
            }
        default: throw PageRefusal(404, "there is nothing at this address")
        }
    }

    /// Asks the outbox, and turns its error into a refusal.
    func asked<Value>(
        _ body: (PushOutbox) async throws(PushError) -> Value
    ) async throws(PageRefusal) -> Value {
        do throws(PushError) { return try await body(page.outbox) } catch {
            switch (error.kind, error.retry) {
            case (.invalidArgument, _): throw PageRefusal(404, error.message)
            case (.invalidState, .never): throw PageRefusal(409, error.message)
            default: throw PageRefusal(503, error.message)
            }
        }
    }

    // MARK: Changing

    private func change(_ request: SimulatedRequest, _ path: [String]) async throws(PageRefusal) -> JSONValue {
        guard page.allowsChanges else { throw PageRefusal(403, "this page only reads; its program allows no changes") }
        guard request.method == .post, path.count == 1 else {
            throw PageRefusal(404, "there is nothing to change at this address")
        }
        let name = CampaignName(try Fields(of: request).text("campaign"))
        return try await asked { outbox async throws(PushError) in
            switch path[0] {
            case "pause": try await outbox.pause(name)
            case "resume": try await outbox.resume(name)
            case "cancel": try await outbox.cancel(name)
            default: throw PushError(.invalidArgument, "a campaign can be paused, resumed or cancelled here")
            }
            return .object(try await outbox.report(of: name).fields)
        }
    }
}
