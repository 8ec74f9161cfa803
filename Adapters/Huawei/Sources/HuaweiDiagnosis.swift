package import PushAdapter

/// Reads the errors of one of the vendor's two APIs.
package struct HuaweiDiagnosis: Sendable {
    /// The API's name, for people.
    private let vendor: String
    private let rows: [VendorErrorRow]
    /// Whether refusals that no page states, only this library infers, count as certain.
    private let trustsInference: Bool

    package init(_ vendor: String, _ rows: [VendorErrorRow], trustsInference: Bool) {
        (self.vendor, self.rows, self.trustsInference) = (vendor, rows, trustsInference)
    }

    /// The error in a response and the vendor's answer, if it has one; nil for a success.
    ///
    /// The code counts first, then the status. An empty body with 503 is a throttle, not an outage.
    package func error(in response: WireResponse) -> (error: PushError, reply: HuaweiReply?)? {
        guard let reply = HuaweiReply(response) else {
            if response.isSuccess { return nil }
            guard let row = rows.row(ofBare: response) else { return (PushError(unexplained: response), nil) }
            let detail = VendorDetail(httpStatus: response.status, body: response.body)
            return (judged(PushError(row, detail, of: vendor, in: response)), nil)
        }
        if [HuaweiReply.success, HuaweiReply.partly].contains(reply.code) {
            // A status may contradict the body. Without a code, the client sees that, and leaves the effect unknown.
            return response.isSuccess ? nil : (PushError(unexplained: response), reply)
        }
        let error = PushError(rows.row(reply.code), reply.detail(of: response), of: vendor, in: response)
        return (judged(error), reply)
    }

    private func judged(_ error: PushError) -> PushError {
        guard !trustsInference, error.vendor?.isCertain == true else { return error }
        var error = error
        error.vendor?.isCertain = false
        error.effect = .unknown
        return error
    }
}
