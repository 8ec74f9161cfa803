import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Device tokens: when they die, and how often one may get a push.
@Suite("APNs simulator: device tokens")
struct APNsSimulatorDeviceTokenTests {
    private typealias Apple = SimulatedApple
    private static let app = SimulatedApple.token(for: .app)
    private static let dead = "410 Unregistered"

    @Test("after the removal of the app one push is accepted and lost, then the token is refused")
    func uninstalled() async throws {
        let apple = try Apple()
        await apple.simulator.uninstall(Self.app, at: apple.now)
        apple.pass(5)
        #expect(await apple.push() == "200")
        let detection = Int((apple.now.timeIntervalSince1970 * 1000).rounded())
        apple.pass(60)
        for _ in 0..<2 {
            let refused = await apple.send()
            #expect(refused.status == 410 && refused.id?.count == 36)
            #expect(refused.json == ["reason": "Unregistered", "timestamp": JSONValue(integerLiteral: detection)])
        }
        #expect(await apple.inbox() == [])
        // All tokens of the app on the device are dead; the others live.
        #expect(await apple.outcomes(2, to: Apple.token(for: .voip), "{}", Apple.call) == ["200", Self.dead])
        #expect(await apple.outcomes(2, to: Apple.token(for: .mdm), "{}", Apple.managed) == ["200", "200"])
        #expect(await apple.outcomes(2, to: Apple.tablet) == ["200", "200"])
    }

    @Test("how many pushes and how long it takes are settings", arguments: [(0, 0.0), (3, 0), (1, 3600), (2, 60)])
    func laziness(pushes: Int, delay: Double) async throws {
        let apple = try Apple(settings: { ($0.pushesUntilUnregistered, $0.unregisteredDelay) = (pushes, delay) })
        await apple.simulator.uninstall(Self.app, at: apple.now)
        for _ in 0..<pushes { #expect(await apple.push() == "200") }
        if delay > 0 {
            apple.pass(delay - 1)
            #expect(await apple.push() == "200")
            apple.pass(1)
        }
        #expect(await apple.push() == Self.dead)
    }

    @Test("the moment in the refusal is that of the detection, or of the removal", arguments: [true, false])
    func moments(isDetection: Bool) async throws {
        let apple = try Apple(settings: { $0.datesDetection = isDetection })
        let removal = Int(apple.now.timeIntervalSince1970) * 1000
        await apple.simulator.uninstall(Self.app, at: apple.now)
        apple.pass(1.25)
        #expect(await apple.push() == "200")
        apple.pass(1)
        #expect(await apple.send().json["timestamp"]?.intValue == removal + (isDetection ? 1250 : 0))
    }

    @Test("pushes count only when the device is online")
    func offline() async throws {
        let apple = try Apple()
        await apple.setOnline(false)
        await apple.simulator.uninstall(Self.app, at: apple.now)
        #expect(await apple.outcomes(3) == ["200", "200", "200"])
        await apple.setOnline(true)
        #expect(await apple.outcomes(2) == ["200", Self.dead])
    }

    @Test("an expired token is refused at once")
    func expired() async throws {
        let apple = try Apple()
        await apple.simulator.expire(Self.app, at: apple.now)
        let moment = JSONValue(integerLiteral: Int(apple.now.timeIntervalSince1970) * 1000)
        apple.pass(10)
        let refused = await apple.send()
        #expect(refused.status == 410 && refused.json == ["reason": "ExpiredToken", "timestamp": moment])
    }

    @Test("a token that is added again lives again")
    func renewed() async throws {
        let apple = try Apple(settings: { $0.pushesUntilUnregistered = 0 })
        await apple.simulator.uninstall(Self.app, at: apple.now)
        #expect(await apple.push() == Self.dead)
        let registration = APNsRegistration(VirtualDevice(Apple.phone, .ios), token: Self.app)
        await apple.simulator.add(registration, to: "com.example.none")
        #expect(await apple.push() == Self.dead)
        await apple.simulator.add(registration, to: Apple.shop)
        #expect(await apple.push() == "200")
        #expect(await apple.inbox().count == 1)
    }

    @Test("too many pushes to one token are refused until the span is over")
    func rates() async throws {
        let apple = try Apple(settings: { ($0.pushesPerToken, $0.tokenSeconds) = (2, 10) })
        let tooMany = "429 TooManyRequests"
        #expect(await apple.outcomes(3) == ["200", "200", tooMany])
        #expect(await apple.send().json == ["reason": "TooManyRequests"])
        #expect(await apple.outcomes(1, to: Apple.tablet) == ["200"])
        apple.pass(9)
        #expect(await apple.push() == tooMany)
        apple.pass(1)
        #expect(await apple.outcomes(3) == ["200", "200", tooMany])
        #expect(await apple.inbox().count == 4)
        #expect(await apple.simulator.sendCount == 5)
    }
}
