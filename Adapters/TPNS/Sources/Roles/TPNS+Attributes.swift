public import PushAdapter

extension TPNS {
    /// `POST /v3/device/set_custom_attribute`, command 5.
    public func readAttributes(of device: DeviceID) throws(PushError) -> Exchange<[String: String]> {
        call(
            .readAttributes, ["device", "set_custom_attribute"], try body(5, device, nil), of: device
        ) { (response) throws(PushError) in
            try response.tpns(AttributeReply.self).info?.map ?? [:]
        }
    }

    /// `POST /v3/device/set_custom_attribute`, command 1 or 2 (``attributeCommand``). Names must be in the console's
    /// list. The vendor ignores other names, and the receipt lists them.
    public func setAttributes(
        _ attributes: [String: String], of device: DeviceID
    ) throws(PushError) -> Exchange<AttributeReceipt> {
        try write(.addAttributes, attributeCommand.rawValue, attributes, device)
    }

    /// `POST /v3/device/set_custom_attribute`, command 3. The vendor's sample sends names with values. The adapter
    /// sends empty values, because it is inferred that only the names count.
    public func removeAttributes(
        _ names: Set<String>, from device: DeviceID
    ) throws(PushError) -> Exchange<AttributeReceipt> {
        try write(.removeAttributes, 3, Dictionary(uniqueKeysWithValues: names.map { ($0, "") }), device)
    }

    /// `POST /v3/device/set_custom_attribute`, command 4.
    public func clearAttributes(of device: DeviceID) throws(PushError) -> Exchange<AttributeReceipt> {
        try write(.clearAttributes, 4, nil, device)
    }

    private func write(
        _ operation: Feature, _ command: Int, _ attributes: [String: String]?, _ device: DeviceID
    ) throws(PushError) -> Exchange<AttributeReceipt> {
        call(
            operation, ["device", "set_custom_attribute"], try body(command, device, attributes), of: device,
            checking: attributes.map { [.attributes($0)] } ?? []
        ) { (response) throws(PushError) in
            AttributeReceipt(rejectedNames: Set(try response.tpns(AttributeReply.self).rejected ?? []))
        }
    }

    private func body(
        _ command: Int, _ device: DeviceID, _ attributes: [String: String]?
    ) throws(PushError) -> WireBody {
        guard attributes?.isEmpty != true else {
            throw PushError(.invalidArgument, "there are no attributes to change; give at least one")
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

/// The response to any command.
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
