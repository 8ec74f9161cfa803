import Hummingbird
import HummingbirdCore
import NIOCore
import PushAdapter
import PushPages
import PushSimulation

extension InspectorDesk {
    func events(_ call: SimulatedRequest, over request: Request) throws(PageRefusal) -> ResponseBody? {
        guard call.method == .get, call.path == "/events" else { return nil }
        guard streams.hasRoom else { throw PageRefusal(503, "too many pages are open; close one") }
        // A browser that reconnects on its own has the address of its first connection, and this field.
        let last = HTTPField.Name("Last-Event-ID").flatMap { call.headers[$0] } ?? call.parameter("after")
        let number = last.flatMap { Int($0) } ?? 0
        return ResponseBody { writer in
            guard let client = streams.join() else { return try await writer.finish(nil) }
            defer { streams.leave(client.id) }
            let feed = EventFeed(desk: self, client: client, lastNumber: max(0, number))
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await feed.write(to: &writer)
            } onInboundClosed: {
                streams.leave(client.id)
            }
        }
    }
}
