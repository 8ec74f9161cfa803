public import PushAdapter

extension Honor {
    /// Reads the vendor's answer: its code first, then the status. An unknown code stays `unknown`, except that a
    /// refused access token is renewed.
    ///
    /// A refusal of all tokens makes a single target `suspect`, and says nothing about those of a list.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        guard call.operation == .send else { return Self.tokenError(in: response) }
        guard let reply = HonorReply(response) else {
            if response.isSuccess { return nil }
            guard let row = HonorErrors.rows.row(ofBare: response) ?? Self.renewal(response) else {
                return PushError(unexplained: response)
            }
            let detail = VendorDetail(httpStatus: response.status, body: response.body)
            return judged(PushError(row, detail, of: "Honor", in: response))
        }
        if reply.isAccepted { return Self.contradiction(in: reply, response) }
        var error = PushError(row(of: reply, response, call), reply.detail(of: response), of: "Honor", in: response)
        if error.kind == .noTarget, call.targets.count == 1 { error.vendor?.verdict = .suspect }
        return judged(error)
    }

    /// A success whose status or whose fields say otherwise: the effect is unknown.
    private static func contradiction(in reply: HonorReply, _ response: WireResponse) -> PushError? {
        guard response.isSuccess else { return PushError(unexplained: response) }
        guard reply.deniesSending else { return nil }
        return PushError(
            .unknown, "Honor accepted the request and says that it did not send the message", retry: .never,
            effect: .unknown, vendor: reply.detail(of: response))
    }

    /// The row of a code. Only the quota of test messages lasts a day, so it must not stop any other message.
    private func row(of reply: HonorReply, _ response: WireResponse, _ call: VendorCall) -> VendorErrorRow? {
        var row = HonorErrors.rows.row(reply.code) ?? Self.renewal(response)
        if row?.usedUpBy != nil { row?.usedUpBy = call.message.map(HonorOptions.isTest) == true ? day : nil }
        return row
    }

    /// A refused token is renewed once, whatever the body says: no source shows the vendor's body for it.
    private static func renewal(_ response: WireResponse) -> VendorErrorRow? {
        [401, 403].contains(response.status) ? HonorErrors.rows.row(.status(response.status)) : nil
    }

    private func judged(_ error: PushError) -> PushError {
        guard !trustsInference, error.kind == .rateLimited else { return error }
        var error = error
        error.vendor?.isCertain = false
        error.effect = .unknown
        return error
    }

    /// Reads `{"error": "invalid_client", "error_description": "..."}` of the token service.
    private static func tokenError(in response: WireResponse) -> PushError? {
        guard let reply = try? response.json(), let code = reply["error"]?.identifier else {
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        let detail = VendorDetail(
            code: VendorCode(code), message: reply["error_description"]?.stringValue, httpStatus: response.status,
            body: response.body)
        let row = HonorErrors.rows.row(VendorCode(code), on: HonorErrors.oauth)
        return PushError(row, detail, of: "Honor's token service", in: response)
    }
}
