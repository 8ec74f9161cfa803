import FoundationEssentials
import PushAdapter

/// The vendor's answer: `{"result": "ok", "code": 0, "trace_id": "...", "data": {"id": "..."}}`. Numbers may be texts.
struct XiaomiReply {
    /// The code of a success, which may have refused some devices.
    static let success: VendorCode = 0

    let code: VendorCode
    /// The vendor's text.
    let message: String?
    /// The vendor's id of the request. It looks like the id of a message, but an error has one too.
    let requestID: String?
    /// The result of the call.
    let data: [String: JSONValue]?

    /// Nil for a body that is not the vendor's.
    init?(_ response: WireResponse) {
        guard !response.body.isEmpty, case .object(let fields)? = try? response.json(),
            let code = fields["code"]?.identifier
        else { return nil }
        self.code = VendorCode(code)
        message = ["reason", "description", "info"].lazy.compactMap { fields[$0]?.stringValue }.first
        requestID = fields["trace_id"]?.identifier
        data = if case .object(let data)? = fields["data"] { data } else { nil }
    }

    /// The details for an error.
    func detail(of response: WireResponse) -> VendorDetail {
        VendorDetail(
            code: code, message: message, requestID: requestID, httpStatus: response.status, body: response.body)
    }
}

extension XiaomiReply {
    /// The answer to an accepted request. Refuses any other with `malformedResponse`.
    static func accepted(_ response: WireResponse) throws(PushError) -> XiaomiReply {
        guard let reply = XiaomiReply(response), reply.code == success else {
            throw PushError(unreadable: "the response is not the vendor's")
        }
        return reply
    }

    /// The message of an accepted send, and the devices that the vendor does not know.
    static func receipt(_ response: WireResponse) throws(PushError) -> SendReceipt {
        let reply = try accepted(response)
        guard let id = reply.data?["id"]?.identifier, !id.isEmpty else {
            throw PushError(unreadable: "the response names no message")
        }
        return SendReceipt(messageID: MessageID(id), invalidTargets: reply.badDevices)
    }

    /// The names in an answer about one device. The list is missing if there are none.
    static func list(_ response: WireResponse) throws(PushError) -> [String] {
        guard let data = try accepted(response).data else { throw PushError(unreadable: "the response has no data") }
        return data["list"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// The vendor separates them by commas.
    var badDevices: [String] { data?["bad_regids"]?.stringValue?.split(separator: ",").map(String.init) ?? [] }
}
