public import PushAdapter
public import PushWebhooks

/// An address to which the vendor sends receipts.
public struct OPPOCallback: Sendable {
    /// The address and the parameter, as ``OPPOReceipts`` needs them.
    public let address: CallbackAddress

    /// Refuses with `misconfigured` an address that is not http or https or has more than 200 characters, and a
    /// parameter that is not 1 to 50 visible characters of ASCII. The vendor's page allows 100, its SDK 50.
    public init(_ url: Secret, parameter: Secret? = nil) throws(PushError) {
        address = try CallbackAddress(url, parameter: parameter, longestURL: 200, longestParameter: 50)
    }

    /// The vendor's fields for a notification.
    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["call_back_url": .string(address.url.text)]
        fields["call_back_parameter"] = address.parameter.map { .string($0.text) }
        return fields
    }
}
