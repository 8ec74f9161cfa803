public import PushAdapter

extension EngageLab {
    /// Reads both of the vendor's error envelopes. The code in the body takes precedence over the HTTP status.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        // Most successes have no code. Parsing each one as an error would take as long as parsing the result.
        if response.isSuccess, !response.mayHave("error", "code") { return nil }
        guard let envelope = try? response.json(ErrorEnvelope.self), let code = envelope.code, code != 0 else {
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        var detail = VendorDetail(
            code: code, message: envelope.text, httpStatus: response.status, body: response.body)
        // The id is malformed, or belongs to another app or data center.
        if call.operation == .send, code == 20_101 { detail.verdict = .suspect }
        return PushError(EngageLabErrors.rows.row(code), detail, of: "EngageLab", in: response)
    }

    /// Rate headers are not documented. The response to a batch says whether it hit the quota; if so, no quota is left
    /// for later calls.
    public func facts(in response: WireResponse) -> ResponseFacts {
        guard response.mayHave("rate_limit_info"), let reply = try? response.json(RateReply.self), reply.info.occurred
        else { return ResponseFacts() }
        return ResponseFacts(rate: RateFacts(remaining: 0, reset: .seconds(1)))
    }
}

private struct RateReply: Decodable {
    struct Info: Decodable {
        var occurred: Bool
        private enum CodingKeys: String, CodingKey { case occurred = "rate_limit_occurred" }
    }

    var info: Info
    private enum CodingKeys: String, CodingKey { case info = "rate_limit_info" }
}

/// `{"error": {"code", "message"}}` or `{"code", "message"}`. A code may be a text, and a message may be anything.
private struct ErrorEnvelope: Decodable {
    private struct Detail: Decodable {
        var code: VendorCode?
        var message: Lenient<String>?
    }

    private var error: Lenient<Detail>?
    private var topCode: Lenient<VendorCode>?
    private var message: Lenient<String>?

    private enum CodingKeys: String, CodingKey {
        case error, message
        case topCode = "code"
    }

    var code: VendorCode? { error?.value?.code ?? topCode?.value }
    var text: String? { error?.value?.message?.value ?? message?.value }
}
