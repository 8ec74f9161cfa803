import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Device tokens: which are known, when they die, and how often one may get a push.
@Suite("APNs simulator: device tokens")
struct APNsSimulatorDeviceTokenTests {
    private typealias Apple = SimulatedApple
    private static let app = SimulatedApple.token(for: .app)

    @Test(
        "a token that is malformed, unknown or of the other environment looks the same",
        arguments: [
            "x", "abc", SimulatedApple.ghost, SimulatedApple.sandboxed, "phone", SimulatedApple.token(for: .app) + "a0",
            SimulatedApple.token(for: .app) + "/a0", "%61" + SimulatedApple.token(for: .app),
        ])
    func badTokens(token: String) async throws {
        let answer = try await Apple().send(to: token)
        #expect(answer.status == 400)
        #expect(answer.json == ["reason": "BadDeviceToken"])
    }

    @Test("a token has an even number of digits, up to 200", arguments: [(2, 200), (200, 200), (202, 400), (199, 400)])
    func lengths(digits: Int, status: Int) async throws {
        let token = String(repeating: "7", count: digits)
        let apple = try Apple { apps, _, _ in
            apps[0].registrations.append(APNsRegistration(VirtualDevice("other", .ios), token: token))
        }
        #expect(await apple.send(to: token).status == status)
    }

    @Test("capitals in a token are accepted, unless the settings say otherwise", arguments: [true, false])
    func capitals(isAccepted: Bool) async throws {
        let apple = try Apple { _, _, settings in settings.acceptsUppercaseTokens = isAccepted }
        let answer = await apple.send(to: Self.app.uppercased())
        #expect(answer.reason == (isAccepted ? nil : "BadDeviceToken"))
        #expect(await apple.send(to: Self.app).status == 200)
        #expect(await apple.inbox().count == (isAccepted ? 2 : 1))
    }

    @Test("a token is for one app")
    func otherApp() async throws {
        let apple = try Apple()
        let refused = await apple.send(to: Apple.cafeDevice)
        #expect(refused.status == 400)
        #expect(refused.json == ["reason": "DeviceTokenNotForTopic"])
        #expect(await apple.send(to: Apple.cafeDevice, Apple.alert, ["apns-topic": Apple.cafe]).status == 200)
    }

    // MARK: Death

    @Test("after the removal of the app one push is accepted and lost, then the token is refused")
    func uninstalled() async throws {
        let apple = try Apple()
        await apple.simulator.uninstall(Self.app, at: apple.now)
        apple.pass(5)
        #expect(await apple.send().status == 200)
        let detection = Int((apple.now.timeIntervalSince1970 * 1000).rounded())
        apple.pass(60)
        for _ in 0..<2 {
            let refused = await apple.send()
            #expect(refused.status == 410)
            #expect(refused.json == ["reason": "Unregistered", "timestamp": JSONValue(integerLiteral: detection)])
            #expect(refused.id?.count == 36)
        }
        #expect(await apple.inbox() == [])
        // All tokens of the app on the device are dead; the others live.
        let call: [String: String?] = ["apns-topic": Apple.shop + ".voip", "apns-push-type": "voip"]
        for status in [200, 410] {
            #expect(await apple.send(to: Apple.token(for: .voip), "{}", call).status == status)
        }
        let management: [String: String?] = ["apns-topic": Apple.management, "apns-push-type": "mdm"]
        for _ in 0..<3 {
            #expect(await apple.send(to: Apple.token(for: .mdm), "{}", management).status == 200)
            #expect(await apple.send(to: Apple.tablet).status == 200)
        }
    }

    @Test("how many pushes and how long it takes are settings", arguments: [(0, 0.0), (3, 0), (1, 3600), (2, 60)])
    func laziness(pushes: Int, delay: Double) async throws {
        let apple = try Apple { _, _, settings in
            settings.pushesUntilUnregistered = pushes
            settings.unregisteredDelay = delay
        }
        await apple.simulator.uninstall(Self.app, at: apple.now)
        for _ in 0..<pushes { #expect(await apple.send().status == 200) }
        if delay > 0 {
            apple.pass(delay - 1)
            #expect(await apple.send().status == 200)
            apple.pass(1)
        }
        #expect(await apple.send().status == 410)
    }

    @Test("the moment in the refusal is that of the detection, or of the removal", arguments: [true, false])
    func moments(isDetection: Bool) async throws {
        let apple = try Apple { _, _, settings in settings.datesDetection = isDetection }
        let removal = Int(apple.now.timeIntervalSince1970) * 1000
        await apple.simulator.uninstall(Self.app, at: apple.now)
        apple.pass(1.25)
        #expect(await apple.send().status == 200)
        apple.pass(1)
        #expect(await apple.send().json["timestamp"]?.intValue == removal + (isDetection ? 1250 : 0))
    }

    @Test("pushes count only when the device is online")
    func offline() async throws {
        let apple = try Apple()
        await apple.simulator.setOnline(false, Apple.phone, at: apple.now)
        await apple.simulator.uninstall(Self.app, at: apple.now)
        for _ in 0..<3 { #expect(await apple.send().status == 200) }
        await apple.simulator.setOnline(true, Apple.phone, at: apple.now)
        for status in [200, 410] { #expect(await apple.send().status == status) }
        #expect(await apple.inbox() == [])
    }

    @Test("an expired token is refused at once")
    func expired() async throws {
        let apple = try Apple()
        await apple.simulator.expire(Self.app, at: apple.now)
        let moment = JSONValue(integerLiteral: Int(apple.now.timeIntervalSince1970) * 1000)
        apple.pass(10)
        let refused = await apple.send()
        #expect(refused.status == 410)
        #expect(refused.json == ["reason": "ExpiredToken", "timestamp": moment])
    }

    @Test("a token that is added again lives again")
    func renewed() async throws {
        let apple = try Apple { _, _, settings in settings.pushesUntilUnregistered = 0 }
        await apple.simulator.uninstall(Self.app, at: apple.now)
        #expect(await apple.send().status == 410)
        let registration = APNsRegistration(VirtualDevice(Apple.phone, .ios), token: Self.app)
        await apple.simulator.add(registration, to: "com.example.none")
        #expect(await apple.send().status == 410)
        await apple.simulator.add(registration, to: Apple.shop)
        #expect(await apple.send().status == 200)
        #expect(await apple.inbox().count == 1)
    }

    // MARK: Rates

    @Test("too many pushes to one token are refused until the span is over")
    func rates() async throws {
        let apple = try Apple { _, _, settings in
            settings.pushesPerToken = 2
            settings.tokenSeconds = 10
        }
        for status in [200, 200, 429] { #expect(await apple.send().status == status) }
        let refused = await apple.send()
        #expect(refused.json == ["reason": "TooManyRequests"])
        #expect(await apple.send(to: Apple.tablet).status == 200)
        apple.pass(9)
        #expect(await apple.send().status == 429)
        apple.pass(1)
        for status in [200, 200, 429] { #expect(await apple.send().status == status) }
        #expect(await apple.inbox().count == 4)
        #expect(await apple.simulator.sendCount == 5)
    }
}
