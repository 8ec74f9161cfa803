import FoundationEssentials
import PushAdapter

/// The vendor's answer: `{"code": 0, "message": "success", "data": {"messageId": "..."}}`.
struct OPPOReply {
    /// The code of a success, which may have refused some targets.
    static let success: VendorCode = 0

    let code: VendorCode
    /// The vendor's text.
    let message: String?
    /// The result of the call.
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
            throw PushError(unreadable: "the response is not the vendor's")
        }
        return reply
    }
}

extension OPPOReply {
    /// The messages of an accepted send, and the targets that the vendor refused. A target without a row is unknown, and
    /// one with duplicate data has the given status; so have all, if the code of the answer is that.
    static func receipt(
        _ response: WireResponse, for targets: [Target], duplicates: TargetStatus
    ) throws(PushError) -> SendReceipt {
        let reply = try accepted(response, inPlace: OPPOErrors.duplicate)
        let isDuplicate = reply.code == OPPOErrors.duplicate
        var statuses: [TargetStatus] = []
        var ids: [MessageID] = []
        for (target, rows) in zip(targets, reply.rows(of: targets)) {
            let all = isDuplicate ? [duplicates] : rows.map { status(of: $0, target, duplicates) }
            // Of several rows of a target, one that accepts it counts, then one that leaves the outcome open.
            let strongest = [TargetStatus.accepted, .unknown].first(where: all.contains)
            statuses.append(strongest ?? all.first ?? .unknown)
            ids += zip(rows, all).filter { $1 == .accepted }.compactMap(\.0.message)
        }
        guard statuses.contains(.accepted) || !statuses.contains(.unknown) else {
            throw PushError(unreadable: "the response does not say that a target was accepted")
        }
        let pairs = zip(targets.map(\.text), statuses).filter { $1 != .accepted }
        return SendReceipt(messageIDs: ids, exceptions: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    }

    /// The error code that an accepted request has in the row of its only target, or in the rows of all targets, if it
    /// is about the request and not about its targets.
    func innerRefusal(of targets: [Target]) -> VendorCode? {
        let codes = rows(of: targets).flatMap { $0.isEmpty ? [nil] : $0.map(\.code) }
        guard let first = codes.first, let code = first, code != Self.success, codes.allSatisfy({ $0 == code }) else {
            return nil
        }
        if targets.count == 1 { return code }
        guard let kind = OPPOErrors.rows.row(code)?.kind, ![.noTarget, .invalidArgument].contains(kind) else {
            return nil
        }
        return code
    }

    /// The rows of each target. The answer to a single send is one row, without a list.
    private func rows(of targets: [Target]) -> [[JSONValue]] {
        let rows = data.map { $0.arrayValue ?? [$0] } ?? []
        let places = Dictionary(zip(targets.map(\.text), targets.indices), uniquingKeysWith: { first, _ in first })
        var placed = [[JSONValue]](repeating: [], count: targets.count)
        for (index, row) in rows.enumerated() {
            let name = row.text("registrationId", "registration_id")
            let isInOrder = rows.count == targets.count && (name == nil || targets[index].device == nil)
            if let place = name.flatMap({ places[$0] }) ?? (isInOrder ? index : nil) { placed[place].append(row) }
        }
        return placed
    }

    /// A row without a code accepts a target, if it names the message.
    private static func status(of row: JSONValue, _ target: Target, _ duplicates: TargetStatus) -> TargetStatus {
        switch row.code ?? success {
        case success: row.message == nil ? .unknown : .accepted
        case OPPOErrors.duplicate: duplicates
        case let code: status(of: code, target)
        }
    }

    /// The status of one target by the code of its refusal. An id that lacks the form of a registration id may be good
    /// at another vendor, and an alias may get another device.
    static func status(of code: VendorCode, _ target: Target) -> TargetStatus {
        switch code {
        case OPPOErrors.unsubscribed: target.device == nil ? .suspect : .invalid()
        case OPPOErrors.wrongID: target.device.map(OPPO.isRegistrationID) ?? false ? .invalid() : .suspect
        default: OPPOErrors.rows.row(code)?.status ?? .unknown
        }
    }
}

extension Target {
    fileprivate var device: String? { if case .device(let id) = self { id.rawValue } else { nil } }
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
