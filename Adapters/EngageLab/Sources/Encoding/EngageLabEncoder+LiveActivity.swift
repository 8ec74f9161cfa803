import PushAdapter

extension EngageLabEncoder {
    private static let keys = [
        "event", "attributes-type", "attributes", "content-state", "alert", "dismissal-date", "stale-date",
        "relevance-score", "apns-priority",
    ]

    /// Writes an update of a Live Activity with Apple's keys. Checks the vendor's rules (21050, 21052, 21053).
    func write(activity: JSONValue, _ json: inout JSONWriter) throws(PushError) {
        guard case .object(let fields) = activity else { throw refusal("it must be a JSON object") }
        if let key = fields.keys.sorted().first(where: { !Self.keys.contains($0) }) {
            throw refusal("unknown key \(Redaction.quoted(key)); known keys are \(Self.keys.joined(separator: ", "))")
        }
        let event = fields["event"]?.stringValue ?? ""
        guard ["start", "update", "end"].contains(event) else { throw refusal("event must be start, update or end") }
        guard case .object = fields["content-state"] else { throw refusal("content-state is missing or not an object") }
        if event == "start", fields["attributes-type"]?.stringValue?.isEmpty ?? true {
            throw refusal("a start needs attributes-type")
        }
        if let alert = fields["alert"] {
            guard case .object(let texts) = alert, Set(texts.keys).isSubset(of: ["sound", "title", "body"]) else {
                throw refusal("alert must have sound, title and body")
            }
        }
        for name in ["dismissal-date", "stale-date"] {
            guard let date = fields[name] else { continue }
            guard let seconds = date.intValue, seconds >= 0 else { throw refusal("\(name) must be seconds since 1970") }
        }
        if let score = fields["relevance-score"] {
            guard let score = score.intValue, (1...100).contains(score) else {
                throw refusal("relevance-score must be 1 to 100")
            }
        }
        if let priority = fields["apns-priority"], ![5, 10].contains(priority) {
            throw refusal("apns-priority must be 5 or 10")
        }
        json.field("live_activity", ["ios": activity])
    }

    /// Checks the audience: a start goes to everyone or to devices (21051); an update or end goes to the activity, as
    /// in the samples.
    func checkAudience(of activity: JSONValue, _ audience: Audience) throws(PushError) {
        switch (activity["event"]?.stringValue, audience) {
        case ("start", .everyone), ("start", .devices), ("update", .liveActivity), ("end", .liveActivity): return
        case ("start", _): throw refusal("a start must go to everyone or to devices")
        case ("update", _) where engageLab.updatesNeedActivityAudience,
            ("end", _) where engageLab.updatesNeedActivityAudience:
            throw refusal("an update or end must go to the audience liveActivity; see updatesNeedActivityAudience")
        default: return
        }
    }

    private func refusal(_ text: String) -> PushError { PushError(.invalidArgument, "the live activity: \(text)") }
}
