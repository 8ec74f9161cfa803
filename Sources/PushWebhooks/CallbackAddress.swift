public import PushAdapter

/// Where a vendor that signs nothing sends receipts.
///
/// The address needs a long random path. The parameter proves that a receipt belongs to a message of this app: the
/// vendor repeats it, and the vendor's receiver refuses receipts without it. Requests contain both.
public struct CallbackAddress: Sendable {
    /// The address with its secret path.
    public let url: Secret
    /// A text that receipts repeat.
    public let parameter: Secret?

    /// Refuses with `misconfigured` an address that is not http or https, is too long or has invisible characters, and
    /// a parameter that is empty, too long or has other than visible characters of ASCII.
    /// - Parameters:
    ///   - longestURL: in bytes; nil for a vendor that names no limit.
    ///   - longestParameter: in characters.
    package init(
        _ url: Secret, parameter: Secret?, longestURL: Int? = nil, longestParameter: Int
    ) throws(PushError) {
        let text = url.text.lowercased()
        let isShort = longestURL.map { url.count <= $0 } ?? true
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), url.isVisible, isShort else {
            let most = longestURL.map { " of at most \($0) characters" } ?? ""
            throw PushError(.misconfigured, "the address for receipts is not an http or https address\(most)")
        }
        guard parameter.map({ (1...longestParameter).contains($0.count) && $0.isVisible }) ?? true else {
            throw PushError(
                .misconfigured,
                "the parameter of receipts is not 1 to \(longestParameter) visible characters of ASCII")
        }
        (self.url, self.parameter) = (url, parameter)
    }

    /// Both texts: `PushProvider.sentSecrets` of an adapter that sends them.
    package var secrets: [Secret] { [url, parameter].compactMap(\.self) }
}

extension Secret {
    /// The secret as a text, for the wire only.
    package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// Whether it has only visible characters of ASCII.
    package var isVisible: Bool { withBytes { $0.allSatisfy { (0x21...0x7E).contains($0) } } }
}

extension ProviderSetting {
    /// The settings of a ``CallbackAddress``: `callback` and `callbackParameter`.
    /// - Parameter fallback: where receipts go without an address.
    package static func callback(default fallback: String) -> [ProviderSetting] {
        [
            .optional("callback", "the address for receipts, with a secret path; default: \(fallback)", .secret),
            .optional(
                "callbackParameter", "a text that receipts repeat, to prove that they belong to this app", .secret),
        ]
    }
}

extension ProviderSettings {
    /// The address and the parameter; nil without an address. Refuses with `misconfigured` a parameter without one.
    package func callback() throws(PushError) -> (url: Secret, parameter: Secret?)? {
        let parameter = secretIfPresent("callbackParameter")
        guard let url = secretIfPresent("callback") else {
            guard parameter == nil else {
                throw PushError(.misconfigured, "callbackParameter needs callback; set it")
            }
            return nil
        }
        return (url, parameter)
    }
}

/// The checks of receipts that a vendor does not sign.
package struct UnsignedReceipts: Sendable {
    private let parameter: Secret?
    private let longestBody: Int

    package init(_ callback: CallbackAddress?, longestBody: Int) {
        (parameter, self.longestBody) = (callback?.parameter, longestBody)
    }

    /// Refuses a method other than POST with 405, and a long body with 413.
    package func check(_ call: WebhookCall) throws(WebhookRefusal) {
        guard call.method == .post else { throw WebhookRefusal(status: 405, "receipts must use POST") }
        guard call.body.count <= longestBody else { throw WebhookRefusal(status: 413, "the receipt is too long") }
    }

    /// The fields of a receipt. Refuses what is not an object with 400, and one that does not repeat the parameter with
    /// 401. The parameter is left out: it is a secret, and proves the next receipt.
    package func fields(of receipt: JSONValue) throws(WebhookRefusal) -> [String: JSONValue] {
        guard case .object(var fields) = receipt else { throw .malformed("a receipt is not a JSON object") }
        guard let parameter else { return fields }
        guard Secret(fields["param"]?.stringValue ?? "") == parameter else {
            throw .unauthorized("the receipt does not repeat the parameter of the callback")
        }
        fields["param"] = nil
        return fields
    }
}
