public import PushAdapter

extension Xiaomi {
    /// Reads the vendor's answer. The code decides, not the status, which is 200 for most errors.
    ///
    /// An error that says that no target is valid makes a single target `suspect`, and says nothing about those of a
    /// list. The vendor names dead devices in receipts only.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        guard let reply = XiaomiReply(response) else {
            if response.isSuccess { return nil }
            guard let row = XiaomiErrors.rows.row(ofBare: response) else { return PushError(unexplained: response) }
            let detail = VendorDetail(httpStatus: response.status, body: response.body)
            return PushError(row, detail, of: "Xiaomi", in: response)
        }
        if reply.code == XiaomiReply.success {
            // A status may contradict the body.
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        var row = XiaomiErrors.rows.row(reply.code)
        if row?.usedUpBy != nil { row?.usedUpBy = day }
        var error = PushError(row, reply.detail(of: response), of: "Xiaomi", in: response)
        if error.kind == .noTarget, call.targets.count == 1 { error.vendor?.verdict = .suspect }
        return error
    }
}
