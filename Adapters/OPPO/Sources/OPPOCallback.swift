public import PushAdapter

/// An address to which the vendor sends receipts.
///
/// The vendor signs nothing. So the address needs a long random path, and the parameter proves that a receipt belongs
/// to a message of this app: the vendor repeats it, and ``OPPOReceipts`` refuses receipts without it.
public struct OPPOCallback: Sendable {
    /// The address with its secret path.
    public let address: Secret
    /// A text that receipts repeat: 1 to 50 characters.
    public let parameter: Secret?

    /// Refuses with `misconfigured` an address that is not http or https or has more than 200 characters, and a
    /// parameter that is not 1 to 50 visible characters of ASCII. The vendor's page allows 100, its SDK 50.
    public init(_ address: Secret, parameter: Secret? = nil) throws(PushError) {
        let text = address.text.lowercased()
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), address.count <= 200 else {
            throw PushError(
                .misconfigured, "the address for receipts is not an http or https address of at most 200 characters")
        }
        guard parameter.map({ (1...50).contains($0.count) && $0.isVisible }) ?? true else {
            throw PushError(.misconfigured, "the parameter of receipts is not 1 to 50 visible characters of ASCII")
        }
        (self.address, self.parameter) = (address, parameter)
    }

    /// The vendor's fields for a notification.
    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["call_back_url": .string(address.text)]
        if let parameter { fields["call_back_parameter"] = .string(parameter.text) }
        return fields
    }
}

extension Secret {
    /// The secret as a text, for the wire only.
    var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// Whether it has only characters of ASCII that are seen.
    var isVisible: Bool { withBytes { $0.allSatisfy { (0x21...0x7E).contains($0) } } }
}
