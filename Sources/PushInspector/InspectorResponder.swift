import Hummingbird
import HummingbirdCore
import NIOCore
import PushAdapter
import PushSimulation

/// Answers requests of the web server, within the rules for pages on this machine.
struct InspectorResponder: HTTPResponder {
    private static let longestBody = 64 << 10

    let desk: InspectorDesk

    func respond(to request: Request, context: InspectorContext) async throws -> Response {
        let gate = RequestGuard(port: context.port)
        let parts = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if let refusal = gate.refusal(
            request.method, String(parts[0]), authority: request.head.authority, request.headers)
        {
            return make(refusal.response)
        }
        var call = SimulatedRequest(
            method: request.method, path: String(parts[0]), query: parts.count == 2 ? String(parts[1]) : "",
            headers: request.headers, body: [])
        if request.method == .get, call.path == "/events" { return events(call, request) }
        if request.method != .get {
            guard let body = try? await request.body.collect(upTo: Self.longestBody) else {
                return make(InspectorRefusal(413, "the body is longer than \(Self.longestBody) bytes").response)
            }
            call.body = Array(body.readableBytesView)
        }
        return make(await desk.answer(call))
    }

    private func events(_ call: SimulatedRequest, _ request: Request) -> Response {
        guard desk.streams.hasRoom else {
            return make(InspectorRefusal(503, "too many pages are open; close one").response)
        }
        // A browser that reconnects on its own has the address of its first connection, and this field.
        let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] } ?? call.parameter("after")
        let number = last.flatMap { Int($0) } ?? 0
        let body = ResponseBody { [desk] writer in
            guard let client = desk.streams.join() else { return try await writer.finish(nil) }
            defer { desk.streams.leave(client.id) }
            let feed = EventFeed(desk: desk, client: client, lastNumber: max(0, number))
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await feed.write(to: &writer)
            } onInboundClosed: {
                desk.streams.leave(client.id)
            }
        }
        return Response(status: .ok, headers: headers([.contentType: "text/event-stream"]), body: body)
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
struct InspectorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let port: Int

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        port = source.channel.localAddress?.port ?? 0
    }
}
