public import PushAdapter
public import PushWebhooks

/// An address to which the vendor sends receipts.
public struct VivoCallback: Sendable {
    /// The address and the parameter, as ``VivoReceipts`` needs them.
    public let address: CallbackAddress

    /// Refuses with `misconfigured` an address that is not http or https or has more than 128 characters, and a
    /// parameter that is not 1 to 64 visible characters of ASCII.
    public init(_ url: Secret, parameter: Secret? = nil) throws(PushError) {
        address = try CallbackAddress(url, parameter: parameter, longestURL: 128, longestParameter: 64)
    }

    /// The vendor's `extra`.
    var fields: [String: String] {
        var fields = ["callback": address.url.text]
        fields["callback.param"] = address.parameter?.text
        return fields
    }
}
