import FoundationEssentials
import PushAPNs
import PushAdapter
import TestSupport
import Testing

@Suite("APNs options")
struct OptionTests {
    /// A notification with options in their JSON form.
    private static func message(_ options: String) throws -> Message {
        try Shop.message(#"{"notification":{"body":"B"},"options":{"apns":\#(options)}}"#)
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
        let text = try Shop.request(of: message).body.text
        #expect(text == #"{"aps":{"alert":"B",\#(aps.dropFirst())}"#)
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
}
