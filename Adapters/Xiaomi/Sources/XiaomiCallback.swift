public import PushAdapter
public import PushWebhooks

/// An address to which the vendor sends receipts, and which of them it sends.
public struct XiaomiCallback: Sendable {
    /// 243: all kinds but 1024. No page of the vendor names a sum that works; one integrator published this one.
    public static let defaultKinds = 243

    /// The address and the parameter, as ``XiaomiReceipts`` needs them.
    public let address: CallbackAddress
    /// The sum of the vendor's numbers for the kinds of receipts: 1 delivered, 2 clicked, 16 gone, 32 switched off,
    /// 64 filtered, 128 over the day's total, 1024 over its time to live.
    public let kinds: Int

    /// Refuses with `misconfigured` an address that is not http or https, a parameter that is not 1 to 64 visible
    /// characters of ASCII, and a sum with any other number in it.
    public init(
        _ url: Secret, parameter: Secret? = nil, kinds: Int = XiaomiCallback.defaultKinds
    ) throws(PushError) {
        address = try CallbackAddress(url, parameter: parameter, longestParameter: 64)
        guard kinds > 0, kinds & ~XiaomiReceipts.meanings.keys.reduce(0, |) == 0 else {
            throw PushError(
                .misconfigured,
                "\(kinds) is not a sum of the kinds of receipts; add each of 1, 2, 16, 32, 64, 128 and "
                    + "1024 once at most")
        }
        self.kinds = kinds
    }

    /// The vendor's fields for a message.
    var fields: [String: String] {
        var fields = ["callback": address.url.text, "callback.type": String(kinds)]
        fields["callback.param"] = address.parameter?.text
        return fields
    }
}
