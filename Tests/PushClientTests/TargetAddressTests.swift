import PushAdapter
import Testing

@Suite("Addresses of targets")
struct TargetAddressTests {
    @Test(
        "a plain address is read as its origin, and the rest byte for byte",
        arguments: [
            ("https://push.example/send/1?x=2", "https://push.example", "/send/1?x=2"),
            ("https://push.example", "https://push.example", "/"),
            ("https://push.example/", "https://push.example", "/"),
            ("https://push.example?x=1", "https://push.example", "/?x=1"),
            ("https://push.example/a//b/../%2e%2e/?", "https://push.example", "/a//b/../%2e%2e/?"),
            ("https://push.example/A@b:c", "https://push.example", "/A@b:c"),
            ("https://push.example?u=https://other.example/@x", "https://push.example", "/?u=https://other.example/@x"),
            ("https://push.example:8443/a", "https://push.example:8443", "/a"),
            ("https://push.example:443/a", "https://push.example", "/a"),
            ("https://push.example:0444/a", "https://push.example:444", "/a"),
            ("https://push.example:80/a", "https://push.example:80", "/a"),
            ("http://localhost:80/a", "http://localhost", "/a"),
            ("http://localhost:443/a", "http://localhost:443", "/a"),
            ("https://192.0.2.1/a", "https://192.0.2.1", "/a"),
            ("https://[2001:db8::1]:8443/a", "https://[2001:db8::1]:8443", "/a"),
            ("https://[::1]/a", "https://[::1]", "/a"),
        ])
    func plain(url: String, origin: String, rest: String) throws {
        let address = try TargetAddress(url)
        #expect(address.origin == origin && address.pathAndQuery == rest)
        var request = WireRequest(.post, "none", path: ["ignored"])
        request.address = address
        #expect(try DataCenter("home", services: [:]).url(of: request) == origin + rest)
        #expect(request.route == "/{}")
    }

    @Test(
        "an address that readers may understand differently is refused, without a word of it in the error",
        arguments: [
            "", "push.example/p", "ftp://push.example/p", "https:push.example/p", "https:/push.example/p", "https://",
            "https:///p", "https://?p", "HTTPS://push.example/p", "https://Push.example/p",
            // User names.
            "https://user@push.example/p", "https://user:pw@push.example/p", "https://@push.example/p",
            // Ports.
            "https://push.example:/p", "https://push.example:0/p", "https://push.example:65536/p",
            "https://push.example:8x/p", "https://push.example:-1/p", "https://push.example:1:2/p",
            // Characters.
            "https://push.example/p#f", "https://push.example#", "https://push.example/p q", " https://push.example/p",
            "https://push.example/p\n", "https://push.example/\tp", "https://push.example\\@other.example/p",
            "https://push.example/p\\q", "https://push.example/p\"", "https://push.example/<p>",
            "https://push.example/ä", "https://püsh.example/p", "https://push%2eexample/p", "https://push,example/p",
            // IP addresses.
            "https://::1/p", "https://[::1/p", "https://[]/p", "https://[::1]x/p", "https://[FE80::1]/p",
            "https://[fe80::1%25eth0]/p", "https://127.1/p", "https://2130706433/p", "https://0x7f.0.0.1/p",
            "https://0x7f000001/p", "https://127.0.0.1./p", "https://0177.0.0.1/p", "https://1.2.3.4.5/p",
            "https://1.2.3.256/p", "https://./p",
        ])
    func doubtful(url: String) throws {
        let plant = url.hasSuffix("p") ? "planted-sesame" : ""
        let error = #expect(throws: PushError.self) { try TargetAddress(url + plant) }
        #expect(error?.kind == .invalidArgument)
        #expect(error.map { "\($0)".contains("sesame") } == false)
    }

    @Test(
        "an address has at most 8,000 bytes",
        arguments: [(7_999, true), (8_000, true), (8_001, false), (10_240, false)])
    func length(bytes: Int, isGood: Bool) {
        let beginning = "https://push.example/"
        let url = beginning + String(repeating: "a", count: bytes - beginning.utf8.count)
        #expect(((try? TargetAddress(url)) != nil) == isGood)
    }

    @Test("texts about an address show its origin only")
    func secrecy() throws {
        let address = try TargetAddress("https://push.example:8443/planted-sesame?q=planted-sesame")
        var request = WireRequest(.post, "push")
        request.address = address
        var texts = "\(address)" + String(reflecting: address) + "\(request)" + String(reflecting: request)
        dump(address, to: &texts)
        dump(request, to: &texts)
        texts += QuotaBucket.origin(of: address).rawValue
        #expect(!texts.contains("sesame") && texts.contains("https://push.example:8443"))
    }
}
