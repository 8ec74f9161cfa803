import PushAdapter
import PushBridge
import PushSimulation

/// Tags, names, attributes, and sends to them.
extension Story {
    func tags() async throws -> StoryStep {
        let added = await attempt(.addTags) { () async throws(PushError) in
            _ = try await client.updateTags(.add(["vip", "beta"]), of: stage.alice)
            _ = try await client.updateTags(.add(["vip"]), of: stage.bob)
            _ = try await client.updateTags(.add(["vip", "trial"]), of: stage.carol)
            return "set"
        }
        let read = await attempt(.readTags) { () async throws(PushError) in
            list(try await client.readTags(of: stage.alice))
        }
        let real = try await tags(of: stage.alice)
        return StoryStep(
            title: "Tags are set",
            isRight: real == (hasTags ? ["vip", "beta"] : []) && added.isRight("set") && read.isRight("beta, vip"),
            facts: [
                ("tags.add", added.fact), ("Alice's tags at the vendor", .string(list(real))), ("tags.read", read.fact),
            ])
    }

    func replacement() async throws -> StoryStep {
        let (before, old) = (host.journal.count, try await tags(of: stage.alice))
        let replaced = await attempt(.replaceTags) { () async throws(PushError) in
            let outcome = try await client.replaceTags(with: ["vip", "gold"], of: stage.alice)
            guard outcome.isComplete else { return "in part" }
            return outcome.isAtomic ? "atomic" : "not atomic"
        }
        let real = try await tags(of: stage.alice)
        return StoryStep(
            title: "Alice's tags are replaced, where the vendor can",
            isRight: real == (has(.replaceTags) ? ["vip", "gold"] : old) && replaced.isRight(replaced.text ?? ""),
            facts: [
                ("Alice's tags at the vendor", .string(list(real))), ("tags.replace", support(.replaceTags)),
                ("requests", JSONValue(integerLiteral: host.journal.count - before)), ("the change", replaced.fact),
            ])
    }

    /// Names Alice by an alias if the vendor has aliases, else by an account, else by the device id in the backend's
    /// records.
    func name() async throws -> StoryStep {
        var facts: [(String, JSONValue)] = []
        let account = Account(name: "user_alice", type: 1)
        let alias = await attempt(.setAlias) { () async throws(PushError) in
            try await client.setAlias("user_alice", of: stage.alice)
            return "set"
        }
        let binding = await attempt(.addAccounts) { () async throws(PushError) in
            _ = try await client.updateAccounts(.add([account]), of: stage.alice)
            return "bound"
        }
        facts += [("alias.set", alias.fact), ("accounts.add", binding.fact)]
        if let writeDelay = client.capabilities.writeDelay[.addAccounts] {
            facts.append(("the vendor binds after it answers: waited", .string("\(writeDelay.components.seconds) s")))
            try await Task.sleep(for: writeDelay)
        }
        var audience = Audience.devices([stage.alice])
        if alias.text != nil {
            audience = .aliases(["user_alice"])
        } else if binding.text != nil {
            audience = .accounts([account])
        }
        facts.append(("the vendor knows her by", name(of: audience)))
        let before = try await inboxes()
        _ = try await client.send(message("Only for Alice"), to: audience)
        let reached = try await readers(since: before)
        facts.append(("reached", .string(reached.joined(separator: ", "))))
        return StoryStep(
            title: "Alice is reached by her name",
            isRight: reached == ["Alice"] && alias.isRight("set") && binding.isRight("bound"), facts: facts)
    }

    func attribute() async throws -> StoryStep {
        let written = await attempt(.addAttributes) { () async throws(PushError) in
            let outcome = try await client.updateAttributes(.add(["nickname": "Ann"]), of: stage.alice)
            return outcome.isComplete ? "set" : "rejected"
        }
        let kept = try await snapshot(of: stage.alice).attributes["nickname"]
        return StoryStep(
            title: "Alice's nickname is kept where there are attributes",
            isRight: written.isRight("set") && kept == (written.text == nil ? nil : "Ann"),
            facts: [("attributes.add", written.fact)])
    }

    func expression() async throws -> StoryStep {
        var message = message("New for you")
        if case .native = client.capabilities[.contentBadgeArithmetic] {
            message.notification?.ios = IOSNotification(badge: .change(by: 1))
        }
        // If the vendor has no tags or cannot leave one out, the backend itself knows who has which tag.
        let leavesOutTags = hasTags && has(.audienceTagsNoneOf)
        let audience: Audience =
            leavesOutTags ? .tagged(anyOf: ["vip"], noneOf: ["trial"]) : .devices([stage.alice, stage.bob])
        let before = try await inboxes()
        let report = try await client.send(message, to: audience)
        let reached = try await readers(since: before)
        let rows = try await deliveries(of: report)
        return StoryStep(
            title: "A send to the tags vip and not trial reaches exactly the right devices",
            isRight: reached == ["Alice", "Bob"] && (rows.first?.received ?? 1) >= 1,
            facts: [
                ("the audience is", leavesOutTags ? "an expression over tags" : "a list by the backend's own records"),
                ("reached", .string(reached.joined(separator: ", "))),
                ("message", .string(report.messageIDs.map(\.rawValue).joined(separator: ", "))),
                ("received over the vendor's own connection", number(rows.first?.channels[.vendor]?.received)),
                ("handed to Apple", number(rows.first?.channels[.apns]?.sent)),
            ])
    }

    func crowd() async throws -> StoryStep {
        let crowd = stage.crowd
        let isCustom = has(.contentCustom)
        let sync = isCustom ? Message(custom: CustomMessage(content: "sync")) : message("sync")
        let report = try await client.send(sync, to: .devices(crowd + [crowd[0], "not a device"]))
        let rows = try await deliveries(of: report)
        var received = 0
        for device in crowd {
            let inbox = try await snapshot(of: device).inbox
            received += inbox.count { (isCustom ? $0.custom?.content : $0.alert) == "sync" }
        }
        let counted = rows.reduce(0) { $0 + $1.received }
        let repeated = report.exceptions.count(where: \.status.isDuplicate)
        let malformed = report.exceptions.count(where: \.status.isMalformed)
        return StoryStep(
            title: "2,300 devices are reached in slices",
            isRight: report.acceptedCount == 2300 && received == 2300 && (rows.isEmpty || counted == 2300)
                && report.slices.count == (isOneByOne ? 5 : 3) && repeated == 1 && malformed == 1,
            facts: [
                ("the message is", isCustom ? "a custom message" : "a notification"),
                ("accepted in each slice", .array(report.slices.map { JSONValue($0.acceptedCount) })),
                ("requests", JSONValue(integerLiteral: report.slices.reduce(0) { $0 + $1.requestCount })),
                ("received, by the report", rows.isEmpty ? "no report" : JSONValue(integerLiteral: counted)),
                ("repeated, sent once", JSONValue(integerLiteral: repeated)),
                ("malformed, not sent", JSONValue(integerLiteral: malformed)),
            ])
    }
}
