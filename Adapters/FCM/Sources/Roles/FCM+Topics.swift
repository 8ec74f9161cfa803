public import PushAdapter

/// Tags as topic subscriptions of devices.
extension FCM {
    private static let subscriptions: PathSegment = "topicSubscriptions"

    /// `GET .../topicSubscriptions`: reads the tags of a device, all in one page. Leaves out topics without the prefix,
    /// and topics whose name this adapter would not give to a tag.
    public func readTags(of device: DeviceID) throws(PushError) -> Exchange<Set<Tag>> {
        let request = WireRequest(
            .get, .fcm, path: path(of: device) + [Self.subscriptions],
            query: [QueryItem("page_size", "2000")])
        return call(.readTags, request, device) { [self] (response) throws(PushError) in
            let page = try response.json()
            guard page.either("next_page_token", "nextPageToken")?.stringValue ?? "" == "" else {
                throw PushError(unreadable: "the response has a second page, above the vendor's limit of topics")
            }
            let keys = ["topic_subscriptions", "topicSubscriptions", "next_page_token", "nextPageToken"]
            // An object without any of these keys is a device without topics. An object with other keys is not the
            // vendor's.
            guard case .object(let fields) = page, fields.keys.allSatisfy(keys.contains) else {
                throw PushError(unreadable: "the response is no list of topics")
            }
            let subscriptions = page.either("topic_subscriptions", "topicSubscriptions")?.arrayValue ?? []
            return Set(subscriptions.compactMap { $0.topic.flatMap(tag) })
        }
    }

    /// `POST .../topicSubscriptions?topic_name=`: adds one tag. Succeeds if the device already has it. A response
    /// without the subscription is a success too: the vendor's own libraries read only the status.
    public func addTags(_ tags: Set<Tag>, to device: DeviceID) throws(PushError) -> Exchange<Void> {
        let tag = try only(tags)
        let request = WireRequest(
            .post, .fcm, path: path(of: device) + [Self.subscriptions], query: [QueryItem("topic_name", topic(tag))],
            body: .json(Array("{}".utf8)))
        var exchange = call(.addTags, request, device, tags) { (response) throws(PushError) in
            if response.status == 409 {
                try response.expectStatus("ALREADY_EXISTS")
            } else if case let reply = try response.json(), reply != [:], reply.topic == nil {
                throw PushError(unreadable: "the response names no topic")
            }
        }
        exchange.statusesInPlace = [409]
        return exchange
    }

    /// `DELETE .../topicSubscriptions/{topic}?allow_missing=true`: removes one tag. Succeeds if the device does not
    /// have it.
    public func removeTags(_ tags: Set<Tag>, from device: DeviceID) throws(PushError) -> Exchange<Void> {
        let tag = try only(tags)
        let request = WireRequest(
            .delete, .fcm, path: path(of: device) + [Self.subscriptions, .value(topic(tag))],
            query: [QueryItem("allow_missing", "true")])
        return call(.removeTags, request, device, tags) { (response) throws(PushError) in
            guard try response.json() == [:] else {
                throw PushError(unreadable: "the response is not the empty object")
            }
        }
    }

    /// The tag of a topic; nil if the topic is not the adapter's.
    func tag(_ topic: String) -> Tag? {
        guard topic.hasPrefix(topicPrefix), let text = PercentEncoding.decode(topic.dropFirst(topicPrefix.count))
        else { return nil }
        return self.topic(Tag(text)) == topic ? Tag(text) : nil
    }

    private func path(of device: DeviceID) -> [PathSegment] {
        ["projects", .literal(projectID), "registrations", .value(device.rawValue)]
    }

    func only(_ tags: Set<Tag>) throws(PushError) -> Tag {
        guard let tag = tags.first, tags.count == 1 else {
            throw PushError(.limitExceeded, "FCM changes one topic in a request; give one tag")
        }
        return tag
    }

    func call<Output>(
        _ operation: Feature, _ request: WireRequest, _ device: DeviceID, _ tags: Set<Tag> = [],
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) -> Exchange<Output> {
        Exchange(
            operation, request, inputs: [.devices([device])] + (tags.isEmpty ? [] : [.tags(tags)]),
            idempotency: .idempotent, charges: [QuotaCharge(.fcmTopics)], subject: .device(device), decode: decode)
    }
}

extension JSONValue {
    /// A value under either spelling: the pages and libraries of the topic API spell the keys differently.
    fileprivate func either(_ snake: String, _ camel: String) -> JSONValue? { self[snake] ?? self[camel] }

    /// The topic of a subscription. The guide's sample has only this key; the reference also has the resource name.
    fileprivate var topic: String? {
        either("topic_name", "topicName")?.stringValue
            ?? self["name"]?.stringValue?.split(separator: "/").last.map(String.init)
    }
}

extension WireResponse {
    /// Refuses a response that is not the vendor's error with this status, such as a proxy's page.
    fileprivate func expectStatus(_ status: String) throws(PushError) {
        struct Reply: Decodable {
            struct Failure: Decodable { var status: String }
            var error: Failure
        }
        guard try json(Reply.self).error.status == status else {
            throw PushError(unreadable: "the response is not the vendor's")
        }
    }
}
