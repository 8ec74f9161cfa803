import FoundationEssentials
package import PushAdapter

/// The vendor's answer: `{"code": "80000000", "msg": "Success", "requestId": "..."}`. `code` is a text, and `msg` may
/// hold JSON as a text.
package struct HuaweiReply: Sendable {
    /// All of the request was accepted.
    package static let success: VendorCode = 80_000_000
    /// Some tokens were refused; the rest was accepted.
    package static let partly: VendorCode = 80_100_000
    /// All tokens were refused.
    package static let allRefused: VendorCode = 80_300_007

    /// The vendor's code.
    package let code: VendorCode
    /// The vendor's text.
    package let message: String?
    /// The vendor's id of the request, which is the id of the message.
    package let requestID: String?
    /// All fields.
    package let fields: [String: JSONValue]

    /// Nil for a body that is not the vendor's.
    package init?(_ response: WireResponse) {
        guard !response.body.isEmpty, case .object(let fields)? = try? response.json(),
            let code = fields["code"]?.identifier
        else { return nil }
        self.code = VendorCode(code.filter { $0 != " " })
        message = fields["msg"]?.stringValue
        requestID = fields["requestId"]?.stringValue
        self.fields = fields
    }

    /// The JSON inside `msg`. A sample of the vendor has blanks around keys, so they are cut off. Empty if `msg` is
    /// plain text.
    package var details: [String: JSONValue] {
        guard let message, case .object(let fields)? = try? JSONValue(parsing: Array(message.utf8)) else { return [:] }
        return fields.withTrimmedKeys
    }

    /// The details for an error. The message is the vendor's text, unless it lists tokens.
    package func detail(of response: WireResponse) -> VendorDetail {
        VendorDetail(
            code: code, message: message?.first == "{" ? nil : message, requestID: requestID,
            httpStatus: response.status, body: response.body)
    }
}

extension HuaweiReply {
    /// The answer to an accepted request. Refuses any other answer with `malformedResponse`.
    package static func accepted(_ response: WireResponse) throws(PushError) -> HuaweiReply {
        guard let reply = HuaweiReply(response), [success, partly].contains(reply.code) else {
            throw PushError(unreadable: "the response is not the vendor's")
        }
        return reply
    }

    /// Reads the receipt of an accepted send.
    ///
    /// Refuses with `malformedResponse` an answer without an id, and one that says that tokens were refused but not
    /// which.
    package static func receipt(
        _ response: WireResponse, refused: (HuaweiReply) -> [String: TargetStatus]
    ) throws(PushError) -> SendReceipt {
        let reply = try accepted(response)
        guard let id = reply.requestID, !id.isEmpty else {
            throw PushError(unreadable: "the response names no message")
        }
        guard reply.code == partly else { return SendReceipt(messageID: MessageID(id)) }
        let exceptions = refused(reply)
        guard !exceptions.isEmpty else {
            throw PushError(unreadable: "the vendor refused some tokens and does not say which")
        }
        return SendReceipt(messageIDs: [MessageID(id)], exceptions: exceptions)
    }
}

extension [String: JSONValue] {
    fileprivate var withTrimmedKeys: Self {
        Dictionary(
            map { key, value in
                let inner: JSONValue =
                    if case .object(let fields) = value { .object(fields.withTrimmedKeys) } else { value }
                return (key.filter { $0 != " " }, inner)
            }, uniquingKeysWith: { first, _ in first })
    }
}
