public import PushCore

extension TPNS: DeviceAttributing {
    /// `POST /v3/device/set_custom_attribute`, command 5.
    public func readAttributes(of device: DeviceID) throws(PushError) -> Exchange<[String: String]> {
        call(
            .readAttributes, ["device", "set_custom_attribute"], try body(5, device, nil), of: device
        ) { (response) throws(PushError) in
            try response.tpns(AttributeReply.self).info?.map ?? [:]
        }
    }

    /// `POST /v3/device/set_custom_attribute`, commands 1 to 4. Names must be in the console's list; others are passed
    /// over and named in the receipt.
    ///
    /// To remove, the vendor's sample sends names with values; the names count, as is inferred, and the values are
    /// empty here. Replacing all is refused with `unsupported`.
    public func updateAttributes(
        _ change: AttributeUpdate, of device: DeviceID
    ) throws(PushError) -> Exchange<AttributeReceipt> {
        let content: WireBody
        switch change {
        case .add(let attributes): content = try body(attributeCommand.rawValue, device, attributes)
        case .remove(let names):
            content = try body(3, device, Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
        case .clear: content = try body(4, device, nil)
        case .replace:
            throw PushError(
                .unsupported, "TPNS has no call that replaces all attributes", operation: .replaceAttributes)
        }
        return call(
            change.feature, ["device", "set_custom_attribute"], content, of: device
        ) { (response) throws(PushError) in
            AttributeReceipt(rejectedNames: Set(try response.tpns(AttributeReply.self).rejected ?? []))
        }
    }

    private func body(
        _ command: Int, _ device: DeviceID, _ attributes: [String: String]?
    ) throws(PushError) -> WireBody {
        if let attributes {
            try capabilities.limits.check(attributes, of: id)
            guard !attributes.isEmpty else { throw PushError(.invalidArgument, "there is no attribute to change") }
        }
        return try object { (json) throws(PushError) in
            if let attributes {
                json.field("attributeInfo", ["attributeMap": .object(attributes.mapValues(JSONValue.string))])
            }
            json.field("cmd", command)
            json.field("token", device.rawValue)
        }
    }
}

/// The answer to any of the commands.
private struct AttributeReply: Decodable {
    struct Info: Decodable {
        var map: [String: String]?

        private enum CodingKeys: String, CodingKey { case map = "attributeMap" }
    }

    var info: Info?
    var rejected: [String]?

    private enum CodingKeys: String, CodingKey {
        case info = "attributeInfo"
        case rejected = "invalidAttribute"
    }
}
