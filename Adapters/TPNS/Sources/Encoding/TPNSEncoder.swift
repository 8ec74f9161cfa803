import PushAdapter

/// Writes the body of a push.
struct TPNSEncoder {
    let tpns: TPNS

    /// A push without its target: the same for every audience.
    struct Encoded: Sendable {
        let options: TPNSOptions?
        /// The fields besides the target, encoded as in an object but without the braces.
        let fields: [UInt8]

        func push(to target: PushTarget) throws(PushError) -> [UInt8] {
            try options?.check(target)
            return try JSONWriter.bytes(reserving: fields.count + 256) { (json) throws(PushError) in
                try json.object { (json) throws(PushError) in
                    try TPNSEncoder.write(target, options, &json)
                    json.fields(encoded: fields)
                }
            }
        }
    }

    func encode(_ message: Message) throws(PushError) -> Encoded {
        let message = try TPNSClasses.applied(to: message, tpns.capabilities)
        let options = try message.options(TPNSOptions.self)
        try check(message)
        try message.check(TPNSOptions.rules(on: tpns.platform), of: TPNS.id)
        let (type, content) = try content(message, options)
        let most = tpns.capabilities.limits[.payloadBytes]?.maximum ?? .max
        guard content.count <= most else {
            throw PushError(
                .tooLong, "the message has \(content.count) bytes; TPNS takes \(most); shorten texts or extras")
        }
        let fields = try JSONWriter.bytes(reserving: 1024) { json in
            if tpns.platform == .ios {
                json.field("environment", message.environment == .production ? "product" : "dev")
            }
            if let life = message.timeToLive { json.field("expire_time", Int(life.components.seconds)) }
            json.field("message", encoded: content)
            json.field("message_type", type)
            json.fields(of: self.options(of: message, in: ""))
        }
        return Encoded(options: options, fields: fields)
    }

    /// The options that are fields of an object of the request.
    func options(of message: Message, in object: String) -> JSONValue? {
        TPNSOptions.places(on: tpns.platform).fields(of: message.options[TPNS.id], in: object)
    }

    // MARK: Target

    private static func write(_ target: PushTarget, _ options: TPNSOptions?, _ json: inout JSONWriter) throws(PushError)
    {
        switch target {
        case .everyone: json.field("audience_type", "all")
        case .rules(let rules):
            json.field("audience_type", "tag")
            try json.field("tag_rules") { (json) throws(PushError) in
                try json.array { (json) throws(PushError) in for rule in rules { try write(rule, &json) } }
            }
        case .devices(let devices):
            json.field("audience_type", devices.count == 1 ? "token" : "token_list")
            // Without this, one bad token makes the vendor refuse the whole call, and it does not say which token.
            json.field("ignore_invalid_token", options?.ignoreInvalidToken ?? 1)
            json.field("token_list", devices)
        case .accounts(let names, let type):
            json.field("account_list", names.map { Alias($0) })
            json.field("account_push_type", options?.accountPushType ?? 1)
            if type != 0 { json.field("account_type", type) }
            json.field("audience_type", names.count == 1 ? "account" : "account_list")
        case .package(let package):
            if case .accounts(let type) = package.kind {
                json.field("account_push_type", options?.accountPushType ?? 1)
                if type != 0 { json.field("account_type", type) }
            }
            json.field("audience_type", package.kind.audienceType)
            json.field("upload_id", package.id)
        }
    }

    private static func write(_ rule: TPNSTagRule, _ json: inout JSONWriter) throws(PushError) {
        try json.object { (json) throws(PushError) in
            json.field("is_not", rule.isNegated)
            json.field("operator", rule.joinedBy.rawValue)
            try json.field("tag_items") { (json) throws(PushError) in
                try json.array { (json) throws(PushError) in
                    for item in rule.items {
                        try json.object { json in
                            json.field("is_not", item.isNegated)
                            json.field("items_operator", item.joinedBy.rawValue)
                            json.field("tag_type", item.kind.rawValue)
                            json.field("tags", item.tags.map { Tag($0) })
                            json.field("tags_operator", item.tagsOperator.rawValue)
                        }
                    }
                }
            }
        }
    }

    // MARK: Checks

    private func check(_ message: Message) throws(PushError) {
        guard message.liveActivity == nil, message.voip == nil else {
            throw PushError(.unsupported, "TPNS cannot send Live Activities or VoIP pushes", operation: .send)
        }
        let others = message.platforms?.subtracting([tpns.platform]).sorted() ?? []
        guard others.isEmpty else {
            throw PushError(
                .unsupported,
                "this AccessId is an app for \(tpns.platform) only, but the message names "
                    + "\(others.map(\.rawValue).joined(separator: ", ")): make a second TPNS provider with that app's "
                    + "AccessId, leave platforms out, and send the message through both",
                operation: .send)
        }
        if let seconds = message.timeToLive?.components.seconds, (1..<800).contains(seconds) {
            throw PushError(
                .unsupported, "TPNS would turn a life of \(seconds) seconds into 800; give 0, or 800 or more",
                operation: .send)
        }
    }
}
