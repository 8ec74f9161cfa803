import FoundationEssentials
import PushAdapter

/// The vendor's answer: `{"result": 0, "desc": "...", "taskId": "..."}`. Numbers may be texts.
struct VivoReply {
    static let success: VendorCode = 0
    static let deadTarget: VendorCode = 10302
    static let sleepingTarget: VendorCode = 10311

    let code: VendorCode
    private let fields: [String: JSONValue]

    /// Nil for a body that is not the vendor's.
    init?(_ response: WireResponse) {
        guard !response.body.isEmpty, case .object(let fields)? = try? response.json(),
            let code = fields["result"]?.identifier
        else { return nil }
        self.code = VendorCode(code)
        self.fields = fields
    }

    subscript(name: String) -> JSONValue? { fields[name] }

    /// The details for an error. The vendor's text about a callback may quote it, and it is a secret.
    func detail(of response: WireResponse) -> VendorDetail {
        let text = VivoErrors.callback.contains(code) ? nil : fields["desc"]?.stringValue
        return VendorDetail(code: code, message: text, httpStatus: response.status, body: response.body)
    }

    /// Whether the vendor read the request for statistics: it answers, or refuses the id of the message.
    var hasFoundCredentials: Bool { [Self.success, 10152, 10471, 10473].contains(code) }
}

extension VivoReply {
    /// The vendor's reason to refuse a target.
    enum Refusal: Int {
        case unknown = 1
        /// The app was removed, or notifications are off.
        case removedOrOff
        /// The device was away for months; newer pages say two weeks.
        case away
        /// The message was a test, and the device is no test device.
        case noTestDevice

        var verdict: TargetVerdict {
            switch self {
            case .unknown: .dead()
            case .removedOrOff, .away: .suspect
            case .noTestDevice: .isolated
            }
        }

        var status: TargetStatus {
            switch self {
            case .unknown: .invalid()
            case .removedOrOff, .away: .suspect
            case .noTestDevice: .rejected(mayRetry: false)
            }
        }
    }

    /// The targets that the vendor refused. If it names one twice, the milder reason counts.
    var refused: [String: Refusal] {
        let pairs = refusedRows.compactMap { row in Self.name(row).map { ($0, refusal(row["status"])) } }
        return Dictionary(pairs, uniquingKeysWith: Self.milder)
    }

    /// Whether the vendor names each target that it refused.
    var namesRefused: Bool { refusedRows.allSatisfy { Self.name($0) != nil } }

    /// The verdict on the only target of a request: dead only if the code or the status says so, and if the vendor names
    /// that target, or none.
    /// - Parameter target: nil for an alias, which the vendor may call by the id of its device.
    func verdict(on target: String?) -> TargetVerdict? {
        if code == Self.sleepingTarget { return .isolated }
        guard [Self.success, Self.deadTarget].contains(code) else { return nil }
        let rows = refusedRows.filter { row in
            guard let target, let name = Self.name(row) else { return true }
            return name == target
        }
        if let first = rows.first {
            return rows.reduce(refusal(first["status"])) { Self.milder($0, refusal($1["status"])) }.verdict
        }
        guard code == Self.deadTarget else { return nil }
        return refusedRows.isEmpty ? .dead() : .suspect
    }

    /// The vendor has three places for them, which may be null or empty.
    private var refusedRows: [JSONValue] {
        ["invalidUser", "invalidUsers", "data"].flatMap { name -> [JSONValue] in
            fields[name].map { $0.arrayValue ?? [$0] } ?? []
        }.filter { Self.name($0) != nil || isReason($0["status"]) }
    }

    /// A success may have a row of nulls and zeros.
    private func isReason(_ status: JSONValue?) -> Bool {
        guard let number = status?.identifier else { return false }
        return code == Self.deadTarget || number != "0"
    }

    private static func name(_ row: JSONValue) -> String? {
        row["userid"]?.identifier.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A number that no source explains counts as away. A missing one counts as unknown only beside the code that means
    /// that.
    private func refusal(_ status: JSONValue?) -> Refusal {
        guard let status, status != .null else { return code == Self.deadTarget ? .unknown : .away }
        return status.identifier.flatMap { Int($0) }.flatMap(Refusal.init) ?? .away
    }

    /// The order of the numbers is that of the reasons, the gravest first.
    private static func milder(_ one: Refusal, _ other: Refusal) -> Refusal {
        one.rawValue > other.rawValue ? one : other
    }
}

extension VivoReply {
    static let unreadable = PushError(unreadable: "the response is not the vendor's")

    /// The answer to an accepted request. Refuses any other with `malformedResponse`.
    static func accepted(_ response: WireResponse) throws(PushError) -> VivoReply {
        guard let reply = VivoReply(response), reply.code == success else { throw unreadable }
        return reply
    }

    /// The message of an accepted send.
    static func receipt(_ response: WireResponse) throws(PushError) -> SendReceipt {
        guard let id = try accepted(response)["taskId"]?.identifier, !id.isEmpty else {
            throw PushError(unreadable: "the response names no message")
        }
        return SendReceipt(messageID: MessageID(id))
    }
}
