import HuaweiDialect
public import PushAdapter

extension Huawei {
    /// Reads the vendor's answer. A refusal of all tokens gives no reason: they may be dead, or of another app. So it
    /// says nothing about the tokens of a list, and makes a single one `suspect`.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        if call.operation == .mintToken { return Self.tokenError(in: response) }
        let diagnosis = HuaweiDiagnosis("Huawei", HuaweiRows.all, trustsInference: trustsInference)
        guard let found = diagnosis.error(in: response) else { return nil }
        var error = found.error
        guard found.reply?.code == HuaweiReply.allRefused else { return error }
        let sent = call.targets
        if sent.count == 1 {
            error.vendor?.verdict = .suspect
        } else {
            error.vendor?.targets = Dictionary(
                sent.map { ($0, .rejected(mayRetry: false)) }, uniquingKeysWith: { first, _ in first })
        }
        return error
    }

    /// Reads `{"error": 1101, "sub_error": 20003, "error_description": "..."}` of the token endpoint.
    private static func tokenError(in response: WireResponse) -> PushError? {
        guard let reply = try? response.json(), let error = reply["error"]?.identifier else {
            if response.isSuccess { return nil }
            guard let row = HuaweiRows.all.row(.status(response.status), on: HuaweiRows.oauth) else {
                return PushError(unexplained: response)
            }
            let detail = VendorDetail(httpStatus: response.status, body: response.body)
            return PushError(row, detail, of: "Huawei's token service", in: response)
        }
        let code = VendorCode(error + (reply["sub_error"]?.identifier.map { "/" + $0 } ?? ""))
        let detail = VendorDetail(
            code: code, message: reply["error_description"]?.stringValue, httpStatus: response.status,
            body: response.body)
        let row = HuaweiRows.all.row(code, on: HuaweiRows.oauth)
        return PushError(row, detail, of: "Huawei's token service", in: response)
    }
}
