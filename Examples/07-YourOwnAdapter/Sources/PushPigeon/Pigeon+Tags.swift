public import PushAdapter

extension Pigeon {
    /// `GET /birds/{bird}/rings`.
    public func readTags(of device: DeviceID) throws(PushError) -> Exchange<Set<Tag>> {
        rings(.readTags, .get, of: device) { (response) throws(PushError) in
            Set(try response.json(Rings.self).rings)
        }
    }

    /// `POST` adds rings, `PUT` replaces them, `DELETE` removes the named ones.
    public func updateTags(_ change: TagUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        let method: HTTPRequest.Method =
            switch change {
            case .add: .post
            case .replace, .clear: .put
            case .remove: .delete
            }
        let body = try JSONWriter.bytes { (json) throws(PushError) in
            try json.object { json in json.field("rings", change.elements.sorted()) }
        }
        return rings(change.feature, method, of: device, [.tags(change.elements)], body: .json(body)) {
            (response) throws(PushError) in
            _ = try response.json(Rings.self)
        }
    }

    private func rings<Output>(
        _ operation: Feature, _ method: HTTPRequest.Method, of device: DeviceID, _ inputs: [Input] = [],
        body: WireBody = .none, decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) -> Exchange<Output> {
        Exchange(
            operation,
            WireRequest(method, .pigeon, path: ["birds", .value(device.rawValue), "rings"], body: body),
            inputs: [.devices([device])] + inputs, idempotency: .idempotent, charges: [QuotaCharge(.pigeonCalls)],
            subject: .device(device), decode: decode)
    }

    private struct Rings: Decodable {
        var rings: [Tag]
    }
}
