public import PushAdapter

/// An address to which the vendor sends receipts, and which of them it sends.
///
/// The vendor signs nothing. So the address needs a long random path, and the parameter proves that a receipt belongs
/// to a message of this app: the vendor repeats it, and ``XiaomiReceipts`` refuses receipts without it.
public struct XiaomiCallback: Sendable {
    /// 243: all kinds but 1024. No page of the vendor names a sum that works; one integrator published this one.
    public static let defaultKinds = 243

    /// The address with its secret path.
    public let address: Secret
    /// A text that receipts repeat: 1 to 64 characters.
    public let parameter: Secret?
    /// The sum of the vendor's numbers for the kinds of receipts: 1 delivered, 2 clicked, 16 gone, 32 switched off,
    /// 64 filtered, 128 over the day's total, 1024 over its time to live.
    public let kinds: Int

    /// Refuses with `misconfigured` an address that is not http or https, a parameter that is not 1 to 64 visible
    /// characters of ASCII, and a sum with any other number in it.
    public init(
        _ address: Secret, parameter: Secret? = nil, kinds: Int = XiaomiCallback.defaultKinds
    ) throws(PushError) {
        let text = address.text.lowercased()
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
            throw PushError(.misconfigured, "the address for receipts is not an http or https address")
        }
        guard parameter.map({ (1...64).contains($0.count) && $0.isVisible }) ?? true else {
            throw PushError(.misconfigured, "the parameter of receipts is not 1 to 64 visible characters of ASCII")
        }
        guard kinds > 0, kinds & ~XiaomiReceipts.meanings.keys.reduce(0, |) == 0 else {
            throw PushError(
                .misconfigured,
                "\(kinds) is not a sum of the kinds of receipts; add each of 1, 2, 16, 32, 64, 128 and "
                    + "1024 once at most")
        }
        (self.address, self.parameter, self.kinds) = (address, parameter, kinds)
    }

    /// The vendor's fields for a message.
    var fields: [String: String] {
        var fields = ["callback": address.text, "callback.type": String(kinds)]
        fields["callback.param"] = parameter?.text
        return fields
    }
}

extension Secret {
    /// The secret as a text, for the wire only.
    var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// Whether it has only characters of ASCII that are seen.
    var isVisible: Bool { withBytes { $0.allSatisfy { (0x21...0x7E).contains($0) } } }
}
