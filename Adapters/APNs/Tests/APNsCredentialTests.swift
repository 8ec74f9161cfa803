import APNsSimulator
import FoundationEssentials
import PushAPNs
import PushAdapter
import PushClient
import PushCrypto
import PushSimulation
import TestSupport
import Testing

@Suite("APNs credentials, adapter against simulator")
struct APNsCredentialTests {
    private let message = Message(notification: Notification(body: "B"))
    private let first = Audience.devices([Shop.device(0)])

    /// Sends to one device, and expects the number of provider tokens and of connections so far.
    private func send(
        _ shop: ShopClient, tokens: Int, connections: Int, at place: SourceLocation = #_sourceLocation
    ) async throws {
        try await shop.deliver(message, to: first, at: place)
        #expect(shop.bearers.count == tokens, sourceLocation: place)
        #expect(shop.connections.count == connections, sourceLocation: place)
    }

    @Test("a provider token serves all sends for 50 minutes, and is then renewed once")
    func renewal() async throws {
        let shop = try ShopClient(devices: 30)
        try await shop.deliver(message, to: Shop.devices(30))
        #expect(shop.bearers.count == 1)
        shop.clock.advance(by: .seconds(2999))
        try await send(shop, tokens: 1, connections: 1)
        shop.clock.advance(by: .seconds(1))
        // The client renews the token in the background of the send that finds it due.
        try await until {
            try await shop.deliver(message, to: first)
            return shop.bearers.count == 2
        }
        shop.clock.advance(by: .seconds(2900))
        try await send(shop, tokens: 2, connections: 2)
        // After a pause, the old token has expired, so the send waits for a new one.
        shop.clock.advance(by: .seconds(3600))
        // One connection per token. Connections of older tokens stay open until they are idle for long.
        try await send(shop, tokens: 3, connections: 3)
        #expect(await shop.production.connectionCount == 3)
    }

    @Test("a token that the vendor calls expired is replaced after 20 minutes, and never within them")
    func expiry() async throws {
        let shop = try ShopClient()
        try await send(shop, tokens: 1, connections: 1)
        // Within the 20 minutes, the same token works over another connection.
        for (pause, tokens, connections) in [(1100, 1, 2), (200, 2, 3)] {
            shop.clock.advance(by: .seconds(pause))
            shop.refuse(403, "ExpiredProviderToken")
            try await send(shop, tokens: tokens, connections: connections)
        }
    }

    @Test("a token that changed too often is used on, over another connection")
    func tooManyUpdates() async throws {
        let shop = try ShopClient()
        shop.refuse(429, "TooManyProviderTokenUpdates")
        try await send(shop, tokens: 1, connections: 2)
        #expect(shop.clock.elapsed >= .seconds(1))
    }

    @Test("a clock that is wrong is the reason that the error names, and no second token is tried")
    func wrongClock() async throws {
        let late = VirtualClock(startingAt: Shop.now.addingTimeInterval(-7200))
        let shop = try ShopClient(clientClock: late)
        let expected = ErrorParts.error(
            .unauthorized, code: "ExpiredProviderToken", effect: .notApplied, naming: "clock")
        await expectThrows(expected) { try await shop.client.send(message, to: first) }
        #expect(shop.bearers.count == 1)
        #expect(await shop.production.sendCount == 0)
    }

    @Test("a wrong key ends the send at its first answer, and so does a topic of no app", arguments: [true, false])
    func wrongKey(isKey: Bool) async throws {
        let stranger = try SigningKey.generate(.es256).verifyingKey
        let shop = try ShopClient(
            topic: isKey ? Shop.topic : "com.example.nobody", signer: { if isKey { $0.verifyingKey = stranger } },
            adapter: { $0.capabilities.concurrency = 1 })
        let (kind, code): (PushError.Kind, VendorCode) =
            isKey ? (.unauthorized, "InvalidProviderToken") : (.misconfigured, "BadTopic")
        let error = await expectThrows(.error(kind, code: code, effect: .notApplied)) {
            try await shop.client.send(message, to: Shop.devices(200))
        }
        #expect(error?.retry == .never)
        let rest = Array(repeating: TargetStatus.notAttempted, count: 199)
        #expect(error?.report?.exceptions.map(\.status) == [.rejected(mayRetry: false)] + rest)
        #expect(shop.host.journal.count == 1)
    }

    @Test("a new key gets a connection of its own, as the vendor demands")
    func replacement() async throws {
        let shop = try ShopClient()
        try await send(shop, tokens: 1, connections: 1)
        let second = try APNs(Shop.key(keyID: Apple.secondKey), topic: Shop.topic, dataCenter: ShopClient.dataCenter)
        try shop.client.replaceCredentials(with: second)
        try await send(shop, tokens: 2, connections: 2)
        #expect(await shop.production.connectionCount == 2)
    }

    @Test(
        "the check of the credentials succeeds, and delivers nothing",
        arguments: [AppEnvironment.production, .development])
    func probe(environment: AppEnvironment) async throws {
        let shop = try ShopClient(adapter: { $0.environment = environment })
        try await shop.run(shop.apns.probe())
        let counts = [shop.host.journal.count, shop.sandboxHost.journal.count]
        #expect(counts == (environment == .production ? [1, 0] : [0, 1]))
        #expect(await shop.production.sendCount == 0)
        // A failing server says nothing about the credentials.
        (environment == .production ? shop.host : shop.sandboxHost).faults.add(.serverError(status: 503), times: 10)
        await expectThrows(.error(.server)) { try await shop.run(shop.apns.probe()) }
    }
}
