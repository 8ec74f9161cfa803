import FoundationEssentials
import PushAdapter

/// The vendor's answer: `{"code": 0, "message": "success", "data": {"messageId": "..."}}`.
struct OPPOReply {
    /// The code of a success, which may have refused some targets.
    static let success: VendorCode = 0

    let code: VendorCode
    /// The vendor's text.
    let message: String?
    /// What the call returns.
    let data: JSONValue?

    /// Nil for a body that is not the vendor's.
    init?(_ response: WireResponse) {
        guard !response.body.isEmpty, case .object(let fields)? = try? response.json(),
            let code = fields["code"]?.identifier
        else { return nil }
        self.code = VendorCode(code)
        message = fields["message"]?.stringValue
        data = fields["data"]
    }

    /// The answer to an accepted request, also to one with a code that means that the state was in place. Refuses any
    /// other with `malformedResponse`.
    static func accepted(_ response: WireResponse, inPlace: VendorCode = success) throws(PushError) -> OPPOReply {
        guard let reply = OPPOReply(response), [success, inPlace].contains(reply.code) else {
            throw unreadable("the response is not the vendor's")
        }
        return reply
    }

    static func unreadable(_ what: String) -> PushError {
        PushError(.malformedResponse, what, retry: .backoff, effect: .unknown)
    }
}

extension OPPOReply {
    /// The message of an accepted send to one target.
    static func receipt(_ response: WireResponse) throws(PushError) -> SendReceipt {
        guard let id = try accepted(response).data?.message else { throw unreadable("the response names no message") }
        return SendReceipt(messageID: id)
    }

    /// The messages of an accepted send to several targets, and the targets that the vendor refused. A target without a
    /// row is unknown, and one with duplicate data has the given status.
    static func receipt(
        _ response: WireResponse, for targets: [Target], duplicates: TargetStatus
    ) throws(PushError) -> SendReceipt {
        guard let rows = try accepted(response).data?.arrayValue else {
            throw unreadable("the response has no rows")
        }
        let places = Dictionary(zip(targets.map(\.text), targets.indices), uniquingKeysWith: { first, _ in first })
        var statuses = [TargetStatus](repeating: .unknown, count: targets.count)
        var ids: [MessageID] = []
        for (index, row) in rows.enumerated() {
            let name = row.text("registrationId", "registration_id")
            let place = name.flatMap { places[$0] } ?? (countsRows(targets, rows.count, name) ? index : nil)
            let status = place.map { self.status(of: row, targets[$0], duplicates) } ?? .unknown
            // Of a target that the list has twice, the accepted row counts.
            if let place, statuses[place] != .accepted { statuses[place] = status }
            if status == .accepted, let id = row.message { ids.append(id) }
        }
        guard statuses.contains(.accepted) || !statuses.contains(.unknown) else {
            throw unreadable("no row says that a target was accepted")
        }
        let pairs = zip(targets.map(\.text), statuses).filter { $1 != .accepted }
        return SendReceipt(messageIDs: ids, exceptions: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    }

    /// The code that the rows of all targets have, if it is about the request and not about its targets.
    func commonRefusal(of targets: Int) -> VendorCode? {
        guard let rows = data?.arrayValue, rows.count == targets, let code = rows.first?.code,
            rows.allSatisfy({ $0.code == code }),
            let kind = OPPOErrors.rows.row(code)?.kind, ![.noTarget, .invalidArgument].contains(kind)
        else { return nil }
        return code
    }

    /// Whether a row belongs to the target at its place: one without a name, or of an alias, which may name its device.
    private static func countsRows(_ targets: [Target], _ rows: Int, _ name: String?) -> Bool {
        guard rows == targets.count else { return false }
        if case .device? = targets.first { return name == nil }
        return true
    }

    /// A row without a code accepts a target, if it names the message.
    private static func status(of row: JSONValue, _ target: Target, _ duplicates: TargetStatus) -> TargetStatus {
        switch row.code ?? success {
        case success: row.message == nil ? .unknown : .accepted
        case OPPOErrors.duplicate: duplicates
        case let code: status(of: code, target)
        }
    }

    /// What a code says about one target. An id that lacks the form of a registration id may be good at another vendor.
    static func status(of code: VendorCode, _ target: Target) -> TargetStatus {
        switch code {
        case OPPOErrors.unsubscribed: .invalid()
        case OPPOErrors.wrongID: isRegistrationID(target) ? .invalid() : .suspect
        default: OPPOErrors.rows.row(code)?.status ?? .unknown
        }
    }

    private static func isRegistrationID(_ target: Target) -> Bool {
        if case .device(let device) = target { OPPO.isRegistrationID(device.rawValue) } else { false }
    }
}

extension JSONValue {
    /// A text or a number under one of two keys: the vendor's pages spell names in two ways.
    fileprivate func text(_ first: String, _ second: String) -> String? {
        (self[first] ?? self[second])?.identifier
    }

    /// The code of a row; nil if it has none.
    fileprivate var code: VendorCode? { text("errorCode", "error_code").map { VendorCode($0) } }

    /// The id of a message, not empty.
    fileprivate var message: MessageID? {
        text("messageId", "message_id").flatMap { $0.isEmpty ? nil : MessageID($0) }
    }
}
