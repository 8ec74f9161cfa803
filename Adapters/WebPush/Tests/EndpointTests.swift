import PushAdapter
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push endpoints")
struct EndpointTests {
    private func refusal(_ webPush: WebPush, _ endpoint: String) throws -> PushError? {
        let refuse = try #require(webPush.roles.refusal)
        return refuse(.device(try Browser.subscription(endpoint).deviceID))
    }

    private func strict() throws -> WebPush { try WebPush(Ferry.key(), subject: Ferry.subject) }

    private static let services = [
        Ferry.mozilla, Ferry.google, Ferry.apple, Ferry.microsoft, "https://jmt17.google.com/fcm/send/a",
        "https://eu.push.services.mozilla.com/wpush/v1/a", "https://dm3p.notify.windows.com/w/?token=a",
        "https://fcm.googleapis.com:443/fcm/send/a",
    ]

    @Test(
        "the services of the four makers are allowed, and the request must reach a public address", arguments: services)
    func known(endpoint: String) throws {
        let webPush = try strict()
        #expect(try refusal(webPush, endpoint) == nil)
        let request = try webPush.exchange(.shown, to: endpoint).request
        #expect(request.address == (try TargetAddress(endpoint)) && request.address?.mustBePublic == true)
        #expect(request.method == .post && request.route == "/{}")
    }

    /// Hosts that look like a service, and any other.
    private static let others = [
        "https://evil.example.com/x.google.com/", "https://fcm.googleapis.com.evil.com/a", "https://push.apple.com/a",
        "https://evilpush.apple.com/a", "https://notify.windows.com/a", "https://xfcm.googleapis.com/a",
        "https://updates.push.services.mozilla.com.evil.com/a", "https://evil.com/?https://fcm.googleapis.com/",
        Ferry.unifiedPush,
    ]

    @Test("another host is refused, unless the settings name it or allow any public host", arguments: others)
    func unknown(endpoint: String) throws {
        var webPush = try strict()
        let error = try refusal(webPush, endpoint)
        #expect(error?.kind == .invalidArgument && error?.message.contains("no known push service") == true)
        expectThrows(.error(.invalidArgument, effect: .notApplied)) { try webPush.exchange(.shown, to: endpoint) }
        webPush.allowsAnyPublicHost = true
        #expect(try refusal(webPush, endpoint) == nil)
        #expect(try webPush.exchange(.shown, to: endpoint).request.address?.mustBePublic == true)
    }

    /// Addresses that no public service has.
    private static let bad: [(endpoint: String, word: String)] = [
        ("http://push.somewhere.org/a", "https"), ("https://push.somewhere.org:8443/a", "port"),
        ("https://push.somewhere.org:80/a", "port"), ("https://push.somewhere.org:/a", "absolute"),
        ("https://push.somewhere.org:0/a", "absolute"), ("https://push.somewhere.org:65536/a", "absolute"),
        ("https://push.somewhere.org:4x/a", "absolute"), ("https://push.somewhere.org./a", "domain"),
        ("https://push..org/a", "domain"), ("https://-push.org/a", "domain"), ("https://push_1.org/a", "domain"),
        ("https://push%2eorg.com/a", "absolute"), ("https://p\u{FC}sh.org/a", "absolute"),
        ("https://127\u{3002}0\u{3002}0\u{3002}1/a", "absolute"),
        ("https://push.somewhere.org/" + String(repeating: "a", count: 10_240), "2048"), ("https://[::1]/a", "domain"),
        ("https://[::ffff:7f00:1]/a", "domain"),
        ("https://[::1/a", "absolute"), ("https://[::1]:443/a", "domain"),
        ("https://" + String(repeating: "a", count: 64) + ".org/a", "domain"),
        ("https://" + String(repeating: "a.", count: 126) + "org/a", "domain"),
        ("https://127.0.0.1/a", "numbers"), ("https://169.254.169.254/latest", "numbers"),
        ("https://127.1/a", "absolute"), ("https://0x7f.0.0.0x1/a", "absolute"), ("https://0177.0.0.01/a", "absolute"),
        ("https://push.0x7f/a", "absolute"), ("https://push.123/a", "absolute"),
        ("https://2130706433/a", "absolute"), ("https://localhost/a", "one label"),
        ("https://intranet/a", "one label"),
        ("https://push.localhost/a", "private"), ("https://push.local/a", "private"),
        ("https://metadata.google.internal/a", "private"), ("https://nas.home.arpa/a", "private"),
        ("https://push.invalid/a", "private"), ("https://host.localdomain/a", "private"),
    ]

