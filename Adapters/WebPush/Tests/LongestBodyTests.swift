import PushAdapter
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push and the longest body of a service")
struct LongestBodyTests {
    /// A service, and the longest text that it takes.
    private static let longest = [
        (Ferry.mozilla, 3993), (Ferry.google, 3993), (Ferry.apple, 3993), (Ferry.microsoft, 4897),
        (Ferry.unifiedPush, 3993), (short, 1945),
    ]
    private static let short = "https://short.example.com/a"

    /// The adapter of the ferries, with one more service, which takes bodies of 2,048 bytes.
    private static func webPush() throws -> WebPush {
        var webPush = try Ferry.webPush()
        var service = WebPush.Service("short", hosts: ["short.example.com"])
        service.longestBody = 2048
        webPush.services.append(service)
        return webPush
    }

    private static func message(_ count: Int) -> Message {
        let frame = #"{"custom":{"content":""}}"#.utf8.count
        return Message(custom: CustomMessage(content: String(repeating: "a", count: count - frame)))
    }

    @Test("each service takes bodies of its length, and a longer text is refused before it is sent", arguments: longest)
    func longestBody(endpoint: String, most: Int) throws {
        let webPush = try Self.webPush()
        let request = try webPush.exchange(Self.message(most), to: endpoint).request
        #expect(try Browser.text(request).count == most)
        let error = expectThrows(.error(.tooLong, effect: .notApplied)) {
            try webPush.exchange(Self.message(most + 1), to: endpoint)
        }
        #expect(error?.message.contains("\(most)") == true)
    }

    /// A service, the bytes of a text, the limit of texts, and the bytes of the body if texts fill blocks of 3,993.
    private static let padded: [(endpoint: String, text: Int, limit: Int, body: Int)] = [
        (Ferry.mozilla, 50, 3993, 4096), (Ferry.microsoft, 50, 3993, 4096), (short, 50, 3993, 2048),
        (short, 1945, 3993, 2048), (Ferry.microsoft, 4000, 4897, 5000), (Ferry.mozilla, 50, 4897, 4096),
        (Ferry.mozilla, 50, 2912, 3015),
    ]

    @Test("padding makes no message longer than its service takes and the limit allows", arguments: padded)
    func padding(endpoint: String, text: Int, limit: Int, body: Int) throws {
        var webPush = try Self.webPush()
        webPush.paddingBlock = 3993
        webPush.capabilities.limits[.payloadBytes]?.maximum = limit
        let request = try webPush.exchange(Self.message(text), to: endpoint).request
        guard case .bytes(let bytes, _) = request.body else { throw PushError(.invalidState, "no body") }
        #expect(try bytes.count == body && Browser.text(request).count == text)
    }
}
