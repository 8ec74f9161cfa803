import FoundationEssentials
import PushAPNs
import PushAdapter
import TestSupport
import Testing

@Suite("APNs Live Activities")
struct LiveActivityTests {
    private static let beginning: [String: JSONValue] = [
        "event": "start", "attributes-type": "Parcel", "attributes": ["id": 17], "content-state": ["eta": 9],
        "alert": ["title": "Parcel", "body": ["loc-key": "ARRIVES", "loc-args": ["Tuesday"]], "sound": "default"],
    ]

    private static let update: [String: JSONValue] = ["event": "update", "content-state": ["eta": 9]]

    /// The fields of `aps`. The payload must have no other key.
    private func aps(_ activity: JSONValue, at moment: Date = Shop.now) throws -> [String: JSONValue] {
        let body = try Shop.request(of: Message(liveActivity: activity), at: moment).json()
        guard case .object(let fields) = body, fields.count == 1, case .object(let aps)? = fields["aps"] else {
            Issue.record("the payload has more than aps, or less")
            return [:]
        }
        return aps
    }

    /// A start with changed fields; null removes one.
    private func start(_ changes: [String: JSONValue]) -> JSONValue {
        .object(Self.beginning.merging(changes) { $1 }.filter { $0.value != .null })
    }

    /// A number that a floating-point value would change.
    private static let score: JSONValue = (try? JSONValue(parsing: Array("0.57".utf8))) ?? .null
    private static let end: [String: JSONValue] = ["event": "end", "content-state": ["eta": 0]]
    private static let alerts: [JSONValue] = ["Soon", ["title": ["loc-key": "T"], "body": "B"]]

    private static let whole: [[String: JSONValue]] =
        [
            beginning.merging([
                "stale-date": 1_795_168_800, "dismissal-date": 1_795_170_000, "relevance-score": 100,
                "content-state": ["eta": 9, "stops": [1, .null, ["deep": true]]],
                "input-push-channel": "bXktY2hhbm5lbA==",
            ]) { $1 },
            beginning.merging(["input-push-token": 1]) { $1 }, update, end,
            ["event": "end", "dismissal-date": 1_795_100_000],
            ["event": "update", "content-state": ["rate": score], "relevance-score": score],
        ] + [beginning, update, end].flatMap { part in alerts.map { alert in part.merging(["alert": alert]) { $1 } } }

    @Test("an activity keeps all that it has, and gets the moment of the send unless it has its own", arguments: whole)
    func kept(activity: [String: JSONValue]) throws {
        let sent = try aps(.object(activity))
        #expect(sent == activity.merging(["timestamp": 1_795_165_200]) { $1 })
        let later = try aps(.object(activity), at: Shop.now.addingTimeInterval(61.7))
        #expect(later["timestamp"] == 1_795_165_261)
        // Eight hours ahead is not too far, and the past is the device's matter.
        for timestamp: JSONValue in [1, 1_795_100_000, 1_795_194_000] {
            let own = activity.merging(["timestamp": timestamp]) { $1 }
            #expect(try aps(.object(own)) == own)
        }
    }

    @Test("the typed form is the same as the JSON, with dates in whole seconds")
    func typed() throws {
        var update = LiveActivityUpdate(.start, content: ["eta": 9])
        update.attributesType = "Parcel"
        update.attributes = ["id": 17]
        update.alert = Self.beginning["alert"]
        #expect(update.json == .object(Self.beginning))
        update.timestamp = Shop.now.addingTimeInterval(0.9)
        update.staleDate = Shop.now.addingTimeInterval(3600.5)
        update.dismissalDate = Shop.now.addingTimeInterval(-60)
        update.relevanceScore = 2
        var expected = Self.beginning.merging([
            "timestamp": 1_795_165_200, "stale-date": 1_795_168_800, "dismissal-date": 1_795_165_140,
            "relevance-score": 2,
        ]) { $1 }
        update.input = .channel("YQ==")
        expected["input-push-channel"] = "YQ=="
        #expect(try aps(update.json) == expected)
        update.input = .token
        expected["input-push-channel"] = nil
        expected["input-push-token"] = 1
        #expect(try update.json == .object(expected) && aps(update.json) == expected)
        #expect(LiveActivityUpdate.Event.allCases.map(\.rawValue) == ["start", "update", "end"])
        #expect(LiveActivityUpdate(.end).json == ["event": "end"])
    }

    private static let wrongInStarts: [(key: String, value: JSONValue)] = [
        ("attributes-type", .null), ("attributes", .null), ("alert", .null), ("content-state", .null), ("event", .null),
        ("attributes-type", 7), ("attributes-type", ""), ("attributes", "none"), ("attributes", []),
        ("input-push-channel", 7), ("input-push-channel", ""), ("input-push-token", "yes"), ("input-push-token", 0),
        ("input-push-token", true), ("alert", []),
    ]

    @Test("a start lacks nothing, and has no value of the wrong form", arguments: wrongInStarts)
    func inStarts(key: String, value: JSONValue) throws {
        try Shop.expectRefusal(of: Message(liveActivity: start([key: value])), naming: key)
    }

    @Test("a new activity has a token or a channel, not both")
    func inputs() throws {
        let both = start(["input-push-token": 1, "input-push-channel": "YQ=="])
        try Shop.expectRefusal(of: Message(liveActivity: both), naming: "input-push")
    }
}
