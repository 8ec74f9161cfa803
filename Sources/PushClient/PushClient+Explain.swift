public import PushCore

extension PushClient {
    /// Lists the requests, slices, refusals and quota cost of a send. Sends nothing.
    ///
    /// The step that asks for idempotency keys is listed once; it is left out at run time while the client has keys.
    public func explain(_ message: Message, to audience: Audience) -> Explanation {
        var explanation = Explanation()
        do throws(PushError) {
            try check(message, to: audience)
            let sending = try role(\.sending, for: .send)
            var slices: [SendPlan.Slice] = []
            if let targets = audience.targets {
                var plan = SendPlan(
                    size: sliceSize(audience.features), count: targets.count, separatesTypes: separatesTypes,
                    takes: validation.takes)
                for target in targets { if let slice = plan.add(target) { slices.append(slice) } }
                slices += plan.finish()
            } else {
                slices = [SendPlan.Slice(index: 0)]
            }
            guard audience.targets == nil || slices.contains(where: { !$0.targets.isEmpty }) else {
                explanation.leftOut = slices.flatMap(\.exceptions).map(leaveOut)
                throw PushError(.invalidArgument, "no valid target is left in the list", operation: .send)
            }
            if capabilities.callerKeys[.push] == nil, let minting = roles.keyMinting {
                let mint = try minting.mintKeys(keysPerMint, for: .send)
                try explanation.add(mint, on: provider.dataCenter, note: "idempotency keys for this and later sends")
            }
            for slice in slices {
                explanation.leftOut += slice.exceptions.map(leaveOut)
                let part = Audience(slice.targets) ?? audience
                guard !slice.targets.isEmpty || audience.targets == nil else { continue }
                try explanation.add(
                    try sending.send(message, to: part, key: nil), on: provider.dataCenter,
                    targets: slice.targets.count,
                    note: capabilities.takesKeys(for: .push) ? "the idempotency key is added when it is sent" : nil)
            }
        } catch {
            explanation.refusals.append(error)
        }
        return explanation
    }

    private func leaveOut(_ report: TargetReport) -> Explanation.LeftOut {
        if case .duplicate(let first) = report.status {
            return Explanation.LeftOut(report: report, reason: "it is at position \(first) already")
        }
        do throws(PushError) {
            try check(report.target)
        } catch {
            return Explanation.LeftOut(report: report, reason: error.message)
        }
        return Explanation.LeftOut(report: report, reason: "the vendor does not take it")
    }

    /// Lists the requests of a change of tags. Sends nothing, so a replacement that has to read first shows the read.
    public func explain(_ change: TagUpdate, of device: DeviceID) -> Explanation {
        var explanation = Explanation()
        do throws(PushError) {
            try checkTags(change, of: device)
            let tagging = try role(\.tagging, for: change.feature)
            let way = wayToReplace(change, of: device)
            if way == .compared {
                try explanation.add(
                    try tagging.readTags(of: device), on: provider.dataCenter,
                    note: "then adds and removes what differs: \(Emulations.replaceTags.caveat)")
            } else {
                let steps = TagPlan.steps(change, by: way, limits: capabilities.limits)
                if way == .cleared { try checkWait(after: steps.map(\.feature)) }
                for step in steps {
                    try explanation.add(try tagging.updateTags(step, of: device), on: provider.dataCenter)
                }
            }
        } catch {
            explanation.refusals.append(error)
        }
        return explanation
    }

    /// Lists the one request of an exchange. Sends nothing.
    public func explain<Output>(_ exchange: Exchange<Output>) -> Explanation {
        var explanation = Explanation()
        do throws(PushError) {
            try require(exchange.operation)
            try explanation.add(exchange, on: provider.dataCenter)
        } catch {
            explanation.refusals.append(error)
        }
        return explanation
    }
}

extension Explanation {
    fileprivate mutating func add<Output>(
        _ exchange: Exchange<Output>, on dataCenter: DataCenter, targets: Int = 0, note: String? = nil
    ) throws(PushError) {
        steps.append(
            Step(
                operation: exchange.operation, request: exchange.request,
                url: try dataCenter.address(of: exchange.request.service) + exchange.request.target(),
                charges: exchange.charges, targetCount: targets, note: note))
    }
}
