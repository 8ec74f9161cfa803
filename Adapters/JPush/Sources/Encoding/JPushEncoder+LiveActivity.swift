import PushAdapter

extension JPushEncoder {
    /// Writes an update of a Live Activity with Apple's keys. Checks the rules of the vendor's page.
    func write(_ activity: JSONValue, of message: Message, _ json: inout JSONWriter) throws(PushError) {
        func refusal(_ text: String) -> PushError { PushError(.invalidArgument, "the live activity: \(text)") }
        guard message.notification == nil, message.custom == nil, message.voip == nil else {
            throw refusal("send it without a notification, a custom message or a VoIP push")
        }
        guard case .object(let fields) = activity else { throw refusal("it must be a JSON object") }
        let known = [
            "event", "content-state", "attributes-type", "attributes", "alert", "dismissal-date", "stale-date",
            "relevance-score", "apns-priority",
        ]
        if let key = fields.keys.sorted().first(where: { !known.contains($0) }) {
            throw refusal("unknown key \(Redaction.quoted(key)); known keys are \(known.joined(separator: ", "))")
        }
        let event = fields["event"]?.stringValue ?? ""
        guard ["start", "update", "end"].contains(event) else { throw refusal("event must be start, update or end") }
        guard case .object = fields["content-state"] else { throw refusal("content-state is missing or not an object") }
        if event == "start", fields["attributes-type"]?.stringValue?.isEmpty ?? true {
            throw refusal("a start needs attributes-type")
        }
        if let score = fields["relevance-score"] {
            guard let score = score.intValue, (1...100).contains(score) else {
                throw refusal("relevance-score must be 1 to 100")
            }
        }
        if let priority = fields["apns-priority"], ![5, 10].contains(priority) {
            throw refusal("apns-priority must be 5 or 10")
        }
        let bytes = JSONWriter.bytes(of: activity)
        try check(bytes.count, .jpushLiveActivityBytes, "the live activity")
        try json.field("live_activity") { (json) throws(PushError) in
            try json.object { json in json.field("ios", encoded: bytes) }
        }
    }
}
