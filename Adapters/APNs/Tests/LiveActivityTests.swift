import FoundationEssentials
import PushAPNs
import PushAdapter
import Testing

@Suite("APNs Live Activities")
struct LiveActivityTests {
    private static let beginning: [String: JSONValue] = [
        "event": "start", "attributes-type": "Parcel", "attributes": ["id": 17], "content-state": ["eta": 9],
        "alert": ["title": "Parcel", "body": ["loc-key": "ARRIVES", "loc-args": ["Tuesday"]], "sound": "default"],
    ]

    /// The fields of `aps`. The payload must have no other key.
    private func aps(_ activity: JSONValue, at moment: Date = Shop.now) throws -> [String: JSONValue] {
        let body = try Shop.body(of: Shop.request(of: Message(liveActivity: activity), at: moment))
        guard case .object(let fields) = body, fields.count == 1, case .object(let aps)? = fields["aps"] else {
            Issue.record("the payload has more than aps, or less")
            return [:]
        }
        return aps
    }

    private func refusal(of activity: JSONValue) throws -> PushError? {
        try Shop.refusal(of: Message(liveActivity: activity))
    }

    /// A start with changed fields; null removes one.
    private func start(_ changes: [String: JSONValue]) -> JSONValue {
        .object(Self.beginning.merging(changes) { $1 }.filter { $0.value != .null })
    }

    // MARK: As JSON

    @Test("an update gets the moment of the send, unless it has its own")
    func timestamp() throws {
        let update: JSONValue = ["event": "update", "content-state": ["eta": 9]]
        #expect(try aps(update) == ["event": "update", "content-state": ["eta": 9], "timestamp": 1_795_165_200])
        let later = try aps(update, at: Shop.now.addingTimeInterval(61.7))
        #expect(later["timestamp"] == 1_795_165_261)
        let own = try aps(["event": "update", "content-state": ["eta": 9], "timestamp": 1_795_100_000])
        #expect(own["timestamp"] == 1_795_100_000)
    }

    @Test("a start keeps all that it has")
    func whole() throws {
        var whole = Self.beginning
        whole["timestamp"] = 1_795_165_200
        whole["stale-date"] = 1_795_168_800
        whole["dismissal-date"] = 1_795_170_000
        whole["relevance-score"] = 100
        whole["content-state"] = ["eta": 9, "stops": [1, nil, ["deep": true]]]
        whole["input-push-channel"] = "bXktY2hhbm5lbA=="
        #expect(try aps(.object(whole)) == whole)
        whole["input-push-channel"] = nil
        whole["input-push-token"] = 1
        #expect(try aps(.object(whole)) == whole)
    }

    @Test(
        "a start lacks nothing that the device needs",
        arguments: ["attributes-type", "attributes", "alert", "content-state", "event"])
    func missing(key: String) throws {
        let refusal = try refusal(of: start([key: .null]))
        #expect(refusal?.kind == .invalidArgument && refusal?.message.contains(key) == true)
    }

    @Test("an end keeps its dates, and may have no content")
    func end() throws {
        let bare = try aps(["event": "end", "dismissal-date": 1_795_100_000])
        #expect(bare == ["event": "end", "dismissal-date": 1_795_100_000, "timestamp": 1_795_165_200])
        let last = try aps(["event": "end", "content-state": ["eta": 0]])
        #expect(last["content-state"] == ["eta": 0])
    }

    @Test("a text of an alert is a text, or a key with its arguments", arguments: ["start", "update", "end"])
    func alert(event: String) throws {
        for alert: JSONValue in ["Soon", ["title": ["loc-key": "T"], "body": "B"]] {
            let changes: [String: JSONValue] =
                event == "start" ? [:] : ["attributes": .null, "attributes-type": .null, "event": .string(event)]
            let sent = try aps(start(changes.merging(["alert": alert]) { $1 }))
            #expect(sent["alert"] == alert)
        }
    }

    @Test("a number of the activity keeps its digits")
    func digits() throws {
        let score = try JSONValue(parsing: Array("0.57".utf8))
        let sent = try aps(["event": "update", "content-state": ["rate": score], "relevance-score": score])
        #expect(sent["content-state"] == ["rate": score])
        #expect(sent["relevance-score"] == score)
    }

