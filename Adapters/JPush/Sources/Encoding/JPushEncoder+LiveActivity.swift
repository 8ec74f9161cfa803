import JiguangDialect
import PushAdapter

extension JPushEncoder {
    /// Writes an update of a Live Activity with Apple's keys. Checks the rules of the vendor's page.
    func write(_ activity: JSONValue, of message: Message, _ json: inout JSONWriter) throws(PushError) {
        guard message.notification == nil, message.custom == nil, message.voip == nil else {
            throw PushError.activity("send it without a notification, a custom message or a VoIP push")
        }
        _ = try activity.activityFields(known: [
            "event", "content-state", "attributes-type", "attributes", "alert", "dismissal-date", "stale-date",
            "relevance-score", "apns-priority",
        ])
        let bytes = JSONWriter.bytes(of: activity)
        try check(bytes.count, .jpushLiveActivityBytes, "the live activity")
        try json.object("live_activity") { json in json.field("ios", encoded: bytes) }
    }
}
