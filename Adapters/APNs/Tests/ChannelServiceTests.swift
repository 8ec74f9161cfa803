import APNsSimulator
import FoundationEssentials
import PushAPNs
import PushAdapter
import PushClient
import PushSimulation
import Testing

@Suite("APNs channels, adapter against simulator")
struct ChannelServiceTests {
    private static let update = LiveActivityUpdate(.update, content: ["eta": 9])
    /// A well-formed id of no channel.
    private static let stranger = "bm90LWEtY2hhbm5lbC1pZA=="

    @Test("channels are made, read, listed and deleted", arguments: [AppEnvironment.production, .development])
    func life(environment: AppEnvironment) async throws {
        let shop = try ShopClient(configure: { apns, _ in apns.environment = environment })
        let stored = try await shop.client.run(shop.apns.createChannel(storing: .newest))
        let unstored = try await shop.client.run(shop.apns.createChannel(storing: .nothing))
        let policies = [
            try await shop.client.run(shop.apns.readChannel(stored)),
            try await shop.client.run(shop.apns.readChannel(unstored)),
        ]
        #expect(policies == [.newest, .nothing])
        let all = try await shop.client.run(shop.apns.listChannels())
        #expect(all == [stored, unstored])
        try await shop.client.run(shop.apns.deleteChannel(stored))
        let rest = try await shop.client.run(shop.apns.listChannels())
        #expect(rest == [unstored])
        let places = [shop.production, shop.development]
        let other = await places[environment == .production ? 1 : 0].channels(of: Shop.topic)
        #expect(other.isEmpty)
        #expect(shop.bearers.count == 1)
    }

    @Test("a broadcast reaches the activities that follow its channel")
    func broadcast() async throws {
        let shop = try ShopClient()
        let channel = try await shop.client.run(shop.apns.createChannel(storing: .newest))
        for number in [0, 1] {
            await shop.production.follow(channel, of: Shop.topic, on: Shop.device(number).rawValue, as: "parcel")
        }
        try await shop.client.run(
            shop.apns.broadcast(Self.update, to: channel, at: shop.clock.date, life: .seconds(600)))
        for (number, count) in [(0, 1), (1, 1), (2, 0)] {
            let changes = await shop.inbox(number).compactMap(\.activity)
            let change = DeliveredMessage.ActivityChange(id: "parcel", event: .update, content: ["eta": 9])
            #expect(changes == Array(repeating: change, count: count), "\(number)")
        }
        try await shop.client.run(
            shop.apns.broadcast(LiveActivityUpdate(.end), to: channel, at: shop.clock.date))
        let events = await shop.inbox().compactMap(\.activity?.event)
        #expect(events == [.update, .end])
        #expect(await shop.production.broadcastCount == 2)
        #expect(await shop.production.sendCount == 0)
    }

    @Test("the newest broadcast waits for a device that is offline, as long as its life")
    func waiting() async throws {
        let shop = try ShopClient()
        let channel = try await shop.client.run(shop.apns.createChannel(storing: .newest))
        let device = Shop.device(0).rawValue
        await shop.production.follow(channel, of: Shop.topic, on: device, as: "parcel")
        for (wait, expected) in [(60, 1), (600, 1)] {
            await shop.production.setOnline(false, device, at: shop.clock.date)
            try await shop.client.run(
                shop.apns.broadcast(Self.update, to: channel, at: shop.clock.date, life: .seconds(300)))
            shop.clock.advance(by: .seconds(wait))
            await shop.production.setOnline(true, device, at: shop.clock.date)
            let inbox = await shop.inbox()
            #expect(inbox.count == expected, "\(wait)")
        }
    }

    // MARK: Refusals

    /// The error of a call; nil if it succeeds.
    private func error<Output: Sendable>(of exchange: Exchange<Output>, _ shop: ShopClient) async -> PushError? {
        do throws(PushError) {
            _ = try await shop.client.run(exchange)
            return nil
        } catch {
            return error
        }
    }

