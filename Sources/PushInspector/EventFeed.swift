import Hummingbird
import HummingbirdCore
import NIOCore
import PushAdapter
import PushSimulation

/// The events for one browser: each request, and a notice of changes, at most four times a second.
struct EventFeed: Sendable {
    private static let pause = Duration.milliseconds(250)
    /// A browser that is further behind skips the oldest requests.
    private static let mostAtOnce = 200

    let desk: InspectorDesk
    let client: EventStreams.Client
    /// The newest request that the browser has.
    let lastNumber: Int

    func write(to writer: inout any ResponseBodyWriter) async throws {
        let journal = desk.inspector.host.journal
        // A browser that knows later requests has seen another run of the server.
        var number = lastNumber > journal.lastNumber ? 0 : lastNumber
        var revision: Int?
        let hello: JSONValue = ["run": .string(desk.run)]
        try await writer.write(ByteBuffer(string: "retry: 2000\n\n" + Self.event("hello", hello)))
        for await _ in client.signals {
            var text = ""
            for entry in journal.entries(after: number, limit: Self.mostAtOnce) {
                text += "id: \(entry.number)\n" + Self.event("request", desk.row(of: entry).json)
                number = entry.number
            }
            let current = desk.streams.revision
            if current != revision {
                revision = current
                text += Self.event("change", ["revision": JSONValue(current)])
            }
            guard !text.isEmpty else {
                try await writer.write(ByteBuffer(string: ": nothing new\n\n"))
                continue
            }
            try await writer.write(ByteBuffer(string: text))
            try await Task.sleep(for: Self.pause)
        }
        try await writer.finish(nil)
    }

    private static func event(_ name: String, _ data: JSONValue) -> String {
        "event: \(name)\ndata: \(String(decoding: JSONWriter.bytes(of: data), as: UTF8.self))\n\n"
    }
}
