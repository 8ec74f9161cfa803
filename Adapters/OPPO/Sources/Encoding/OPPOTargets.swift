import PushAdapter

/// The targets of one request: devices or aliases.
struct OPPOTargets {
    let audience: Audience
    let list: [Target]
    let areDevices: Bool

    init(_ audience: Audience) throws(PushError) {
        switch audience {
        case .devices: areDevices = true
        case .aliases: areDevices = false
        default: throw PushError(.unsupported, "OPPO sends to devices and aliases only", operation: .send)
        }
        (self.audience, list) = (audience, audience.targets ?? [])
    }

    /// JSON in a field of a form: an object for one target, a list of rows for several. The notification is encoded
    /// once, because it is the same in a thousand rows.
    func body(with notification: [String: JSONValue]) -> WireBody {
        let text = String(decoding: JSONWriter.bytes(of: .object(notification)), as: UTF8.self)
        let type = areDevices ? 2 : 5
        let start = PercentEncoding.encode(#"{"notification":\#(text),"target_type":\#(type),"target_value":"#)
        let rows = list.map { start + PercentEncoding.encode(Self.quoted($0.text) + "}") }
        let isOne = list.count == 1
        var form = FormBody()
        form.add(
            isOne ? "message" : "messages",
            encoded: isOne
                ? rows.joined()
                : PercentEncoding.encode("[") + rows.joined(separator: "%2C")
                    + PercentEncoding.encode("]"))
        return form.body
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: JSONWriter.bytes(of: .string(text)), as: UTF8.self)
    }
}
