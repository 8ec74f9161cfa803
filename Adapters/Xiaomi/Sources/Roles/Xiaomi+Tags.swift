public import PushAdapter

/// Tags as topics. The app may subscribe a device to topics too.
extension Xiaomi {
    /// `GET /v1/topic/all`: reads the tags of a device.
    public func readTags(of device: DeviceID) throws(PushError) -> Exchange<Set<Tag>> {
        reading(.readTags, ["v1", "topic", "all"], of: device) { (response) throws(PushError) in
            Set(try XiaomiReply.list(response).map { Tag($0) })
        }
    }

    /// `GET /v1/account/all`: reads the accounts of a device. Only the app can set them.
    public func readAccounts(of device: DeviceID) throws(PushError) -> Exchange<Set<Account>> {
        reading(.readAccounts, ["v1", "account", "all"], of: device) { (response) throws(PushError) in
            Set(try XiaomiReply.list(response).map { Account(name: $0) })
        }
    }

    /// `POST /v2/topic/subscribe` and `/v2/topic/unsubscribe`: one tag and at most 1,000 devices. A repeated change has
    /// no further effect. The number is this library's: no source has one.
    public func changeMembers(of tag: Tag, _ change: MemberUpdate) throws(PushError) -> Exchange<SendReceipt> {
        let devices = change.devices
        return Exchange(
            change.feature, try request(tag, change),
            inputs: [.devices(devices), .tags([tag]), .count(devices.count, .devicesPerTagCall, "the devices")],
            idempotency: .idempotent, charges: [QuotaCharge(.xiaomiRequests)]
        ) { (response) throws(PushError) in
            SendReceipt(invalidTargets: try XiaomiReply.accepted(response).badDevices)
        }
    }

    /// The same call for one device and one tag.
    func change(_ change: MemberUpdate, _ tags: Set<Tag>, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        guard let tag = tags.first, tags.count == 1 else {
            throw PushError(.limitExceeded, "Xiaomi changes one topic in a request; give one tag")
        }
        return Exchange(
            change.feature == .addMembers ? .addTags : .removeTags, try request(tag, change),
            inputs: [.devices([device]), .tags(tags)], idempotency: .idempotent,
            charges: [QuotaCharge(.xiaomiRequests)], subject: .device(device)
        ) { (response) throws(PushError) in
            let reply = try XiaomiReply.accepted(response)
            guard reply.badDevices.isEmpty else {
                var detail = reply.detail(of: response)
                detail.verdict = .suspect
                throw PushError(.noTarget, "Xiaomi does not know the device", vendor: detail)
            }
        }
    }

    private func request(_ tag: Tag, _ change: MemberUpdate) throws(PushError) -> WireRequest {
        for device in change.devices {
            if let refusal = XiaomiTarget.refusal(.device(device)) { throw refusal }
        }
        var form = FormBody()
        form.add("restricted_package_name", packageName)
        form.add("topic", tag.rawValue)
        form.add("registration_id", change.devices.map(\.rawValue).joined(separator: ","))
        let call: PathSegment = change.feature == .addMembers ? "subscribe" : "unsubscribe"
        return WireRequest(.post, .xiaomi, path: ["v2", "topic", call], body: form.body)
    }
}
