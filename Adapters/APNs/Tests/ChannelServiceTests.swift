import APNsSimulator
import PushAPNs
import PushAdapter
import PushClient
import PushSimulation
import TestSupport
import Testing

@Suite("APNs channels, adapter against simulator")
struct ChannelServiceTests {
    private static let update = LiveActivityUpdate(.update, content: ["eta": 9])

    @Test(
        "channels are made, read, listed and deleted, and a broadcast reaches the activities that follow one",
        arguments: [AppEnvironment.production, .development])
    func life(environment: AppEnvironment) async throws {
        let shop = try ShopClient(adapter: { $0.environment = environment })
        let stored = try await shop.run(shop.apns.createChannel(storing: .newest))
        let unstored = try await shop.run(shop.apns.createChannel(storing: .nothing))
        #expect(try await shop.run(shop.apns.readChannel(stored)) == .newest)
        #expect(try await shop.run(shop.apns.readChannel(unstored)) == .nothing)
        #expect(try await shop.run(shop.apns.listChannels()) == [stored, unstored])
        let isProduction = environment == .production
        let (own, other) = isProduction ? (shop.production, shop.development) : (shop.development, shop.production)
        let device = isProduction ? Shop.device(0).rawValue : ShopClient.sandboxed.rawValue
        await own.follow(stored, of: Shop.topic, on: device, as: "parcel")
        for update in [Self.update, LiveActivityUpdate(.end)] {
            try await shop.run(shop.apns.broadcast(update, to: stored, at: shop.clock.date, life: .seconds(600)))
        }
        let changes = await own.inbox(of: device).compactMap(\.activity)
        #expect(changes.map(\.event) == [.update, .end] && changes.first?.content == ["eta": 9])
        #expect(await own.broadcastCount == 2)
        try await shop.run(shop.apns.deleteChannel(stored))
        #expect(try await shop.run(shop.apns.listChannels()) == [unstored])
        #expect(await other.channels(of: Shop.topic).isEmpty)
        #expect(shop.bearers.count == 1)
    }

    @Test("an app without the capability, or with all its channels, gets no more, and the error says why")
    func limits() async throws {
        let without = try ShopClient(app: { $0.hasBroadcasts = false })
        await expectThrows(.error(.misconfigured, naming: "capability")) {
            try await without.run(without.apns.createChannel(storing: .newest))
        }
        let full = try ShopClient(settings: { $0.channelLimit = 1 })
        _ = try await full.run(full.apns.createChannel(storing: .newest))
        await expectThrows(.error(.limitExceeded, effect: .notApplied)) {
            try await full.run(full.apns.createChannel(storing: .newest))
        }
    }

    @Test("broadcasts of one channel in a row are throttled, and the client tries again")
    func throttle() async throws {
        let shop = try ShopClient(settings: { $0.broadcastsPerMinute = 1 })
        let channel = try await shop.run(shop.apns.createChannel(storing: .newest))
        let exchange = try shop.apns.broadcast(Self.update, to: channel, at: shop.clock.date)
        try await shop.run(exchange)
        let refused = await expectThrows(.error(.rateLimited, effect: .notApplied)) { try await shop.run(exchange) }
        #expect(refused?.retry == .exhausted)
        shop.clock.advance(by: .seconds(60))
        try await shop.run(exchange)
        #expect(await shop.production.broadcastCount == 2)
    }

    @Test("a lost creation or broadcast stays unknown, and nothing is made twice; a lost deletion has no target")
    func lost() async throws {
        let shop = try ShopClient()
        shop.host.faults.add(.actedThenLost, path: "/channels")
        await expectThrows(.error(effect: .unknown)) { try await shop.run(shop.apns.createChannel(storing: .newest)) }
        let channels = try await shop.run(shop.apns.listChannels())
        #expect(channels.count == 1)
        let channel = try #require(channels.first)
        shop.host.faults.add(.actedThenLost, path: "/" + Shop.topic)
        let broadcast = try shop.apns.broadcast(Self.update, to: channel, at: shop.clock.date)
        await expectThrows(.error(effect: .unknown)) { try await shop.run(broadcast) }
        #expect(await shop.production.broadcastCount == 1)
        // The client repeats a deletion, and then the channel is gone.
        shop.host.faults.add(.actedThenLost, path: "/channels")
        await expectThrows(.error(.noTarget, effect: .unknown)) { try await shop.run(shop.apns.deleteChannel(channel)) }
        // A refused stream had no effect, so the client retries and deletes the channel.
        let other = try await shop.run(shop.apns.createChannel(storing: .newest))
        shop.host.faults.add(.refusedStream, path: "/channels")
        try await shop.run(shop.apns.deleteChannel(other))
        #expect(await shop.production.channels(of: Shop.topic).isEmpty)
    }
}
