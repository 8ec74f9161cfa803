import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Live Activities with their own tokens.
@Suite("APNs simulator: Live Activities")
struct APNsSimulatorActivityTests {
    private typealias Apple = SimulatedApple
    private typealias Change = DeliveredMessage.ActivityChange
    private static let now = 1_795_165_200
    private static let start =
        #"{"aps":{"timestamp":1795165200,"event":"start","attributes-type":"Parcel","attributes":{"id":17},"#
        + #""content-state":{"eta":9},"alert":{"title":{"loc-key":"TK"},"body":"On its way","sound":"s.caf"}}}"#

    /// The messages of the phone after some pushes, which are all accepted.
    private static func inbox(
        after bodies: [String], to purpose: Apple.Purpose = .liveActivity, isOnline: Bool = true
    ) async throws -> [DeliveredMessage] {
        let apple = try Apple()
        await apple.setOnline(isOnline)
        for body in bodies {
            #expect(await apple.send(to: Apple.token(for: purpose), body, Apple.activity).outcome == "200")
        }
        await apple.setOnline(true)
        return await apple.inbox()
    }

    @Test("a start has the type as its id, and texts as its alert")
    func starts() async throws {
        let message = try #require(try await Self.inbox(after: [Self.start], to: .pushToStart).first)
        #expect(message.activity == Change(id: "Parcel", event: .start, content: ["eta": 9]))
        #expect(message.title == "TK" && message.alert == "On its way" && message.sound == "s.caf")
        #expect(message.custom == nil)
    }

    @Test("an update and an end name the activity by its token, and an end may keep the content on the screen")
    func changes() async throws {
        let end = #"{"aps":{"timestamp":1795165201,"event":"end","dismissal-date":1}}"#
        let token = Apple.token(for: .liveActivity)
        #expect(
            try await Self.inbox(after: [Apple.change(), end]).map(\.activity) == [
                Change(id: token, event: .update, content: ["eta": 1]), Change(id: token, event: .end, content: [:]),
            ])
    }

    @Test("a device ignores a change that is older than the last, or more than 8 hours ahead; a start is never too old")
    func timestamps() async throws {
        let moments = [10, 9, 10, 8 * 3600 + 1, 8 * 3600, 20]
        let inbox = try await Self.inbox(after: moments.map { Apple.change("update", Self.now + $0, eta: $0) })
        #expect(inbox.map { $0.activity?.content["eta"]?.intValue } == [10, 10, 8 * 3600])
        let later = Self.start.replacing("1795165200", with: "1795165300")
        #expect(try await Self.inbox(after: [later, Self.start], to: .pushToStart).count == 2)
    }

    @Test(
        "a device ignores what is incomplete, and what its token cannot do",
        arguments: [
            (Apple.change("start"), .liveActivity), (Apple.change("update"), .pushToStart),
            (Apple.change("start"), .pushToStart), (Apple.change("pause"), .liveActivity),
            (#"{"aps":{"alert":"B"}}"#, .liveActivity),
            (#"{"aps":{"event":"update","content-state":{}}}"#, .liveActivity),
            (#"{"aps":{"event":"update","timestamp":1795165200}}"#, .liveActivity),
            (#"{"aps":{"event":"update","timestamp":"1795165200","content-state":{}}}"#, .liveActivity),
            (start.replacing(#""alert""#, with: #""alarm""#), .pushToStart),
            (start.replacing("attributes-type", with: "type"), .pushToStart),
        ] as [(String, APNsRegistration.Purpose)])
    func ignored(body: String, purpose: APNsRegistration.Purpose) async throws {
        #expect(try await Self.inbox(after: [body], to: purpose) == [])
    }

    @Test("the last change waits for the device")
    func waiting() async throws {
        let inbox = try await Self.inbox(after: [Apple.change(), Apple.change(eta: 2)], isOnline: false)
        #expect(inbox.map { $0.activity?.content } == [["eta": 2]])
    }
}
