import JiguangDialect
import PushAdapter

/// Writes push objects.
struct EngageLabEncoder {
    let engageLab: EngageLab

    init(_ engageLab: EngageLab) { self.engageLab = engageLab }

    var api: Dialect { engageLab.api }

    /// A push without its key and its audience: the same for all pushes of a message.
    struct Encoded: Sendable {
        let message: Message
        let options: EngageLabOptions?
        let encoder: EngageLabEncoder
        /// The contents and platforms, encoded as in an object but without the braces.
        let contents: [UInt8]
        /// The fields of `options` besides the key, likewise.
        let settings: [UInt8]

        /// A whole push with its audience, and the inputs that the client checks.
        func push(to audience: Audience, key: String?) throws(PushError) -> (body: [UInt8], inputs: [Input]) {
            var inputs = try inputs(key: key) + [.audience(audience)]
            if case .liveActivity(let id) = audience {
                inputs.append(.text(id, .engageLabActivityID, "the id of the live activity"))
            }
            if let activity = message.liveActivity { try encoder.checkAudience(of: activity, audience) }
            let body = try JSONWriter.object(reserving: contents.count + 512) { (json) throws(PushError) in
                try json.object("body") { (json) throws(PushError) in try writeBody(key, &json) }
                json.fields(of: message.engageLabOptions(in: ""))
                try EngageLabEncoder.write(audience, &json)
            }
            return (body, inputs)
        }

        /// The parts of a push that have limits, besides the audience.
        func inputs(key: String?) throws(PushError) -> [Input] {
            let named = key.map { [Input.text($0, .idempotencyKey, "the idempotency key")] } ?? []
            return [.message(message)] + named + (options?.inputs() ?? [])
        }

        fileprivate func writeBody(_ key: String?, _ json: inout JSONWriter) throws(PushError) {
            json.fields(encoded: contents)
            try json.object("options") { json in
                if let key { json.field("cid", key) }
                json.fields(encoded: settings)
            }
        }
    }

    func push(
        _ message: Message, _ audience: Audience, key: String?
    ) throws(PushError) -> (body: [UInt8], inputs: [Input]) {
        try encode(message).push(to: audience, key: key)
    }

    func encode(_ message: Message) throws(PushError) -> Encoded {
        let message = try EngageLabClasses.applied(to: message, engageLab.capabilities)
        let options = try message.options(EngageLabOptions.self)
        let contents = try JSONWriter.bytes(reserving: 1024) { (json) throws(PushError) in
            try writeContents(of: message, options, &json)
        }
        return Encoded(
            message: message, options: options, encoder: self, contents: contents,
            settings: try JSONWriter.bytes { json in writeSettings(of: message, &json) })
    }

    /// Writes a batch item: a message to one target, without a body object. Returns the inputs that the client checks.
    func writeSingle(
        _ message: Message, to target: String, key: String?, _ json: inout JSONWriter
    ) throws(PushError) -> [Input] {
        let encoded = try encode(message)
        let options = encoded.options
        guard message.liveActivity == nil, message.voip == nil, options?.from == nil, options?.requestID == nil else {
            throw PushError(
                .unsupported,
                "a batch takes notifications and custom messages without from and request_id; send others separately"
            )
        }
        try json.object { (json) throws(PushError) in
            try encoded.writeBody(key, &json)
            json.fields(of: encoded.message.engageLabOptions(in: ""))
            json.field("target", target)
        }
        return try encoded.inputs(key: key)
    }

    // MARK: Target

    private static func write(_ audience: Audience, _ json: inout JSONWriter) throws(PushError) {
        if case .everyone = audience { return json.field("to", "all") }
        try json.object("to") { (json) throws(PushError) in
            switch audience {
            case .everyone: break
            case .segment(let id): json.field("seg", ["id": .string(id)])
            case .accounts, .file:
                throw PushError(.unsupported, "EngageLab has no accounts and no uploaded lists", operation: .send)
            default: Dialect.write(audience, &json)
            }
        }
    }

    // MARK: Body

    private func writeContents(
        of message: Message, _ options: EngageLabOptions?, _ json: inout JSONWriter
    ) throws(PushError) {
        try message.check(EngageLabOptions.rules, of: EngageLab.id)
        let contents = message.features.filter { $0 != .contentBadgeArithmetic }
        guard contents.count == 1 else {
            throw PushError(
                .unsupported,
                "an EngageLab push has one content: a notification, a custom message, a live activity or a VoIP push; "
                    + "send the others as separate messages", operation: .send)
        }
        var platforms = message.platforms
        if message.liveActivity != nil || message.voip != nil {
            guard platforms == nil || platforms == [.ios] else {
                throw PushError(
                    .invalidArgument, "VoIP pushes and live activities go to ios only; leave platforms out")
            }
            platforms = [.ios]
        }
        if let notification = message.notification {
            let count = try json.object("notification") { (json) throws(PushError) in
                try write(notification, of: message, options, &json)
            }
            if options?.truncatesAutomatically != true { try check(count, "the notification") }
        }
        if let custom = message.custom {
            let count = try json.object("message") { (json) throws(PushError) in
                write(custom, message.engageLabOptions(in: "body.message"), &json)
            }
            if options?.truncatesAutomatically != true { try check(count, "the custom message") }
        }
        if let activity = message.liveActivity { try write(activity: activity, &json) }
        if let voip = message.voip {
            guard case .object = voip else { throw PushError(.invalidArgument, "a VoIP push must be a JSON object") }
            json.field("voip", voip)
        }
        try api.write(platforms, &json)
    }

    private func write(_ custom: CustomMessage, _ more: JSONValue?, _ json: inout JSONWriter) {
        if more?["msg_content"] == nil { json.field("msg_content", custom.content) }
        if let title = custom.title { json.field("title", title) }
        if let type = custom.contentType { json.field("content_type", type) }
        json.fields(of: more)
        if !custom.extras.isEmpty { json.field("extras", .object(custom.extras)) }
    }

    private func writeSettings(of message: Message, _ json: inout JSONWriter) {
        // This field is always sent: the default is not documented, and the vendor advises setting it for iOS.
        json.field("apns_production", message.environment == .production)
        if let id = message.notification?.ios?.collapseID { json.field("apns_collapse_id", id) }
        if let life = message.timeToLive { json.field("time_to_live", Int(life.components.seconds)) }
        json.fields(of: message.engageLabOptions(in: "body.options"))
    }

    private func check(_ count: Int, _ name: String) throws(PushError) {
        try api.check(count, .engageLabContentBytes, of: engageLab.capabilities.limits, name)
    }
}

extension Message {
    /// The options that are fields of an object of the request.
    func engageLabOptions(in object: String) -> JSONValue? {
        EngageLabOptions.places.fields(of: options[EngageLab.id], in: object)
    }
}
