public import PushAdapter

/// Dry runs: each makes the plan that the call itself would run, and drops it.
extension PushClient {
    /// The requests of a call about one device. Sends nothing.
    ///
    /// If later requests depend on a response, shows the first ones and describes the others in `rule`.
    public func explain(_ operation: DeviceOperation, of device: DeviceID) -> Explanation {
        explanation { (explanation) throws(PushError) in
            let plan = try plan(operation, of: device)
            explanation.rule = plan.rule
            try explanation.add(plan.requests, by: provider)
        }
    }

    /// The requests of a call about the app. Sends nothing.
    public func explain(_ operation: AppOperation) -> Explanation {
        explanation { (explanation) throws(PushError) in
            try explanation.add(try requests(of: operation), by: provider)
        }
    }

    /// The one request of an exchange. Sends nothing.
    public func explain<Output>(_ exchange: Exchange<Output>) -> Explanation {
        explanation { (explanation) throws(PushError) in
            let exchange = try request(exchange.operation, exchange)
            try explanation.add([PlannedRequest(exchange)], by: provider)
        }
    }

    /// The requests, refusals and quota cost of a send, and each target that is left out. Sends nothing.
    ///
    /// Requests that differ only in their targets are one step with a count; the step shows the first. The request for
    /// idempotency keys is listed once; a send skips it while the client has keys.
    public func explain(_ message: Message, to audience: Audience) -> Explanation {
        explanation { (explanation) throws(PushError) in
            try check(message, and: audience)
            var requests: [PlannedRequest] = []
            func add(_ slice: SendPlan.Slice?) throws(PushError) {
                guard let slice else { return }
                explanation.leftOut += slice.exceptions.map(leaveOut)
                guard let part = Audience(slice.targets) else { return }
                // A step shows the first request with this number of targets.
                if let index = requests.firstIndex(where: { $0.targetCount == slice.targets.count }) {
                    requests[index].count += 1
                } else {
                    requests.append(try planned(message, to: part, targetCount: slice.targets.count))
                }
            }
            if let targets = audience.targets {
                var plan = SendPlan(
                    size: requestSize(audience.features), count: targets.count,
                    separatesTypes: capabilities.separatesAccountTypes,
                    rules: targetRules)
                for target in targets { try add(plan.add(target)) }
                for slice in plan.finish() { try add(slice) }
                guard !requests.isEmpty else {
                    throw PushError(.invalidArgument, "no valid target is left in the list", operation: .send)
                }
            } else {
                requests = [try planned(message, to: audience, targetCount: 0)]
            }
            if capabilities.callerKeys[.push] == nil, roles.mintKeys != nil {
                let mint = try request(.mintKeys, try roles.mintKeys?(keysPerMint, .send))
                requests.insert(PlannedRequest(mint, note: "idempotency keys for this and later sends"), at: 0)
            }
            try explanation.add(requests, by: provider)
            explanation.remarks = remarks(on: message)
        }
    }

    private func planned(
        _ message: Message, to audience: Audience, targetCount: Int
    ) throws(PushError) -> PlannedRequest {
        PlannedRequest(
            try sendRequest(message, to: audience, key: nil), targetCount: targetCount, note: keyNote(.push))
    }

    /// Why the vendor accepts no message for a target; nil if it may accept one.
    package func refusal(of target: Target) -> PushError? { targetRules.refusal(of: target) }

    /// The one form for all spellings of a target.
    package func canonical(_ target: Target) -> Target { targetRules.canonical(target) }

    private func leaveOut(_ report: TargetReport) -> Explanation.LeftOut {
        let reason =
            switch report.status {
            case .duplicate(let first): "it repeats position \(first)"
            case .malformed(let reason): reason
            default: "it is not sent"
            }
        return Explanation.LeftOut(report: report, reason: reason)
    }

    private func explanation(_ plan: (inout Explanation) throws(PushError) -> Void) -> Explanation {
        var explanation = Explanation()
        do throws(PushError) { try plan(&explanation) } catch { explanation.refusals.append(error) }
        return explanation
    }
}

extension Explanation {
    fileprivate mutating func add(_ requests: [PlannedRequest], by provider: any PushProvider) throws(PushError) {
        for request in requests {
            // The address of a target is a secret.
            let url =
                if let address = request.request.address { address.description } else {
                    try provider.dataCenter.url(of: request.request)
                }
            steps.append(
                Step(
                    operation: request.operation, request: request.request, url: url,
                    charges: request.charges, targetCount: request.targetCount, count: request.count,
                    note: request.note, secrets: provider.sentSecrets))
        }
    }
}