    @Test("an unknown channel, a deleted one, and a life on a channel that stores nothing get different errors")
    func refusals() async throws {
        let shop = try ShopClient()
        let (client, apns) = (shop.client, shop.apns)
        let gone = try await client.run(apns.createChannel(storing: .newest))
        try await client.run(apns.deleteChannel(gone))
        let unstored = try await client.run(apns.createChannel(storing: .nothing))
        func broadcast(_ channel: String, life: Duration = .zero) throws -> Exchange<Void> {
            try apns.broadcast(Self.update, to: channel, at: shop.clock.date, life: life)
        }
        let errors = [
            await error(of: apns.readChannel(Self.stranger), shop), await error(of: apns.readChannel(gone), shop),
            await error(of: apns.deleteChannel(gone), shop), await error(of: apns.deleteChannel(Self.stranger), shop),
            await error(of: try broadcast(Self.stranger), shop), await error(of: try broadcast(gone), shop),
            await error(of: try broadcast(unstored, life: .seconds(60)), shop),
        ]
        let codes = errors.compactMap { $0?.vendor?.code }
        #expect(
            codes == [
                "BadChannelId", "ChannelNotRegistered", "BadPath", "BadPath", "BadChannelId", "ChannelNotRegistered",
                "BadExpirationDate",
            ])
        let kinds = errors.compactMap { $0?.kind }
        #expect(
            kinds == [.noTarget, .noTarget, .noTarget, .noTarget, .noTarget, .noTarget, .invalidArgument])
        let strange = errors.filter { $0?.effect != .notApplied || $0?.retry != .never }
        #expect(strange.isEmpty)
        #expect(await shop.production.broadcastCount == 0)
    }

    @Test("an app without the capability, or with all its channels, gets no more, and the error says why")
    func limits() async throws {
        let without = try ShopClient { app, _, _ in app.hasBroadcasts = false }
        let incapable = await error(of: without.apns.createChannel(storing: .newest), without)
        #expect(incapable?.kind == .misconfigured && incapable?.message.contains("capability") == true)
        let full = try ShopClient { _, _, settings in settings.channelLimit = 1 }
        _ = try await full.client.run(full.apns.createChannel(storing: .newest))
        let second = await error(of: full.apns.createChannel(storing: .newest), full)
        #expect(second?.kind == .limitExceeded && second?.effect == .notApplied)
        #expect(await full.production.channels(of: Shop.topic).count == 1)
    }

    @Test("broadcasts of one channel in a row are throttled, and the client tries again")
    func throttle() async throws {
        let shop = try ShopClient { _, _, settings in settings.broadcastsPerMinute = 1 }
        let channel = try await shop.client.run(shop.apns.createChannel(storing: .newest))
        let exchange = try shop.apns.broadcast(Self.update, to: channel, at: shop.clock.date)
        try await shop.client.run(exchange)
        let refused = await error(of: exchange, shop)
        #expect(refused?.kind == .rateLimited && refused?.effect == .notApplied && refused?.retry == .exhausted)
        shop.clock.advance(by: .seconds(60))
        try await shop.client.run(exchange)
        #expect(await shop.production.broadcastCount == 2)
    }

    // MARK: Lost responses

    @Test("a lost creation or broadcast stays unknown, and nothing is made twice")
    func lost() async throws {
        let shop = try ShopClient()
        shop.host.faults.add(.actedThenLost, path: "/channels")
        let creation = await error(of: shop.apns.createChannel(storing: .newest), shop)
        #expect(creation?.effect == .unknown)
        let channels = try await shop.client.run(shop.apns.listChannels())
        #expect(channels.count == 1)
        let channel = try #require(channels.first)
        shop.host.faults.add(.actedThenLost, path: "/" + Shop.topic)
        let broadcast = await error(
            of: try shop.apns.broadcast(Self.update, to: channel, at: shop.clock.date), shop)
        #expect(broadcast?.effect == .unknown)
        #expect(await shop.production.broadcastCount == 1)
    }

    @Test("a deletion whose response was lost is repeated, and ends with no target")
    func lostDeletion() async throws {
        let shop = try ShopClient()
        let channel = try await shop.client.run(shop.apns.createChannel(storing: .newest))
        shop.host.faults.add(.actedThenLost, path: "/channels")
        let deletion = await error(of: shop.apns.deleteChannel(channel), shop)
        #expect(deletion?.kind == .noTarget && deletion?.effect == .unknown)
        #expect(await shop.production.channels(of: Shop.topic).isEmpty)
        // A refused stream had no effect, so the client retries and deletes the channel.
        let other = try await shop.client.run(shop.apns.createChannel(storing: .newest))
        shop.host.faults.add(.refusedStream, path: "/channels")
        try await shop.client.run(shop.apns.deleteChannel(other))
        #expect(await shop.production.channels(of: Shop.topic).isEmpty)
    }
}
