import Hummingbird
import Logging
import PushBridge
import PushEngageLab
import PushSimulation
import PushWebhooks

/// The backend's table of events. The first write to it fails, as a database may.
actor EventStore {
    struct Unavailable: Error {}

    private var keys: Set<String> = []
    private var isBroken = true

    /// The stored kinds, in order.
    private(set) var kinds: [WebhookEvent.Kind] = []

    /// Stores new events: the vendor may report the same event twice.
    func store(_ events: [WebhookEvent]) throws {
        guard !events.isEmpty else { return }
        if isBroken {
            isBroken = false
            throw Unavailable()
        }
        for event in events
        where keys.insert("\(event.message?.rawValue ?? "")/\(event.device?.rawValue ?? "")/\(event.kind)").inserted {
            kinds.append(event.kind)
            print("  stored: \(event)")
        }
    }
}

/// Handles a call in the web server. The server parses HTTP; the receiver does the rest.
struct CallbackHandler: Sendable {
    let receiver: EngageLabCallbacks
    let store: EventStore
    /// The clock for checking the time of calls; a real backend uses the system's.
    let clock: any PushClock

    func respond(to request: Request) async throws -> Response {
        guard let body = try? await request.body.collect(upTo: 1 << 20) else {
            return Response(status: .contentTooLarge)
        }
        let call = WebhookCall(method: request.method, headers: request.headers, body: Array(body.readableBytesView))
        do throws(WebhookRefusal) {
            let answer = try await receiver.receive(call, at: clock.date)
            guard await isStored(answer) else { return Response(status: .serviceUnavailable) }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
        } catch {
            print("  refused with \(error.status): \(error.message)")
            return Response(status: .init(code: error.status))
        }
    }

    private func isStored(_ answer: WebhookAnswer) async -> Bool {
        do {
            try await store.store(answer.events)
            return true
        } catch {
            print("  the store is not available, so the vendor must call again")
            // The next attempt must then be accepted.
            try? await receiver.release(answer)
            return false
        }
    }
}

/// Runs a web server on a free port of this machine while `body` runs, and passes its address to `body`.
func withBackend(
    _ handler: CallbackHandler, _ body: @escaping @Sendable (_ address: String) async throws -> Void
) async throws {
    let router = Router()
    router.post("callbacks") { request, _ in try await handler.respond(to: request) }
    let (ports, portFound) = AsyncStream.makeStream(of: Int.self)
    let server = Application(
        router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in portFound.yield(channel.localAddress?.port ?? 0) },
        logger: Logger(label: "backend") { _ in SwiftLogNoOpLogHandler() })
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { portFound.finish() }
            try await server.runService(gracefulShutdownSignals: [])
        }
        guard let port = await ports.first(where: { _ in true }) else {
            // It could not listen: the server's own error says why.
            return try await group.waitForAll()
        }
        try await body("http://127.0.0.1:\(port)/callbacks")
        group.cancelAll()
    }
}
