import HuaweiDialect
public import PushAdapter

/// Tags as topics. The sources are excerpts: no page shows the errors of a change in full.
extension Huawei {
    /// `POST /v1/{clientId}/topic:list`: reads the tags of a device.
    public func readTags(of device: DeviceID) throws(PushError) -> Exchange<Set<Tag>> {
        let request = topics("list", JSONWriter.bytes(of: ["token": .string(device.rawValue)]))
        return Exchange(
            .readTags, request, inputs: [.devices([device])], idempotency: .idempotent, subject: .device(device)
        ) { (response) throws(PushError) in
            let reply = try HuaweiReply.accepted(response)
            let topics = reply.fields["topics"]?.arrayValue ?? []
            return Set(topics.compactMap { $0["name"]?.stringValue.map { Tag($0) } })
        }
    }

    /// `POST /v1/{clientId}/topic:subscribe` and `topic:unsubscribe`: one tag and at most 1,000 devices. A repeated
    /// change has no further effect.
    public func changeMembers(of tag: Tag, _ change: MemberUpdate) throws(PushError) -> Exchange<SendReceipt> {
        let devices = change.devices
        return Exchange(
            change.feature, try request(tag, change),
            inputs: [.devices(devices), .tags([tag]), .count(devices.count, .devicesPerTagCall, "the devices")],
            idempotency: .idempotent
        ) { (response) throws(PushError) in
            var receipt = SendReceipt()
            for failure in try Self.failures(in: response, count: devices.count) {
                receipt.exceptions[devices[failure.index].rawValue] = .rejected(mayRetry: false)
            }
            return receipt
        }
    }

    /// The same call for one device and one tag.
    func change(_ change: MemberUpdate, _ tags: Set<Tag>, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        guard let tag = tags.first, tags.count == 1 else {
            throw PushError(.limitExceeded, "Huawei changes one topic in a request; give one tag")
        }
        return Exchange(
            change.feature == .addMembers ? .addTags : .removeTags, try request(tag, change),
            inputs: [.devices([device]), .tags(tags)], idempotency: .idempotent, subject: .device(device)
        ) { (response) throws(PushError) in
            guard let failure = try Self.failures(in: response, count: 1).first else { return }
            var detail = VendorDetail(message: failure.reason, httpStatus: response.status, body: response.body)
            detail.verdict = .isolated
            throw PushError(.unknown, "Huawei did not change the topic of the device", vendor: detail)
        }
    }

    private func request(_ tag: Tag, _ change: MemberUpdate) throws(PushError) -> WireRequest {
        let body = try JSONWriter.bytes { (json) throws(PushError) in
            try json.object { json in
                json.field("topic", tag.rawValue)
                json.field("tokenArray", change.devices)
            }
        }
        return topics(change.feature == .addMembers ? "subscribe" : "unsubscribe", body)
    }

    private func topics(_ call: String, _ body: [UInt8]) -> WireRequest {
        WireRequest(.post, .huawei, path: ["v1", .literal(clientID), .literal("topic:\(call)")], body: .json(body))
    }

    /// The devices that the vendor skipped, by their positions. Refuses an answer that counts failures and does not
    /// place them.
    private static func failures(
        in response: WireResponse, count: Int
    ) throws(PushError) -> [(index: Int, reason: String?)] {
        let reply = try HuaweiReply.accepted(response)
        let errors = (reply.fields["errors"]?.arrayValue ?? []).compactMap { error in
            error["index"]?.identifier.flatMap { Int($0) }.map { (index: $0, reason: error["reason"]?.stringValue) }
        }
        let stated = reply.fields["failureCount"]?.identifier.flatMap { Int($0) } ?? errors.count
        guard stated == errors.count, errors.allSatisfy({ (0..<count).contains($0.index) }) else {
            throw PushError(unreadable: "the response counts \(stated) failures and does not say which")
        }
        return errors
    }
}
