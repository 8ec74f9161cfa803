import FoundationEssentials
import PushAdapter

/// The vendor's answer: `{"code": 200, "message": "success", "data": {"sendResult": true, "requestId": "..."}}`. Sources
/// differ about the code of a success, and about its type.
struct HonorReply {
    /// All of the request was accepted; the second code is in one client.
    static let successes: Set<VendorCode> = [200, 80_000_000]
    /// Some tokens were refused; the rest was accepted.
    static let partly: VendorCode = 80_100_000

    let code: VendorCode
    /// The vendor's text.
    let message: String?
    /// The result of a send.
    let data: [String: JSONValue]

    /// Nil for a body that is not the vendor's.
    init?(_ response: WireResponse) {
        guard !response.body.isEmpty, case .object(let fields)? = try? response.json(),
            let code = fields["code"]?.identifier
        else { return nil }
        self.code = VendorCode(code)
        message = fields["message"]?.stringValue
        data = if case .object(let data)? = fields["data"] { data } else { [:] }
    }

    /// Whether the vendor took the message for a part of the devices at least.
    var isAccepted: Bool { Self.successes.contains(code) || code == Self.partly }

    /// Whether the vendor says that it sent nothing.
    var deniesSending: Bool {
        guard let result = data["sendResult"] else { return false }
        return result == false || result == "false"
    }

    /// The vendor's id of the request, which is the id of the message.
    var requestID: String? { data["requestId"]?.identifier }

    /// The details for an error.
    func detail(of response: WireResponse) -> VendorDetail {
        VendorDetail(
            code: code, message: message, requestID: requestID, httpStatus: response.status, body: response.body)
    }
}

extension HonorReply {
    /// The message of an accepted send, and the tokens that the vendor refused.
    ///
    /// Tokens that it calls expired are `suspect`: a draft declares no device dead. Refuses with `malformedResponse` an
    /// answer without an id, one with a list of tokens that cannot be read, and one that says that tokens were refused
    /// but names none of the request.
    static func receipt(_ response: WireResponse, of devices: [DeviceID]) throws(PushError) -> SendReceipt {
        guard let reply = HonorReply(response), reply.isAccepted else {
            throw PushError(unreadable: "the response is not the vendor's")
        }
        guard let id = reply.requestID, !id.isEmpty else {
            throw PushError(unreadable: "the response names no message")
        }
        let refused = try reply.tokens("failTokens", .rejected(mayRetry: false))
        let exceptions = refused.merging(try reply.tokens("expireTokens", .suspect)) { $1 }
        guard reply.code != partly || devices.contains(where: { exceptions[$0.rawValue] != nil }) else {
            throw PushError(unreadable: "the vendor refused some tokens and does not say which")
        }
        return SendReceipt(messageIDs: [MessageID(id)], exceptions: exceptions)
    }

    /// A token that cannot be read would count as accepted.
    private func tokens(_ list: String, _ status: TargetStatus) throws(PushError) -> [String: TargetStatus] {
        guard let value = data[list], value != .null else { return [:] }
        let texts = value.arrayValue?.compactMap(\.identifier) ?? []
        guard texts.count == value.arrayValue?.count else {
            throw PushError(unreadable: "\(list) is not a list of tokens")
        }
        return Dictionary(texts.map { ($0, status) }, uniquingKeysWith: { first, _ in first })
    }
}
