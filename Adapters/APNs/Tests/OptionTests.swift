import FoundationEssentials
import PushAPNs
import PushAdapter
import Testing

@Suite("APNs options")
struct OptionTests {
    /// A notification with options in their JSON form.
    private static func message(_ options: String) throws -> Message {
        try Shop.message(#"{"notification":{"body":"B"},"options":{"apns":\#(options)}}"#)
    }

    private static let fields: [(options: String, key: String, value: JSONValue)] = [
        (#"{"alert":{"launch-image":"start"}}"#, "alert", ["body": "B", "launch-image": "start"]),
        (#"{"alert":{"action-loc-key":"OPEN"}}"#, "alert", ["body": "B", "action-loc-key": "OPEN"]),
        (
            #"{"alert":{"summary-arg":"Ann","summary-arg-count":2}}"#, "alert",
            ["body": "B", "summary-arg": "Ann", "summary-arg-count": 2]
        ),
        (#"{"sound":{"name":"a.caf","critical":1}}"#, "sound", ["name": "a.caf", "critical": 1]),
        (#"{"sound":{"name":"a.caf"}}"#, "sound", ["name": "a.caf", "critical": 1]),
        (#"{"sound":{"name":"default","volume":0}}"#, "sound", ["name": "default", "critical": 1, "volume": 0]),
        (#"{"target-content-id":"window"}"#, "target-content-id", "window"),
        (#"{"relevance-score":1}"#, "relevance-score", 1), (#"{"filter-criteria":"work"}"#, "filter-criteria", "work"),
        (#"{"url-args":["a","b"]}"#, "url-args", ["a", "b"]),
    ]

    @Test("an option stands in aps under Apple's key", arguments: fields)
    func payload(options: String, key: String, value: JSONValue) throws {
        let aps = (["alert": "B"] as [String: JSONValue]).merging([key: value]) { $1 }
        #expect(try Shop.body(of: Self.message(#"{"aps":\#(options)}"#)) == ["aps": .object(aps)])
    }

    @Test("options of the payload go with every type that has a use for them", arguments: APNsPushType.allCases)
    func filters(type: APNsPushType) throws {
        guard type != .mdm else { return }
        let message = try Shop.message(type).aps(\.filterCriteria, "work")
        #expect(try Shop.body(of: message)["aps"]?["filter-criteria"] == "work")
    }

    @Test("typed options are the same as those in JSON, are read as they were set, and reach header and payload")
    func typed() throws {
        var aps = APSOptions()
        aps.alert = APSOptions.Alert()
        aps.alert?.launchImage = "start"
        aps.alert?.actionKey = "OPEN"
        aps.alert?.summaryArgument = "Ann"
        aps.alert?.summaryArgumentCount = 2
        aps.sound = APSOptions.CriticalSound("a.caf", volume: 0.5)
        aps.targetContentID = "window"
        aps.relevanceScore = 0.25
        aps.filterCriteria = "work"
        aps.urlArguments = ["a", "b"]
        var options = APNsOptions(pushType: .alert)
        options.topic = "com.example.cafe"
        options.priority = 1
        options.collapseID = "col"
        options.aps = aps
        var message = Message(notification: Notification(body: "B"))
        try message.set(options)
        #expect(try message.options(APNsOptions.self) == options)
        let same = try Self.message(
            #"{"pushType":"alert","topic":"com.example.cafe","priority":1,"collapseID":"col","aps":{"#
                + #""alert":{"launch-image":"start","action-loc-key":"OPEN","summary-arg":"Ann","#
                + #""summary-arg-count":2},"sound":{"name":"a.caf","volume":0.5,"critical":1},"#
                + #""target-content-id":"window","relevance-score":0.25,"filter-criteria":"work","#
                + #""url-args":["a","b"]}}"#)
        #expect(message == same)
        let headers = try Shop.headers(of: Shop.request(of: message))
        #expect(headers["apns-topic"] == "com.example.cafe" && headers["apns-push-type"] == "alert")
        #expect(headers["apns-priority"] == "1" && headers["apns-collapse-id"] == "col")
    }

    @Test("a number is written with the digits that were given, and options of other vendors are ignored")
    func digits() throws {
        let aps = #"{"relevance-score":0.57,"sound":{"critical":1,"name":"a","volume":0.57}}"#
        let message = try Shop.message(
            #"{"notification":{"body":"B"},"options":{"acme":{"number":1},"apns":{"aps":\#(aps)}}}"#)
        let text = String(decoding: Shop.bytes(of: try Shop.request(of: message)), as: UTF8.self)
        #expect(text == #"{"aps":{"alert":"B",\#(aps.dropFirst())}"#)
    }

    private static let refused: [(options: String, word: String)] = [
        (#"{"number":1}"#, "number"), (#"{"pushType":"email"}"#, "pushType"), (#"{"priority":3}"#, "priority"),
        (#"{"priority":"10"}"#, "priority"), (#"{"topic":"a/b"}"#, "topic"), (#"{"topic":""}"#, "topic"),
        (#"{"collapseID":""}"#, "collapse id"), (#"{"aps":{"badge":1}}"#, "badge"),
        (#"{"aps":{"alert":{"title":"T"}}}"#, "title"), (#"{"aps":{"relevance-score":1.5}}"#, "relevance-score"),
        (#"{"aps":{"relevance-score":-0.5}}"#, "relevance-score"),
        (#"{"aps":{"sound":{"name":"","critical":1}}}"#, "sound"),
        (#"{"aps":{"sound":{"name":"a","volume":2,"critical":1}}}"#, "volume"),
        (#"{"aps":{"sound":{"name":"a","volume":-1,"critical":1}}}"#, "volume"),
        (#"{"aps":{"sound":"a.caf"}}"#, "sound"), (#"{"aps":{"url-args":"a"}}"#, "url-args"),
        (#"{"pushToTalkType":"service-update"}"#, "pushToTalkType"),
        (#"{"aps":{"ptt-push-type":"service-update"}}"#, "ptt-push-type"),
        (#"{"aps":{"content-available":1}}"#, "content-available"),
        // The adapter writes every `sound` as a critical one. This one would play on a muted device although it says 0.
        (#"{"aps":{"sound":{"name":"a","volume":0.5,"critical":0}}}"#, "critical"),
    ]

    @Test("an option that no notification takes is refused by name", arguments: refused)
    func refusals(options: String, word: String) throws {
        try Shop.expectRefusal(of: Self.message(options), naming: word)
    }

    private static let visible: [(options: String, word: String)] = [
        (#"{"alert":{"launch-image":"l"}}"#, "alert"), (#"{"sound":{"name":"a","critical":1}}"#, "sound"),
        (#"{"target-content-id":"w"}"#, "target-content-id"), (#"{"url-args":["a"]}"#, "url-args"),
        (#"{"relevance-score":0.5}"#, "relevance-score"),
    ]

    private static let contents = [
        #""custom":{"content":"c"}"#, #""voip":{}"#, #""liveActivity":{"event":"update","content-state":{}}"#,
    ]

    @Test("what a device shows needs a notification, also beside other contents", arguments: visible, contents)
    func invisible(option: (options: String, word: String), content: String) throws {
        let message = try Shop.message(#"{\#(content),"options":{"apns":{"aps":\#(option.options)}}}"#)
        try Shop.expectRefusal(of: message, naming: option.word)
    }

    private static let collisions: [Refused] = [
        Refused(
            "two sounds",
            try Shop.shown(IOSNotification(sound: "s")).aps(\.sound, APSOptions.CriticalSound("a")), naming: "sound"),
        Refused(
            "two priorities",
            try Shop.shown().option(\.priority, 5).with(\.deliveryPriority, .high), naming: "deliveryPriority"),
        Refused(
            "two collapse ids",
            try Shop.shown(IOSNotification(collapseID: "a")).option(\.collapseID, "b"), naming: "collapseID"),
        Refused(
            "the type alert has no text whose alert could have more",
            try Shop.message(
                #"{"custom":{"content":"c"},"options":{"apns":{"pushType":"alert","aps":{"alert":{"launch-image":"s"}}}}}"#
            ), naming: "aps.alert"),
    ]

    @Test("what a message and its options both say is refused, and never dropped", arguments: collisions)
    func collision(row: Refused) throws { try row.check() }
}
