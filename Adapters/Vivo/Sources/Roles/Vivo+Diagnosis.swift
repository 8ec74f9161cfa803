public import PushAdapter

extension Vivo {
    /// Reads the vendor's answer. The code decides, not the status, which is 200 for most errors.
    ///
    /// A device is dead only if the vendor does not know it: with the status 1, or with 10302 and no status. A device whose
    /// app may be removed, or that was away for long, is `suspect`; so is an alias. One with notifications off is alive.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        guard let reply = VivoReply(response) else {
            return response.isSuccess ? nil : PushError(unexplained: response)
        }
        let verdict = call.targets.count == 1 ? reply.verdict(in: call) : nil
        if reply.code == VivoReply.success {
            // A status may contradict the body.
            guard response.isSuccess else { return PushError(unexplained: response) }
            return verdict.map { Self.refusal($0, reply.detail(of: response)) }
        }
        if call.operation == .probeCredentials, response.isSuccess, reply.hasFoundCredentials { return nil }
        let row = row(of: reply)
        var error = PushError(row, reply.detail(of: response), of: "vivo", in: response)
        if row?.usedUpBy != nil { error.retry = Self.wait(error.retry, isNight: reply.code == VivoErrors.night) }
        error.vendor?.usedUp = quota(of: reply.code, call)
        error.vendor?.verdict = verdict
        // A new token cannot help a request for one.
        if call.operation == .mintToken, error.retry == .afterRenewal { error.retry = .never }
        return error
    }

    /// The row of a code, by the days of the settings.
    private func row(of reply: VivoReply) -> VendorErrorRow? {
        var row = VivoErrors.rows.row(reply.code)
        if row?.usedUpBy != nil { row?.usedUpBy = reply.code == VivoErrors.night ? .morning(of: day) : day }
        return row
    }

    /// The vendor took the request and names its only target among those that it refused.
    private static func refusal(_ verdict: TargetVerdict, _ detail: VendorDetail) -> PushError {
        var detail = detail
        detail.verdict = verdict
        return PushError(.noTarget, "vivo refuses the only target of the request", vendor: detail)
    }

    /// The quota that a code is about, whatever the call; nil for any other code.
    private func quota(of code: VendorCode, _ call: VendorCall) -> QuotaBucket? {
        if code == VivoErrors.everyone { return .vivoEveryone }
        guard [VivoErrors.operational, VivoErrors.night, VivoErrors.system].contains(code) else { return nil }
        let options = call.message.flatMap { try? VivoOptions.checked(in: $0) }
        return .vivoDay(isService: code == VivoErrors.system, isTest: isTest(options ?? VivoOptions()))
    }

    /// The vendor's clock may differ by a minute.
    ///
    /// A request before its midnight would lower the amount of the next day, so the wait is a minute longer. An answer
    /// in the first minute of a day may be about the day before, and the new day must not be lost for it.
    private static func wait(_ retry: PushError.Retry, isNight: Bool) -> PushError.Retry {
        guard case .after(let time) = retry else { return retry }
        guard !isNight else { return wait(untilMorning: time) }
        let margin = Duration.seconds(60)
        return .after(time > .seconds(86_400) - margin ? margin : time + margin)
    }

    /// The night has eight hours. If more are left until the morning, the clocks differ, and ten minutes must do: a day
    /// would be lost otherwise.
    private static func wait(untilMorning time: Duration) -> PushError.Retry {
        .after(time > .seconds(8 * 3600) ? .seconds(600) : time)
    }
}

extension VivoReply {
    /// The app may set an alias on another device later.
    fileprivate func verdict(in call: VendorCall) -> TargetVerdict? {
        guard call.isForAlias else { return verdict(on: call.targets.first) }
        let verdict = verdict(on: nil)
        return if case .dead? = verdict { .suspect } else { verdict }
    }
}

extension VendorCall {
    fileprivate var isForAlias: Bool {
        inputs.contains { if case .audience(.aliases) = $0 { true } else { false } }
    }
}
