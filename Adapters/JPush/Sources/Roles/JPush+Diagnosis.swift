public import PushAdapter

extension JPush {
    /// Reads both of the vendor's error envelopes. The code in the body takes precedence over the HTTP status.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        // The body of a success has no error, so it is not parsed twice.
        if response.isSuccess, !response.mayHave("error", "code") { return nil }
        guard let envelope = try? response.json(ErrorEnvelope.self), let code = envelope.code else {
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        let row = JPushErrors.row(code, on: Self.surface(of: call.request.service))
        if response.isSuccess, code == 0 || row?.effect == .applied { return nil }
        let detail = VendorDetail(
            code: code, message: envelope.text, messageID: envelope.messageID.map { MessageID($0.text) },
            httpStatus: response.status, body: response.body, targets: .invalid(envelope.invalidTargets))
        return PushError(row, detail, of: "JPush", in: response)
    }

    /// Reads the rate headers. Any of them may be missing.
    public func facts(in response: WireResponse) -> ResponseFacts {
        func number(_ name: HTTPField.Name?) -> Int? { name.flatMap { response.headers[$0] }.flatMap { Int($0) } }
        // One of the vendor's pages calls the first header Quota.
        let rate = RateFacts(
            limit: number(Header.limit) ?? number(Header.quota), remaining: number(Header.remaining),
            reset: number(Header.reset).map { .seconds($0) })
        return ResponseFacts(rate: rate == RateFacts() ? nil : rate)
    }

    private enum Header {
        static let limit = HTTPField.Name("X-Rate-Limit-Limit")
        static let quota = HTTPField.Name("X-Rate-Limit-Quota")
        static let remaining = HTTPField.Name("X-Rate-Limit-Remaining")
        static let reset = HTTPField.Name("X-Rate-Limit-Reset")
    }

    private static func surface(of service: ServiceName) -> JPushErrors.Surface {
        switch service {
        case .jpushDevices, .jpushTags, .jpushAliases, .jpushTest: .device
        case .jpushReport: .report
        case .jpushSchedules: .schedule
        default: .push
        }
    }
}

/// `{"error": {"code", "message"}, "msg_id"}` or `{"code", "message"}`. Bad targets are in either place.
private struct ErrorEnvelope: Decodable {
    struct Detail: Decodable {
        var code: Int?
        var message: String?
        var invalidTargets: [String]?

        enum CodingKeys: String, CodingKey {
            case code, message
            case invalidTargets = "illegal_rids"
        }
    }

    var error: Detail?
    private var topCode: Int?
    private var message: String?
    var messageID: WireText?
    private var listedTargets: [String]?

    enum CodingKeys: String, CodingKey {
        case error, message
        case messageID = "msg_id"
        case listedTargets = "illegal_rids"
        case topCode = "code"
    }

    var code: VendorCode? { (error?.code ?? topCode).map { VendorCode($0) } }
    var text: String? { error?.message ?? message }

    /// The targets in the vendor's list, and the one in its message about an invalid registration id.
    var invalidTargets: [String] {
        let listed = (listedTargets ?? []) + (error?.invalidTargets ?? [])
        let words = (text ?? "").split(separator: " ")
        guard words.count == 5, words[1] == "registration_id", words[4].hasPrefix("invalid") else { return listed }
        return listed + [String(words[2])]
    }
}
