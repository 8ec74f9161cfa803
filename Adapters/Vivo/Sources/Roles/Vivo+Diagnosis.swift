public import PushAdapter

extension Vivo {
    /// Reads the vendor's answer. The code decides, not the status, which is 200 for most errors.
    ///
    /// A device is dead only if the vendor does not know it (10302, without a status or with 1). A device whose app may
    /// be removed, or that was away for long, is `suspect`; so is an alias. One with notifications off is alive.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        guard let reply = VivoReply(response) else {
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        if reply.code == VivoReply.success {
            // A status may contradict the body.
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        if call.operation == .probeCredentials, response.isSuccess, reply.hasFoundCredentials { return nil }
        var error = PushError(row(of: reply), reply.detail(of: response), of: "vivo", in: response)
        if reply.code == VivoErrors.night { error.retry = Self.wait(untilMorning: error.retry) }
        error.vendor?.usedUp = quota(of: reply.code, call)
        // A new token cannot help a request for one.
        if call.operation == .mintToken, error.retry == .afterRenewal { error.retry = .never }
        if call.targets.count == 1 { error.vendor?.verdict = reply.verdict(forAlias: call.isForAlias) }
        return error
    }

    /// The row of a code, by the days of the settings.
    private func row(of reply: VivoReply) -> VendorErrorRow? {
        var row = VivoErrors.rows.row(reply.code)
        if row?.usedUpBy != nil { row?.usedUpBy = reply.code == VivoErrors.night ? .morning(of: day) : day }
        return row
    }

    /// The quota of the class if the code is about that; a message to everyone has one of its own before it.
    private func quota(of code: VendorCode, _ call: VendorCall) -> QuotaBucket? {
        guard [VivoErrors.operational, VivoErrors.night, VivoErrors.system].contains(code), let message = call.message
        else { return nil }
        let options = try? VivoOptions.checked(in: message)
        return .vivoDay(isService: code == VivoErrors.system, isTest: isTest(options ?? VivoOptions()))
    }

    /// The night has eight hours. If more are left until the morning, the clocks differ, and ten minutes must do: a day
    /// would be lost otherwise.
    private static func wait(untilMorning retry: PushError.Retry) -> PushError.Retry {
        guard case .after(let time) = retry, time > .seconds(8 * 3600) else { return retry }
        return .after(.seconds(600))
    }
}

extension VivoReply {
    /// The app may set an alias on another device later.
    fileprivate func verdict(forAlias isForAlias: Bool) -> TargetVerdict? {
        guard isForAlias, case .dead? = verdict else { return verdict }
        return .suspect
    }
}

extension VendorCall {
    fileprivate var isForAlias: Bool {
        inputs.contains { if case .audience(.aliases) = $0 { true } else { false } }
    }
}
