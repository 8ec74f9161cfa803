package import Hummingbird
import HummingbirdCore
import NIOCore
import PushAdapter
import PushSimulation

/// Answers requests of the web server, within the rules for pages on this machine.
package struct PageResponder: HTTPResponder {
    private static let longestBody = 64 << 10

    private let desk: any PageDesk
    private let hosts: [String]

    /// - Parameter hosts: the names of this machine that the page may have. Browsers look `localhost` up as `::1` as well,
    ///   where another user of this machine can listen, so leave it out for a page with a secret.
    package init(_ desk: any PageDesk, hosts: [String] = ["127.0.0.1", "localhost"]) {
        (self.desk, self.hosts) = (desk, hosts)
    }

    package func respond(to request: Request, context: PageContext) async throws -> Response {
        do throws(PageRefusal) { return try await answer(request, port: context.port) } catch {
            return make(error.response)
        }
    }

    private func answer(_ request: Request, port: Int) async throws(PageRefusal) -> Response {
        let gate = RequestGuard(port: port, hosts: hosts)
        let parts = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if let refusal = gate.refusal(
            request.method, String(parts[0]), authority: request.head.authority, request.headers)
        {
            throw refusal
        }
        var call = SimulatedRequest(
            method: request.method, path: String(parts[0]), query: parts.count == 2 ? String(parts[1]) : "",
            headers: request.headers, body: [])
        if let events = try desk.events(call, over: request) {
            return Response(status: .ok, headers: headers([.contentType: "text/event-stream"]), body: events)
        }
        if request.method != .get {
            guard let body = try? await request.body.collect(upTo: Self.longestBody) else {
                throw PageRefusal(413, "the body is longer than \(Self.longestBody) bytes")
            }
            call.body = Array(body.readableBytesView)
        }
        return make(await desk.answer(call))
    }

    private func make(_ response: SimulatedResponse) -> Response {
        Response(
            status: .init(code: response.status), headers: headers(response.headers),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
    }

    private func headers(_ own: HTTPFields) -> HTTPFields {
        var headers = own
        for (name, value) in Self.rules { headers[name] = value }
        return headers
    }

    /// The rules for a browser that shows the page.
    private static let rules: [(HTTPField.Name, String)] = [
        (
            "Content-Security-Policy",
            """
            default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
            frame-ancestors 'none'; base-uri 'none'; form-action 'none'
            """
        ),
        ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        // A browser keeps its connections, and the server waits for them when it stops.
        ("Connection", "close"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}

/// The context of a request, with the port that it came to.
package struct PageContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let port: Int

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        port = source.channel.localAddress?.port ?? 0
    }
}
