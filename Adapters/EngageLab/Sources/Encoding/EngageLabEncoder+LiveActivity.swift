import PushCore

extension EngageLabEncoder {
    private static let keys = [
        "event", "attributes-type", "attributes", "content-state", "alert", "dismissal-date", "stale-date",
        "relevance-score", "apns-priority",
    ]

    /// An update of a Live Activity, in Apple's words, with the rules of the vendor's page (21050, 21052, 21053).
    func write(activity: JSONValue, _ json: inout JSONWriter) throws(PushError) {
        guard case .object(let fields) = activity else { throw refusal("it is a JSON object") }
        if let key = fields.keys.sorted().first(where: { !Self.keys.contains($0) }) {
            throw refusal("unknown key \(Redaction.quoted(key)); known are \(Self.keys.joined(separator: ", "))")
        }
        let event = fields["event"]?.stringValue ?? ""
        guard ["start", "update", "end"].contains(event) else { throw refusal("event is start, update or end") }
        guard case .object = fields["content-state"] else { throw refusal("content-state is missing or no object") }
        if event == "start", fields["attributes-type"]?.stringValue?.isEmpty ?? true {
            throw refusal("a start needs attributes-type")
        }
        if let alert = fields["alert"] {
            guard case .object(let texts) = alert, Set(texts.keys).isSubset(of: ["sound", "title", "body"]) else {
                throw refusal("alert has sound, title and body")
            }
        }
        for name in ["dismissal-date", "stale-date"] {
            guard let date = fields[name] else { continue }
            guard let seconds = date.intValue, seconds >= 0 else { throw refusal("\(name) is seconds since 1970") }
        }
        if let score = fields["relevance-score"] {
            guard let score = score.intValue, (1...100).contains(score) else {
                throw refusal("relevance-score is 1 to 100")
            }
        }
        if let priority = fields["apns-priority"], ![5, 10].contains(priority) {
            throw refusal("apns-priority is 5 or 10")
        }
        json.field("live_activity", ["ios": activity])
    }

    /// A start goes to everyone or to devices (21051); an update and the end to the activity, as the samples have it.
    func checkAudience(of activity: JSONValue, _ audience: Audience) throws(PushError) {
        switch (activity["event"]?.stringValue, audience) {
        case ("start", .everyone), ("start", .devices), ("update", .liveActivity), ("end", .liveActivity): return
        case ("start", _): throw refusal("a start goes to everyone or to devices")
        case ("update", _) where engageLab.updatesNeedActivityAudience,
            ("end", _) where engageLab.updatesNeedActivityAudience:
            throw refusal("an update and the end go to the audience liveActivity; see updatesNeedActivityAudience")
        default: return
        }
    }

    private func refusal(_ text: String) -> PushError { PushError(.invalidArgument, "the live activity: \(text)") }
}
