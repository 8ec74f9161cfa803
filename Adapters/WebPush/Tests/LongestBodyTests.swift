import PushAdapter
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push and the longest body of a service")
struct LongestBodyTests {
    /// A service, and the longest text that it takes.
    private static let longest = [
        (Ferry.mozilla, 3993), (Ferry.google, 3993), (Ferry.apple, 3993), (Ferry.microsoft, 4897),
        (Ferry.unifiedPush, 3993), ("https://short.example.com/a", 1945),
    ]

    @Test("each service takes bodies of its length, and a longer text is refused before it is sent", arguments: longest)
    func longestBody(endpoint: String, most: Int) throws {
        var webPush = try Ferry.webPush()
        var short = WebPush.Service("short", hosts: ["short.example.com"])
        short.longestBody = 2048
        webPush.services.append(short)
        let frame = #"{"custom":{"content":""}}"#.utf8.count
        func message(_ count: Int) -> Message {
            Message(custom: CustomMessage(content: String(repeating: "a", count: count - frame)))
        }
        let request = try webPush.exchange(message(most), to: endpoint).request
        #expect(try Browser.text(request).count == most)
        let error = expectThrows(.error(.tooLong, effect: .notApplied)) {
            try webPush.exchange(message(most + 1), to: endpoint)
        }
        #expect(error?.message.contains("\(most)") == true)
    }
}