    @Test("no setting for public hosts allows an address that no public service has", arguments: bad)
    func neverPublic(endpoint: String, word: String) throws {
        var webPush = try Ferry.webPush()
        webPush.services.insert(WebPush.Service("named", hosts: ["push.somewhere.org", "push.local"]), at: 0)
        expectThrows(.error(.invalidArgument, effect: .notApplied, naming: word)) {
            try webPush.subscription(from: Browser.json(endpoint), vapidKey: Ferry.keyID)
        }
        // A subscription that was stored before the rule is refused at each send.
        let stored = DeviceID(try Browser.subscription().deviceID.rawValue.replacing(Ferry.mozilla, with: endpoint))
        let refuse = try #require(webPush.roles.refusal)
        #expect(refuse(.device(stored))?.message.contains(word) == true)
        expectThrows(.error(.invalidArgument, effect: .notApplied, naming: word)) {
            try webPush.send(.shown, to: .devices([stored]))
        }
    }

    private static let own = [
        "http://localhost:8030/wpush/a", "http://127.0.0.1:8030/a", "https://[::1]:8443/a", "https://push.local/a",
        "http://localhost/a",
    ]

    @Test("a host of one's own may be private, in all respects", arguments: own)
    func privateHosts(endpoint: String) throws {
        var webPush = try strict()
        webPush.services.insert(
            WebPush.Service(
                "own", hosts: ["localhost", "127.0.0.1", "::1", "push.local"], as: .mozilla, isPrivate: true),
            at: 0)
        #expect(try refusal(webPush, endpoint) == nil)
        #expect(try webPush.exchange(.shown, to: endpoint).request.address?.mustBePublic == false)
        // It allows nothing beside itself.
        #expect(try refusal(webPush, "http://127.0.0.2:8030/a") != nil)
        #expect(try refusal(webPush, Ferry.mozilla) == nil)
    }

    private static let origins: [(endpoint: String, origin: String)] = [
        (Ferry.google, "https://fcm.googleapis.com"),
        ("https://fcm.googleapis.com:443/fcm/send/a", "https://fcm.googleapis.com"),
        ("http://localhost:8030/a", "http://localhost:8030"), ("http://localhost:80/a", "http://localhost"),
        ("https://localhost:8443/a", "https://localhost:8443"),
    ]

    @Test("a request is signed for its origin, and a throttle is about it", arguments: origins)
    func scopes(endpoint: String, origin: String) throws {
        var webPush = try strict()
        webPush.services.insert(WebPush.Service("own", hosts: ["localhost"], isPrivate: true), at: 0)
        let exchange = try webPush.exchange(.shown, to: endpoint)
        #expect(exchange.credential == .origin(origin, key: Ferry.keyID))
        #expect(exchange.charges.count == 1 && exchange.charges[0].cost == 1)
        #expect(exchange.charges[0].bucket.rawValue == "origin " + origin)
    }

    @Test("a subscription of a key that the adapter does not have is refused before anything is sent")
    func foreignKey() throws {
        let webPush = try WebPush(WebPushKey.generate(), subject: Ferry.subject)
        #expect(try refusal(webPush, Ferry.mozilla)?.message.contains(Ferry.keyID) == true)
        expectThrows(.error(.invalidArgument, effect: .notApplied, naming: Ferry.keyID)) {
            try webPush.exchange(.shown)
        }
    }
}