    // MARK: Typed

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
        update.input = .token
        var expected = Self.beginning
        expected["timestamp"] = 1_795_165_200
        expected["stale-date"] = 1_795_168_800
        expected["dismissal-date"] = 1_795_165_140
        expected["relevance-score"] = 2
        expected["input-push-token"] = 1
        #expect(update.json == .object(expected))
        #expect(try aps(update.json) == expected)
        update.input = .channel("YQ==")
        expected["input-push-token"] = nil
        expected["input-push-channel"] = "YQ=="
        #expect(try aps(update.json) == expected)
    }

    @Test("every event has Apple's name", arguments: LiveActivityUpdate.Event.allCases)
    func events(event: LiveActivityUpdate.Event) {
        let names: [LiveActivityUpdate.Event: String] = [.start: "start", .update: "update", .end: "end"]
        #expect(names[event] == event.rawValue)
        #expect(LiveActivityUpdate(event).json == ["event": .string(event.rawValue)])
    }

    // MARK: Refusals

    private static let flaws: [(activity: String, word: String)] = [
        ("[]", "object"), (#""update""#, "object"), (#"{"content-state":{}}"#, "event"),
        (#"{"event":"stop","content-state":{}}"#, "event"), (#"{"event":7,"content-state":{}}"#, "event"),
        (#"{"event":"update"}"#, "content-state"), (#"{"event":"update","content-state":7}"#, "content-state"),
        (#"{"event":"update","content-state":null}"#, "content-state"),
        (#"{"event":"update","content-state":{},"color":1}"#, "color"),
        (#"{"event":"update","content-state":{},"timestamp":"soon"}"#, "timestamp"),
        (#"{"event":"update","content-state":{},"timestamp":1795165200.5}"#, "timestamp"),
        (#"{"event":"update","content-state":{},"timestamp":1795194001}"#, "eight hours"),
        (#"{"event":"update","content-state":{},"timestamp":1795165200123}"#, "eight hours"),
        (#"{"event":"update","content-state":{},"stale-date":"later"}"#, "stale-date"),
        (#"{"event":"end","dismissal-date":true}"#, "dismissal-date"),
        (#"{"event":"update","content-state":{},"relevance-score":"most"}"#, "relevance-score"),
        (#"{"event":"update","content-state":{},"alert":7}"#, "alert"),
        (#"{"event":"update","content-state":{},"input-push-token":1}"#, "input-push"),
        (#"{"event":"end","input-push-channel":"YQ=="}"#, "input-push"),
        (#"{"event":"update","content-state":{},"attributes":{}}"#, "attributes"),
        (#"{"event":"end","attributes-type":"Parcel"}"#, "attributes-type"),
        (#"{"event":"end","attributes-type":7}"#, "attributes-type"),
    ]

    @Test("what a device would drop is refused by name", arguments: flaws)
    func refusals(activity: String, word: String) throws {
        let refusal = try refusal(of: JSONValue(parsing: Array(activity.utf8)))
        #expect(refusal?.kind == .invalidArgument)
        #expect(refusal?.message.contains(word) == true, "\(refusal?.message ?? "")")
    }

    private static let forms: [(key: String, value: JSONValue)] = [
        ("attributes-type", 7), ("attributes-type", ""), ("attributes", "none"), ("attributes", []),
        ("input-push-channel", 7), ("input-push-channel", ""), ("input-push-token", "yes"), ("input-push-token", 0),
        ("input-push-token", true), ("alert", []),
    ]

    @Test("a value of the wrong form is refused, and never dropped", arguments: forms)
    func form(key: String, value: JSONValue) throws {
        let refusal = try refusal(of: start([key: value]))
        #expect(refusal?.kind == .invalidArgument && refusal?.message.contains(key) == true)
    }

    @Test("a new activity has a token or a channel, not both")
    func inputs() throws {
        let both = try refusal(of: start(["input-push-token": 1, "input-push-channel": "YQ=="]))
        #expect(both?.kind == .invalidArgument && both?.message.contains("input-push") == true)
    }

    @Test("eight hours ahead is not too far, and the past is the device's matter")
    func horizon() throws {
        for moment in [1_795_194_000, 1] {
            let timestamp = JSONValue(integerLiteral: moment)
            let sent = try aps(["event": "update", "content-state": [:], "timestamp": timestamp])
            #expect(sent["timestamp"] == timestamp)
        }
    }
}
