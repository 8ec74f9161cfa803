public import PushAdapter

/// Changes of tags. The vendor does not list them, and a tag must exist before it gets devices.
extension Vivo {
    /// `POST /tag/addMembers` and `/tag/removeMembers`: one tag and at most 1,000 devices. A repeated change has no
    /// further effect.
    public func changeMembers(of tag: Tag, _ change: MemberUpdate) throws(PushError) -> Exchange<SendReceipt> {
        let devices = change.devices
        return Exchange(
            change.feature, try request(tag, change),
            inputs: [.devices(devices), .tags([tag]), .count(devices.count, .devicesPerTagCall, "the devices")],
            idempotency: .idempotent, charges: [QuotaCharge(.vivoRequests)]
        ) { (response) throws(PushError) in
            let reply = try VivoReply.accepted(response)
            // All devices of the list would count as changed.
            guard reply.namesRefused else { throw VivoReply.unreadable }
            return SendReceipt(exceptions: reply.refused.mapValues(\.status))
        }
    }

    /// The same call for one device and one tag.
    func change(_ change: MemberUpdate, _ tags: Set<Tag>, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        guard let tag = tags.first, tags.count == 1 else {
            throw PushError(.limitExceeded, "vivo changes one tag in a request; give one")
        }
        return Exchange(
            change.feature == .addMembers ? .addTags : .removeTags, try request(tag, change),
            inputs: [.devices([device]), .tags(tags)], idempotency: .idempotent,
            charges: [QuotaCharge(.vivoRequests)], subject: .device(device)
        ) { (response) throws(PushError) in
            _ = try VivoReply.accepted(response)
        }
    }

    private func request(_ tag: Tag, _ change: MemberUpdate) throws(PushError) -> WireRequest {
        let body: JSONValue = [
            "name": .string(tag.rawValue), "type": JSONValue(integerLiteral: memberType),
            "ids": .array(change.devices.map { .string($0.rawValue) }),
        ]
        let call: PathSegment = change.feature == .addMembers ? "addMembers" : "removeMembers"
        return WireRequest(.post, .vivo, path: ["tag", call], body: .vivo(JSONWriter.bytes(of: body)))
    }
}
