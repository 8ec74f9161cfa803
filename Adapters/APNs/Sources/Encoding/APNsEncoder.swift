import FoundationEssentials
import PushAdapter

/// Writes the payload and the header fields of a push.
struct APNsEncoder {
    typealias Fields = [String: JSONValue]

    /// A push without device and id: the same for every device of a list.
    struct Push: Sendable {
        var body: [UInt8]
        var headers: HTTPFields
        /// The inputs that the client checks besides the audience.
        var inputs: [Input]
    }

    let message: Message
    let apns: APNs
    let now: Date

    /// Encodes the whole push.
    func push() throws(PushError) -> Push {
        let others = message.platforms?.subtracting([.ios]).sorted() ?? []
        guard others.isEmpty else {
            throw PushError(
                .unsupported,
                "APNs reaches Apple's platforms only, and the message is also for \(others[0]); leave platforms out, and "
                    + "send it there through another vendor", operation: .send)
        }
        let options = try message.options(APNsOptions.self) ?? APNsOptions()
        let type = try pushType(options)
        try message.check(APNsOptions.rules, of: APNs.id)
        try options.check(for: type, topic: apns.topic)
        let body = JSONWriter.bytes(of: .object(try payload(type, options)))
        var inputs: [Input] = [.message(message), .amount(body.count, type.payloadLimit, "the payload")]
        let collapseID = try self.collapseID(options)
        if let collapseID { inputs.append(.amount(collapseID.utf8.count, .apnsCollapseID, "the collapse id")) }
        let headers = try headers(type, options, collapseID)
        return Push(body: body, headers: headers, inputs: inputs)
    }

    // MARK: Type

    /// The type that follows from the contents. For a custom message, the options choose it.
    private func pushType(_ options: APNsOptions) throws(PushError) -> APNsPushType {
        let contents: [(type: APNsPushType, name: String)] = [
            message.notification.map { _ in (.alert, "a notification") },
            message.custom.map { _ in (.background, "a custom message") },
            message.liveActivity.map { _ in (.liveActivity, "a Live Activity") },
            message.voip.map { _ in (.voip, "a VoIP push") },
        ].compactMap { $0 }
        guard let first = contents.first, contents.count == 1 else {
            throw PushError(
                .unsupported,
                "an APNs push has one type, and the message has \(contents.map(\.name).joined(separator: " and ")); send one "
                    + "message for each", operation: .send)
        }
        let type = options.pushType ?? first.type
        let fitting: Bool =
            switch first.type {
            case .background: ![.voip, .liveActivity].contains(type)
            default: type == first.type
            }
        guard fitting else {
            throw PushError(
                .invalidArgument,
                "the APNs option pushType is \(type.rawValue), which does not fit \(first.name); a custom message may have "
                    + "any type but voip and liveactivity")
        }
        guard !(apns.hasCertificate && type.needsToken) else {
            throw PushError(
                .unsupported, "a push of the type \(type.rawValue) needs a provider token; make the client with a key",
                operation: .send)
        }
        return type
    }

    // MARK: Header fields

    private func headers(
        _ type: APNsPushType, _ options: APNsOptions, _ collapseID: String?
    ) throws(PushError) -> HTTPFields {
        var headers = HTTPFields()
        func add(_ name: HTTPField.Name, _ value: String?) {
            if let value { headers.append(HTTPField(name: name, value: value)) }
        }
        add(.apnsTopic, options.topic ?? apns.topic + (type.suffix ?? ""))
        add(.apnsPushType, type.rawValue)
        add(.apnsPriority, try priority(type, options).map { String($0) })
        add(.apnsExpiration, try expiration(type))
        add(.apnsCollapseID, collapseID)
        return headers
    }

    /// The priority; nil leaves it to the vendor, which uses 10.
    private func priority(_ type: APNsPushType, _ options: APNsOptions) throws(PushError) -> Int? {
        // The vendor refuses any other priority for a push that shows nothing. The common model says the same of such
        // messages.
        if type == .background, options.priority == nil { return 5 }
        if type == .pushToTalk, options.priority == nil, message.deliveryPriority == nil { return 10 }
        let priority = options.priority ?? message.deliveryPriority.map { $0 == .high ? 10 : 5 }
        if let priority, !type.priorities.contains(priority) {
            let allowed = type.priorities.sorted().map { String($0) }.joined(separator: " or ")
            throw PushError(
                .invalidArgument,
                "the priority is \(priority), and a push of the type \(type.rawValue) has \(allowed); set that")
        }
        return priority
    }

    /// The moment at which the vendor stops trying; 0 means a single attempt. Nil leaves it to the vendor.
    private func expiration(_ type: APNsPushType) throws(PushError) -> String? {
        guard type != .pushToTalk else {
            guard message.timeToLive ?? .zero == .zero else {
                throw PushError(
                    .invalidArgument, "a push of the type pushtotalk is not kept; set timeToLive to 0, or leave it out")
            }
            return "0"
        }
        guard let life = message.timeToLive else { return nil }
        guard life != .zero else { return "0" }
        // The cap lets even an endless life fit an integer.
        return String(Int(max(1, now.timeIntervalSince1970 + min(life.seconds, 1e12))))
    }

    private func collapseID(_ options: APNsOptions) throws(PushError) -> String? {
        let own = message.notification?.ios?.collapseID
        guard let id = options.collapseID ?? own else { return nil }
        guard !id.isEmpty, id.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }), id.first != " ",
            id.last != " "
        else {
            throw PushError(
                .invalidArgument,
                "the collapse id is empty, or has a control character or a blank at an end; it stands in a header field"
            )
        }
        return id
    }
}

extension HTTPField.Name {
    static let apnsID = known("apns-id")
    static let apnsTopic = known("apns-topic")
    static let apnsPushType = known("apns-push-type")
    static let apnsPriority = known("apns-priority")
    static let apnsExpiration = known("apns-expiration")
    static let apnsCollapseID = known("apns-collapse-id")
    static let apnsChannelID = known("apns-channel-id")
    static let apnsRequestID = known("apns-request-id")
    static let apnsUniqueID = known("apns-unique-id")

    /// Creates a field name from a literal that is a valid name.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .contentType }
}
