import HuaweiDialect
public import PushAdapter

extension Harmony {
    /// Reads the vendor's answer. A refusal of all tokens says why of each: the reasons decide its kind, and no token
    /// counts as dead.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        let diagnosis = HuaweiDiagnosis("HarmonyOS", HarmonyErrors.rows, trustsInference: trustsInference)
        guard let found = diagnosis.error(in: response) else { return nil }
        var error = found.error
        guard let reply = found.reply, reply.code == HuaweiReply.allRefused else { return error }
        let sent = call.targets
        let reasons = HarmonyReasons.tokens(in: reply)
        let rows = Set(reasons.values).map { HarmonyErrors.rows.row(VendorCode($0), on: HarmonyReasons.surface) }
        // Kinds that differ leave the code's own kind.
        if let first = rows.first, let first, rows.allSatisfy({ $0?.kind == first.kind }) {
            error.kind = first.kind
            error.message = "HarmonyOS: \(first.advice)"
        }
        error.vendor?.targets = Dictionary(
            sent.map { ($0, reasons[$0].map(HarmonyReasons.status) ?? .rejected(mayRetry: false)) },
            uniquingKeysWith: { first, _ in first })
        if sent.count == 1, let status = error.vendor?.targets[sent[0]] {
            error.vendor?.verdict = HarmonyReasons.verdict(of: reasons[sent[0]], status)
        }
        return error
    }
}

/// Why the vendor refuses a token.
enum HarmonyReasons {
    /// The API family of the reasons in the table of errors.
    static let surface = "token"

    /// The reason of each refused token.
    static func tokens(in reply: HuaweiReply) -> [String: String] {
        var reasons: [String: String] = [:]
        for (reason, list) in reply.details["illegalTokens"].fields.sorted(by: { $0.key < $1.key }) {
            for token in list.arrayValue ?? [] {
                if let text = token.stringValue { reasons[text] = reason }
            }
        }
        return reasons
    }

    /// The status that a reason gives a token. Only a text that is no token is invalid: a token without rights may be
    /// of another project, or from before an upgrade to HarmonyOS 5.
    static func status(of reason: String) -> TargetStatus {
        switch reason {
        case "tokenFormatError": .invalid()
        case "tokenPlatformNotSupport", "noRight": .suspect
        default: .rejected(mayRetry: false)
        }
    }

    /// The verdict on the one token of a request; nil if the reason is the app's, so other tokens would be refused too.
    static func verdict(of reason: String?, _ status: TargetStatus) -> TargetVerdict? {
        if status == .suspect { return .suspect }
        let isOfToken = status.isInvalid || reason == nil || reason == "countryNotSupport"
        return isOfToken ? .isolated : nil
    }
}
