import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// New provider tokens on a connection: how soon, and after an expired one.
@Suite("APNs simulator: renewal of provider tokens")
struct APNsSimulatorRenewalTests {
    private typealias Apple = SimulatedApple

    // MARK: Too often

    @Test("another token within 20 minutes is refused, and the connection is of no use until then")
    func tooSoon() async throws {
        let apple = try Apple()
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        apple.pass(1199)
        let next = try apple.jwt()
        let refused = await apple.send(with: next, over: connection)
        #expect(refused.status == 429)
        #expect(refused.reason == "TooManyProviderTokenUpdates")
        #expect(await apple.send(over: connection).reason == "TooManyProviderTokenUpdates")
        #expect(await apple.send(with: next).status == 200)
        apple.pass(1)
        #expect(await apple.send(with: next, over: connection).status == 200)
    }

    @Test("another token after 20 minutes is accepted, and the next one after 20 more")
    func inTime() async throws {
        let apple = try Apple()
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        for _ in 0..<3 {
            apple.pass(1200)
            let next = try apple.jwt()
            #expect(await apple.send(with: next, over: connection).status == 200)
        }
        apple.pass(1199)
        let early = try apple.jwt()
        #expect(await apple.send(with: early, over: connection).status == 429)
    }

    @Test("the older token may go on working after a refusal")
    func unblocked() async throws {
        let apple = try Apple { _, _, settings in settings.blocksAfterTooManyUpdates = false }
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        let next = try apple.jwt()
        #expect(await apple.send(with: next, over: connection).status == 429)
        #expect(await apple.send(over: connection).status == 200)
    }

    @Test("the 20 minutes count on each connection, or across connections", arguments: [false, true])
    func scope(isAcross: Bool) async throws {
        let apple = try Apple { _, _, settings in settings.countsUpdatesAcrossConnections = isAcross }
        let (first, _) = await apple.open()
        let (second, _) = await apple.open()
        #expect(await apple.send(over: first).status == 200)
        let next = try apple.jwt()
        #expect(await apple.send(with: next, over: second).status == (isAcross ? 429 : 200))
        let (third, _) = await apple.open()
        #expect(await apple.send(over: third).status == 200)
        apple.pass(1200)
        let late = try apple.jwt()
        #expect(await apple.send(with: late, over: third).status == 200)
    }

    @Test("two tokens of the same second differ, unless the settings compare the times", arguments: [false, true])
    func sameSecond(comparesTimes: Bool) async throws {
        let apple = try Apple { _, _, settings in settings.comparesIssueTimes = comparesTimes }
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        let twin = try apple.jwt()
        #expect(twin != apple.bearer)
        #expect(await apple.send(with: twin, over: connection).status == (comparesTimes ? 200 : 429))
        let older = try apple.jwt(age: 60)
        #expect(await apple.send(with: older, over: connection).status == 429)
    }

    @Test("a refused request does not count as the use of its token")
    func refusedUse() async throws {
        let apple = try Apple()
        let (connection, _) = await apple.open()
        let unknown = try apple.jwt(key: "K0UNKNOWN0")
        #expect(await apple.send(with: unknown, over: connection).reason == "InvalidProviderToken")
        #expect(await apple.send(over: connection).status == 200)
        // A push that fails only at the device token counts as a use.
        let (other, _) = await apple.open()
        #expect(await apple.send(to: Apple.ghost, over: other).reason == "BadDeviceToken")
        let next = try apple.jwt()
        #expect(await apple.send(with: next, over: other).status == 429)
    }

    // MARK: Too late

    @Test("an expired token breaks its connection, unless the settings say otherwise", arguments: [true, false])
    func wedged(isWedged: Bool) async throws {
        let apple = try Apple { _, _, settings in settings.wedgesAfterExpiry = isWedged }
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        apple.pass(3601)
        #expect(await apple.send(over: connection).reason == "ExpiredProviderToken")
        let next = try apple.jwt()
        for _ in 0..<2 {
            let answer = await apple.send(with: next, over: connection)
            #expect(answer.status == (isWedged ? 403 : 200))
            #expect(answer.reason == (isWedged ? "ExpiredProviderToken" : nil))
        }
        let (fresh, _) = await apple.open()
        #expect(await apple.send(with: next, over: fresh).status == 200)
        // The signature is checked first.
        #expect(await apple.send(with: "a.b.c", over: connection).reason == "InvalidProviderToken")
    }
}
