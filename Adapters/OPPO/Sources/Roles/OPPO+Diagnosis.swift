public import PushAdapter

extension OPPO {
    /// Reads the vendor's answer. The code decides, not the status, which is 200 for errors too.
    ///
    /// A wrong id is dead if it has the form of a registration id, and else `suspect`. That is said of a single device
    /// only: an answer to a list names devices in its rows. If all rows have one code that is not about targets, such as
    /// a used up quota, the whole request was refused. So was a send to one target whose success holds an error code.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        guard let reply = OPPOReply(response) else {
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        let isAccepted = reply.code == OPPOReply.success || reply.code == Self.inPlace(call.operation)
        let code = isAccepted ? reply.innerRefusal(of: Self.targets(of: call)) : reply.code
        if let code, !(trustsDuplicates && call.operation == .send && code == OPPOErrors.duplicate) {
            return error(code, reply, response, call)
        }
        // A status may contradict the body.
        return response.isSuccess ? nil : PushError(unexplained: response)
    }

    private func error(
        _ code: VendorCode, _ reply: OPPOReply, _ response: WireResponse, _ call: VendorCall
    ) -> PushError {
        var row = OPPOErrors.rows.row(code)
        if row?.usedUpBy != nil { row?.usedUpBy = day }
        let detail = VendorDetail(
            code: code, message: reply.message, httpStatus: response.status, body: response.body)
        var error = PushError(row, detail, of: "OPPO", in: response)
        if error.kind == .noTarget { error.vendor?.verdict = Self.verdict(code, call) }
        return error
    }

    /// The code that means that nothing is left to do.
    static func inPlace(_ operation: Feature) -> VendorCode {
        operation == .deleteAlias ? OPPOErrors.absent : OPPOReply.success
    }

    private static func verdict(_ code: VendorCode, _ call: VendorCall) -> TargetVerdict? {
        let targets = targets(of: call)
        guard let target = targets.first, targets.count == 1 else { return nil }
        return OPPOReply.status(of: code, target).isInvalid ? .dead() : .suspect
    }

    private static func targets(of call: VendorCall) -> [Target] {
        call.inputs.flatMap { input -> [Target] in
            switch input {
            case .audience(let audience): audience.targets ?? []
            case .devices(let devices): devices.map(Target.device)
            default: []
            }
        }
    }
}
