import Hummingbird
import HummingbirdCore
import NIOCore
import PushAdapter
import PushSimulation

/// Turns requests of the web server into calls of the host, and the host's deliveries into bytes, including broken
/// ones.
struct SimulatorResponder: HTTPResponder {
    let host: SimulatorHost

    func respond(to request: Request, context: ConnectionContext) async throws -> Response {
        let body = try await request.body.collect(upTo: 16 << 20)
        let delivery = await host.handle(
            SimulatedRequest(
                method: request.method, authority: request.head.authority ?? "", target: request.head.path ?? "/",
                headers: request.headers, body: Array(body.readableBytesView)))
        // The response to HEAD has no body.
        if request.method == .head, case .whole(var response) = delivery {
            response.body = []
            return whole(response)
        }
        switch delivery {
        case .whole(let response): return whole(response)
        case .late(let response, let time):
            try await host.clock.sleep(for: time)
            return whole(response)
        case .drip(let response, let pause): return drip(response, pause)
        case .broken(let response, let count?): return broken(response, after: count, context)
        case .broken(_, nil), .refusedStream, .goAway:
            context.breakConnection()
            throw HTTPError(.internalServerError)
        case .silence:
            // Waits until the client goes away; a minute at most, so that no test can leave it running.
            try? await Task.sleep(for: .seconds(60))
            context.breakConnection()
            throw HTTPError(.internalServerError)
        }
    }

    private func whole(_ response: SimulatedResponse) -> Response {
        make(response, ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
    }

    private func drip(_ response: SimulatedResponse, _ pause: Duration) -> Response {
        make(
            response,
            ResponseBody(contentLength: response.body.count) { [clock = host.clock] writer in
                for byte in response.body {
                    try await writer.write(ByteBuffer(bytes: [byte]))
                    try await clock.sleep(for: pause)
                }
                try await writer.finish(nil)
            })
    }

    private func broken(_ response: SimulatedResponse, after count: Int, _ context: ConnectionContext) -> Response {
        make(
            response,
            ResponseBody(contentLength: response.body.count) { writer in
                try await writer.write(ByteBuffer(bytes: response.body.prefix(count)))
                context.breakConnection()
            })
    }

    private func make(_ response: SimulatedResponse, _ body: ResponseBody) -> Response {
        Response(status: .init(code: response.status), headers: response.headers, body: body)
    }
}

/// The context of a request, with the connection it came over.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The socket, even if the request came over one HTTP/2 stream.
    private let connection: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        // A stream's parent is its connection, whose parent is the listening socket.
        let channel = source.channel
        connection = channel.parent?.parent == nil ? channel : channel.parent ?? channel
    }

    func breakConnection() { connection.breakConnection() }
}
