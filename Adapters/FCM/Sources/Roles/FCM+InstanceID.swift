public import PushAdapter

/// Tags through Instance ID, the vendor's API before 2026.
extension FCM {
    /// `GET /iid/info/{token}?details=true`: reads the tags of a device.
    public func readInstanceTags(of device: DeviceID) throws(PushError) -> Exchange<Set<Tag>> {
        let request = WireRequest(
            .get, .fcmInstanceID, path: ["info", .value(device.rawValue)], query: [QueryItem("details", "true")],
            headers: Self.instanceHeaders)
        return call(.readTags, request, device) { [self] (response) throws(PushError) in
            let info = try response.json()
            guard info["application"]?.stringValue != nil else {
                throw PushError(unreadable: "the response describes no app")
            }
            guard case .object(let topics) = info["rel"]?["topics"] ?? [:] else {
                throw PushError(unreadable: "the topics of the response are no object")
            }
            return Set(topics.keys.compactMap(tag))
        }
    }

    /// `POST /iid/v1:batchAdd` and `:batchRemove` for one device and one tag.
    func changeInstance(_ change: MemberUpdate, _ tags: Set<Tag>) throws(PushError) -> Exchange<Void> {
        let tag = try only(tags)
        let operation: Feature = change.feature == .addMembers ? .addTags : .removeTags
        let request = try self.request(tag, change)
        return call(operation, request, change.devices[0], tags) { (response) throws(PushError) in
            _ = try Self.results(in: response, count: 1)
        }
    }

    /// `POST /iid/v1:batchAdd` and `:batchRemove`: one tag and 1 to 1,000 tokens, each with its own result.
    public func changeInstances(of tag: Tag, _ change: MemberUpdate) throws(PushError) -> Exchange<SendReceipt> {
        let devices = change.devices
        return Exchange(
            change.feature, try request(tag, change),
            inputs: [.devices(devices), .tags([tag]), .count(devices.count, .devicesPerTagCall, "the devices")],
            idempotency: .idempotent, charges: [QuotaCharge(.fcmTopics, cost: devices.count)]
        ) { (response) throws(PushError) in
            let results = try Self.results(in: response, count: devices.count)
            var receipt = SendReceipt()
            for (device, code) in zip(devices, results) {
                guard let code else { continue }
                receipt.exceptions[device.rawValue] = Self.status(of: code)
            }
            return receipt
        }
    }

    /// The verdict on a device by the code of its result.
    static let instanceVerdicts: [String: TargetVerdict] = [
        "NOT_FOUND": .dead(), "INVALID_ARGUMENT": .dead(), "PERMISSION_DENIED": .suspect,
    ]

    private static func status(of code: String) -> TargetStatus {
        let row = FCMErrors.rows.row(VendorCode(code), on: FCMErrors.Surface.instance.rawValue)
        return instanceVerdicts[code]?.status ?? row?.status ?? .unknown
    }

    private static let instanceHeaders: HTTPFields = {
        var headers = HTTPFields()
        // The vendor's libraries send this field. Without it, the server may not accept an access token.
        if let name = HTTPField.Name("access_token_auth") { headers[name] = "true" }
        return headers
    }()

    private func request(_ tag: Tag, _ change: MemberUpdate) throws(PushError) -> WireRequest {
        let body: JSONValue = [
            "to": .string("/topics/" + topic(tag)),
            "registration_tokens": .array(change.devices.map { .string($0.rawValue) }),
        ]
        return WireRequest(
            .post, .fcmInstanceID, path: [change.feature == .addMembers ? "v1:batchAdd" : "v1:batchRemove"],
            headers: Self.instanceHeaders, body: .json(JSONWriter.bytes(of: body)))
    }

    /// The code of each token, in the order of the request; nil for a token without an error.
    private static func results(in response: WireResponse, count: Int) throws(PushError) -> [String?] {
        struct Reply: Decodable {
            struct Result: Decodable { var error: String? }
            var results: [Result]
        }
        let results = try response.json(Reply.self).results
        guard results.count == count else {
            throw PushError(unreadable: "the response has \(results.count) results for \(count) devices")
        }
        return results.map(\.error)
    }
}
