import Foundation
import PushAdapter
import PushCrypto
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push settings")
struct ConfigurationTests {
    private typealias Values = [String: ProviderSettings.Value]

    private static let app: Values = ["subject": .text(Ferry.subject), "key": .secret(Secret(Ferry.number))]

    private func make(_ more: Values = [:]) throws(PushError) -> WebPush {
        try WebPush(ProviderSettings(Self.app.merging(more) { $1 }), dataCenter: WebPush.dataCenters.standard)
    }

    @Test("a key and a subject are enough; the rest has defaults")
    func defaults() throws {
        let webPush = try make()
        #expect(webPush.primaryKey.id == Ferry.keyID && webPush.subject == Ferry.subject)
        #expect(webPush.services == WebPush.Service.known && !webPush.allowsAnyPublicHost)
        #expect(webPush.format == .declarative && webPush.defaultTitle == nil && webPush.defaultNavigate == nil)
        #expect(webPush.defaultLife == .seconds(86_400) && webPush.paddingBlock == 0)
        #expect(!webPush.keepsLocations && !webPush.acceptsDuplicates && webPush.grace == .seconds(60))
        #expect(webPush.dataCenter.name == "browsers")
    }

    @Test("every setting has its effect")
    func settings() throws {
        let webPush = try make([
            "publicKey": .text(Ferry.point), "anyPublicHost": .flag(true), "format": .text("worker"),
            "defaultTitle": .text("T"), "defaultNavigate": .text("https://example.com"), "defaultLife": .integer(0),
            "paddingBlock": .integer(128), "keepsLocations": .flag(true), "acceptsDuplicates": .flag(true),
            "grace": .integer(300),
            "hosts": .texts(["push.example.com", ".push.example.org=mozilla"]),
            "privateHosts": .texts(["localhost=microsoft", "::1", "127.0.0.1"]),
        ])
        #expect(webPush.allowsAnyPublicHost && webPush.format == .worker)
        #expect(webPush.defaultTitle == "T" && webPush.defaultNavigate == "https://example.com")
        #expect(webPush.defaultLife == .zero && webPush.paddingBlock == 128)
        #expect(webPush.keepsLocations && webPush.acceptsDuplicates && webPush.grace == .seconds(300))
        #expect(
            webPush.services.map(\.name) == [
                "microsoft", "::1", "127.0.0.1", "push.example.com", "mozilla", "mozilla", "google", "apple",
                "microsoft",
            ])
        #expect(webPush.services.map(\.isPrivate) == [true, true, true] + Array(repeating: false, count: 6))
        // The host behaves as the service that it names.
        let request = try webPush.exchange(.shown, to: "http://localhost:8030/w").request
        #expect(request.header("X-WNS-Cache-Policy") == "no-cache" && request.header("TTL") == "0")
    }

    @Test("a key may be a file, and older keys too")
    func files() throws {
        let (key, older) = (try WebPushKey.generate(), try WebPushKey.generate())
        let folder = FileManager.default.temporaryDirectory.appending(path: "vapid-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, key) in [("new", key), ("old", older)] {
            try key.privateKey.withBytes { Data($0) }.write(to: folder.appending(path: name))
        }
        let webPush = try WebPush(
            ProviderSettings([
                "subject": .text(Ferry.subject), "keyFile": .text(folder.appending(path: "new").path),
                "olderKeyFiles": .texts([folder.appending(path: "old").path]),
            ]), dataCenter: WebPush.dataCenters.standard)
        #expect(webPush.primaryKey.id == key.id)
        #expect(try webPush.subscription(from: Browser.json(), vapidKey: older.id).vapidKey == older.id)
    }

    private static let refused: [Values] = [
        ["keyFile": .text("/nowhere/vapid.pem")], ["publicKey": .text(Browser.p256dh)],
        ["olderKeyFiles": .texts(["/nowhere/vapid.pem"])], ["subject": .text("mailto:a@localhost")],
        ["defaultNavigate": .text("/start")], ["hosts": .texts([""])], ["hosts": .texts(["https://push.org"])],
        ["hosts": .texts(["push.org=opera"])], ["hosts": .texts(["push.org=mozilla=google"])],
        ["privateHosts": .texts(["=mozilla"])], ["hosts": .texts(["Push.org"])], ["hosts": .texts(["push.org:8443"])],
        ["hosts": .texts(["*.push.org"])], ["hosts": .texts(["."])], ["hosts": .texts(["push.org/up"])],
        ["privateHosts": .texts(["[::1]"])],
    ]

    @Test("settings that cannot be used are refused", arguments: refused.indices)
    func refusals(index: Int) {
        expectThrows(.error(.misconfigured)) { try make(Self.refused[index]) }
    }

    @Test("a subject and a key are needed")
    func missing() {
        for name in Self.app.keys {
            let values = Self.app.filter { $0.key != name }
            expectThrows(.error(.misconfigured)) {
                try WebPush(ProviderSettings(values), dataCenter: WebPush.dataCenters.standard)
            }
        }
    }

    @Test("every setting is in the table, and the calls are declared")
    func tables() throws {
        let webPush = try make()
        #expect(Set(WebPush.settings.map(\.name)).count == WebPush.settings.count)
        #expect(webPush.capabilities[.send] == .native && webPush.capabilities[.mintToken] == .native)
        #expect(webPush.capabilities.limits[.devicesPerSend]?.maximum == 1)
        #expect(webPush.capabilities.limits[.deviceIDLength]?.maximum == 4096)
        #expect(webPush.capabilities.limits[.payloadBytes]?.maximum == 3993)
    }
}
