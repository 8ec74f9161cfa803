import PushAdapter
import Testing

@Suite("Wire requests")
struct WireRequestTests {
    @Test(
        "a value is one encoded segment, whatever it holds",
        arguments: [
            ("a/b", "/a%2Fb"), ("a b", "/a%20b"), ("?x#y", "/%3Fx%23y"),
            ("%2e", "/%252e"), ("字", "/%E5%AD%97"), ("a\r\nb\u{0}", "/a%0D%0Ab%00"), ("...", "/..."),
            ("@!#$&*+=.|￥", "/%40%21%23%24%26%2A%2B%3D.%7C%EF%BF%A5"),
        ])
    func segments(value: String, expected: String) throws {
        #expect(try WireRequest(.get, "s", path: [.value(value)]).target() == expected)
    }

    @Test(
        "a value that is empty, or a step of a path, is refused, and so is an empty list",
        arguments: [.value(""), .value("."), .value(".."), .values([]), .values(["a", ""])] as [PathSegment])
    func refusedSegment(segment: PathSegment) {
        let error = #expect(throws: PushError.self) { try WireRequest(.get, "s", path: ["a", segment]).target() }
        #expect(error?.kind == .invalidArgument)
    }

    @Test("query parts are encoded, commas between ids stay")
    func query() throws {
        let request = WireRequest(
            .get, "s", path: ["x"], query: [QueryItem("ids", "1,2"), QueryItem("q&", "a=b&c\n")])
        #expect(try request.target() == "/x?ids=1,2&q%26=a%3Db%26c%0A")
    }

    @Test(
        "secrets in a body are masked in each form in which they can be there",
        arguments: [
            (
                #"{"a":"https:\/\/x.example\/s \" q","b":"https://x.example/s \" q"}"#,
                #"{"a":"https:\/\/x.example\/s \" q","b":"***"}"#
            ),
            (#"{"text":"{\"a\":\"https://x.example/s \\\" q\"}"}"#, #"{"text":"{\"a\":\"***\"}"}"#),
            ("a=https%3A%2F%2Fx.example%2Fs%20%22%20q&b=1", "a=***&b=1"),
            ("a=https%3A%2F%2Fx.example%2Fs%20%5C%22%20q&b=1", "a=***&b=1"),
            ("a=1&b=https://x.example/s", "a=1&b=***"), ("nothing", "nothing"),
        ])
    func masked(body: String, shown: String) {
        let secrets = [Secret("https://x.example/s"), Secret("https://x.example/s \" q"), Secret("")]
        #expect(WireBody.json(Array(body.utf8)).text(masking: secrets) == shown)
        #expect(WireBody.none.text(masking: secrets) == nil)
    }

    @Test("a route and a description hold no value")
    func descriptions() {
        let request = WireRequest(
            .post, "devices", path: ["a", .value("190e35f7e0a1b2c3d4e")], body: .json(Array("secret".utf8)))
        #expect(request.route == "/a/{}")
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", dumped] {
            #expect(!text.contains("190e"))
            #expect(!text.contains("secret"))
        }
    }
}
