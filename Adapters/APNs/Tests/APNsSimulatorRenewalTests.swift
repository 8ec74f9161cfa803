import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// New provider tokens on a connection: how soon, and after an expired one.
@Suite("APNs simulator: renewal of provider tokens")
struct APNsSimulatorRenewalTests {
    private typealias Apple = SimulatedApple
    private static let tooMany = "429 TooManyProviderTokenUpdates"

    @Test("another token within 20 minutes is refused, and the connection is of no use until then")
    func tooSoon() async throws {
        let apple = try Apple()
        let connection = await apple.connect()
        #expect(await apple.push(over: connection) == "200")
        apple.pass(1199)
        let next = try apple.jwt()
        #expect(await apple.push(next, over: connection) == Self.tooMany)
        #expect(await apple.push(over: connection) == Self.tooMany)
        #expect(await apple.push(next) == "200")
        apple.pass(1)
        #expect(await apple.push(next, over: connection) == "200")
    }

    @Test("another token after 20 minutes is accepted, and the next one after 20 more")
    func inTime() async throws {
        let apple = try Apple()
        let connection = await apple.connect()
        for (seconds, outcome) in [(0, "200"), (1200, "200"), (1200, "200"), (1200, "200"), (1199, Self.tooMany)] {
            apple.pass(Double(seconds))
            let next = try apple.jwt()
            #expect(await apple.push(next, over: connection) == outcome)
        }
    }

    @Test("the older token may go on working after a refusal")
    func unblocked() async throws {
        let apple = try Apple(settings: { $0.blocksAfterTooManyUpdates = false })
        let connection = await apple.connect()
        #expect(await apple.push(over: connection) == "200")
        let next = try apple.jwt()
        #expect(await apple.push(next, over: connection) == Self.tooMany)
        #expect(await apple.push(over: connection) == "200")
    }

    @Test("the 20 minutes count on each connection, or across connections", arguments: [false, true])
    func scope(isAcross: Bool) async throws {
        let apple = try Apple(settings: { $0.countsUpdatesAcrossConnections = isAcross })
        let (first, second, third) = (await apple.connect(), await apple.connect(), await apple.connect())
        #expect(await apple.push(over: first) == "200")
        let next = try apple.jwt()
        #expect(await apple.push(next, over: second) == (isAcross ? Self.tooMany : "200"))
        #expect(await apple.push(over: third) == "200")
        apple.pass(1200)
        let late = try apple.jwt()
        #expect(await apple.push(late, over: third) == "200")
    }

    @Test("two tokens of the same second differ, unless the settings compare the times", arguments: [false, true])
    func sameSecond(comparesTimes: Bool) async throws {
        let apple = try Apple(settings: { $0.comparesIssueTimes = comparesTimes })
        let connection = await apple.connect()
        #expect(await apple.push(over: connection) == "200")
        let (twin, older) = (try apple.jwt(), try apple.jwt(age: 60))
        #expect(twin != apple.bearer)
        #expect(await apple.push(twin, over: connection) == (comparesTimes ? "200" : Self.tooMany))
        #expect(await apple.push(older, over: connection) == Self.tooMany)
    }

    @Test("a refused request does not count as the use of its token, unless it fails only at the device token")
    func refusedUse() async throws {
        let apple = try Apple()
        let (connection, other) = (await apple.connect(), await apple.connect())
        let (unknown, next) = (try apple.jwt(key: "K0UNKNOWN0"), try apple.jwt())
        #expect(await apple.push(unknown, over: connection) == "403 InvalidProviderToken")
        #expect(await apple.push(over: connection) == "200")
        #expect(await apple.send(to: Apple.ghost, over: other).reason == "BadDeviceToken")
        #expect(await apple.push(next, over: other) == Self.tooMany)
    }

    @Test("an expired token breaks its connection, unless the settings say otherwise", arguments: [true, false])
    func wedged(isWedged: Bool) async throws {
        let apple = try Apple(settings: { $0.wedgesAfterExpiry = isWedged })
        let connection = await apple.connect()
        #expect(await apple.push(over: connection) == "200")
        apple.pass(3601)
        #expect(await apple.push(over: connection) == "403 ExpiredProviderToken")
        let next = try apple.jwt()
        for _ in 0..<2 {
            #expect(await apple.push(next, over: connection) == (isWedged ? "403 ExpiredProviderToken" : "200"))
        }
        #expect(await apple.push(next, over: apple.connect()) == "200")
        // The signature is checked first.
        #expect(await apple.push("a.b.c", over: connection) == "403 InvalidProviderToken")
    }
}
