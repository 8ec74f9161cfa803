import JiguangDialect
import PushAdapter

extension EngageLabEncoder {
    private static let keys = [
        "event", "attributes-type", "attributes", "content-state", "alert", "dismissal-date", "stale-date",
        "relevance-score", "apns-priority",
    ]

    /// Writes an update of a Live Activity with Apple's keys. Checks the vendor's rules (21050, 21052, 21053).
    func write(activity: JSONValue, _ json: inout JSONWriter) throws(PushError) {
        let fields = try activity.activityFields(known: Self.keys)
        if let alert = fields["alert"] {
            guard case .object(let texts) = alert, Set(texts.keys).isSubset(of: ["sound", "title", "body"]) else {
                throw PushError.activity("alert must have sound, title and body")
            }
        }
        for name in ["dismissal-date", "stale-date"] {
            guard let date = fields[name] else { continue }
            guard let seconds = date.intValue, seconds >= 0 else {
                throw PushError.activity("\(name) must be seconds since 1970")
            }
        }
        json.field("live_activity", ["ios": activity])
    }

    /// Checks the audience: a start goes to everyone or to devices (21051); an update or end goes to the activity, as
    /// in the samples.
    func checkAudience(of activity: JSONValue, _ audience: Audience) throws(PushError) {
        switch (activity["event"]?.stringValue, audience) {
        case ("start", .everyone), ("start", .devices), ("update", .liveActivity), ("end", .liveActivity): return
        case ("start", _): throw PushError.activity("a start must go to everyone or to devices")
        case ("update", _) where engageLab.updatesNeedActivityAudience,
            ("end", _) where engageLab.updatesNeedActivityAudience:
            throw PushError.activity(
                "an update or end must go to the audience liveActivity; see updatesNeedActivityAudience")
        default: return
        }
    }
}
