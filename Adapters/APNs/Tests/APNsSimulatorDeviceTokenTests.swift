import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import TestSupport
import Testing

/// Device tokens: when they die, and how often one may get a push.
@Suite("APNs simulator: device tokens")
struct APNsSimulatorDeviceTokenTests {
    private static let app = Apple.token(for: .app)
    private static let dead = "410 Unregistered"
    private static let tooMany = "429 TooManyRequests"

    private static func call(_ outcome: String) -> Step {
        .send(outcome, to: Apple.token(for: .voip), "{}", Apple.call)
    }

    private static func managed(_ outcome: String) -> Step {
        .send(outcome, to: Apple.token(for: .mdm), "{}", Apple.managed)
    }

    /// The app's token is added to an app.
    private static func add(to app: String) -> Step {
        Step {
            let registration = APNsRegistration(VirtualDevice(Apple.phone, .ios), token: Self.app)
            await $0.apple.simulator.add(registration, to: app)
        }
    }

    private static let stories: [Story] = [
        Story(
            "after the removal of the app one push is accepted and lost, then the token is refused", .uninstall,
            .push("200"), .push(dead), .push(dead), .inbox([])),
        Story(
            "all tokens of the removed app on the device are dead, and the others live", .uninstall, call("200"),
            call(dead), managed("200"), managed("200"), .push("200", to: Apple.tablet), .push("200", to: Apple.tablet)),
        Story("no push may be accepted", settings: { $0.pushesUntilUnregistered = 0 }, .uninstall, .push(dead)),
        Story(
            "several pushes may be accepted", settings: { $0.pushesUntilUnregistered = 3 }, .uninstall, .push("200"),
            .push("200"), .push("200"), .push(dead)),
        Story(
            "it may take a while", settings: { $0.unregisteredDelay = 3600 }, .uninstall, .push("200"), .pass(3599),
            .push("200"), .pass(1), .push(dead)),
        Story(
            "it may take several pushes and a while",
            settings: { ($0.pushesUntilUnregistered, $0.unregisteredDelay) = (2, 60) }, .uninstall, .push("200"),
            .push("200"), .pass(59), .push("200"), .pass(1), .push(dead)),
        Story(
            "pushes count only when the device is online", .online(false), .uninstall, .push("200"), .push("200"),
            .push("200"), .online(true), .push("200"), .push(dead)),
        Story(
            "a token that is added again lives again, and an unknown app gets none",
            settings: { $0.pushesUntilUnregistered = 0 }, .uninstall, .push(dead), add(to: "com.example.none"),
            .push(dead), add(to: Apple.shop), .push("200"), .inbox(["B"])),
        Story(
            "too many pushes to one token are refused until the span is over",
            settings: { ($0.pushesPerToken, $0.tokenSeconds) = (2, 10) }, .push("200"), .push("200"), .push(tooMany),
            .push("200", to: Apple.tablet), .pass(9), .push(tooMany), .pass(1), .push("200"), .push("200"),
            .push(tooMany), .inbox(["B", "B", "B", "B"]), Step { #expect(await $0.apple.simulator.sendCount == 5) }),
    ]

    @Test("the life of a token", arguments: stories)
    func story(row: Story) async throws { try await row.play() }

    @Test("the moment in the refusal is that of the detection, or of the removal", arguments: [true, false])
    func moments(isDetection: Bool) async throws {
        let apple = try Apple(settings: { $0.datesDetection = isDetection })
        let removal = Int(apple.now.timeIntervalSince1970) * 1000
        await apple.simulator.uninstall(Self.app, at: apple.now)
        apple.pass(1.25)
        #expect(await apple.push() == "200")
        let moment = JSONValue(integerLiteral: removal + (isDetection ? 1250 : 0))
        for _ in 0..<2 {
            apple.pass(60)
            let refused = await apple.send()
            #expect(refused.status == 410 && refused.id?.count == 36)
            #expect(refused.json == ["reason": "Unregistered", "timestamp": moment])
        }
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
}
