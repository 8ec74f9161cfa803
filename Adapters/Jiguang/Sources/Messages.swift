package import PushAdapter

extension JSONWriter {
    /// Returns the bytes of an object; `body` writes its fields.
    package static func object(
        reserving capacity: Int = 512, _ body: (inout JSONWriter) throws(PushError) -> Void
    ) throws(PushError) -> [UInt8] {
        try bytes(reserving: capacity) { (json) throws(PushError) in try json.object(body) }
    }

    /// Writes a field with an object. Returns the object's size in bytes.
    @discardableResult
    package mutating func object(
        _ name: String, _ body: (inout JSONWriter) throws(PushError) -> Void
    ) throws(PushError) -> Int {
        var start = 0
        try field(name) { (json) throws(PushError) in
            start = json.count
            try json.object(body)
        }
        return count - start
    }
}

extension Dialect {
    /// Refuses a part of a message that is too long.
    package func check(_ count: Int, _ limit: LimitKey, of limits: Limits, _ part: String) throws(PushError) {
        guard let bound = limits[limit], bound.overflow == .reject, count > bound.maximum else { return }
        throw PushError(
            .tooLong, "\(part) has \(count) bytes; \(name) takes at most \(bound.maximum) (\(bound.source))")
    }

    /// Writes the platforms of a message.
    package func write(_ platforms: Set<Platform>?, _ json: inout JSONWriter) throws(PushError) {
        guard let platforms else { return json.field("platform", "all") }
        json.field("platform", try platformNames(platforms))
    }

    /// Writes an audience under the keys that both vendors have. Writes nothing for another audience.
    package static func write(_ audience: Audience, _ json: inout JSONWriter) {
        switch audience {
        case .devices(let ids): json.field("registration_id", ids)
        case .aliases(let aliases): json.field("alias", aliases)
        case .tagged(let anyOf, let allOf, let noneOf):
            for (name, tags) in [("tag", anyOf), ("tag_and", allOf), ("tag_not", noneOf)] where !tags.isEmpty {
                json.field(name, tags.sorted())
            }
        case .liveActivity(let id): json.field("live_activity_id", id)
        case .everyone, .segment, .file, .accounts: break
        }
    }
}

extension PushError {
    /// A refusal of an update of a Live Activity.
    package static func activity(_ text: String) -> PushError {
        PushError(.invalidArgument, "the live activity: \(text)")
    }
}

extension JSONValue {
    /// The fields of an update of a Live Activity. Refuses keys that the vendor does not know, and values that both
    /// vendors' pages exclude.
    package func activityFields(known: [String]) throws(PushError) -> [String: JSONValue] {
        guard case .object(let fields) = self else { throw .activity("it must be a JSON object") }
        if let key = fields.keys.sorted().first(where: { !known.contains($0) }) {
            throw .activity("unknown key \(Redaction.quoted(key)); known keys are \(known.joined(separator: ", "))")
        }
        let event = fields["event"]?.stringValue ?? ""
        guard ["start", "update", "end"].contains(event) else { throw .activity("event must be start, update or end") }
        guard case .object = fields["content-state"] else {
            throw .activity("content-state is missing or not an object")
        }
        if event == "start", fields["attributes-type"]?.stringValue?.isEmpty ?? true {
            throw .activity("a start needs attributes-type")
        }
        if let score = fields["relevance-score"], !(1...100).contains(score.intValue ?? 0) {
            throw .activity("relevance-score must be 1 to 100")
        }
        if let priority = fields["apns-priority"], ![5, 10].contains(priority) {
            throw .activity("apns-priority must be 5 or 10")
        }
        return fields
    }
}
