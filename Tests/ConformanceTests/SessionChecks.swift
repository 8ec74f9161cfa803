import Dispatch
import PushAdapter
import PushClient
import PushConformance
import PushDevice
import PushSimulation

extension ConformanceCheck {
    /// The kit's checks, and those of device sessions.
    static let allWithSessions = all + session

    /// How calls of device SDKs act over the adapter. They test the session, so they are no part of the kit.
    static let session: [ConformanceCheck] = [
        ConformanceCheck(
            .behavior, "session.tags", "A session's tag calls have their effect at the vendor.",
            needs: [.addTags, .removeTags]
        ) { world in
            let tags = world.tags(3).map(\.rawValue)
            let session = world.session
            try await world.make(.addTags(Array(tags.prefix(2))), session)
            try await world.make(.addTags(Array(tags.suffix(2))), session)
            try await world.make(.deleteTags([tags[0]]), session)
            try expectEqual(
                try await world.tags(world.device), Set(tags.suffix(2).map { Tag($0) }), "the tags",
                hint: "the session makes the client's calls")
        },
        ConformanceCheck(
            .behavior, "session.alias", "A session's alias calls have their effect at the vendor.",
            needs: [.setAlias, .removeAlias]
        ) { world in
            for alias in [world.alias, world.otherAlias] {
                try await world.make(.setAlias(alias.rawValue), world.session)
            }
            try expectEqual(
                try await world.snapshot(world.device).alias, world.otherAlias.rawValue, "the alias",
                hint: "the last one")
            try await world.make(.deleteAlias, world.session)
            try expectEqual(try await world.snapshot(world.device).alias, nil, "the alias", hint: "no alias at all")
        },
        ConformanceCheck(
            .behavior, "session.overlay", "An overlay sets tags and alias, or neither if one is refused.",
            needs: [.replaceTags, .setAlias]
        ) { world in
            let tag = world.tags(1)[0].rawValue
            let before = world.tap.count
            let error = try await expectError("an overlay with a blank in its alias", hint: "no vendor accepts it") {
                () async throws(PushError) in
                try await world.make(.overlay(tags: [tag], alias: "not valid"), world.session)
            }
            try expectEqual(error.effect, .notApplied, "the effect", hint: "\(error)")
            try expectEqual(world.tap.count, before, "the requests", hint: "check both halves before the first request")
            try await world.make(.overlay(tags: [tag], alias: world.alias.rawValue), world.session)
            let snapshot = try await world.snapshot(world.device)
            try expectEqual(snapshot.tags, [tag], "the tags", hint: "the new value replaces the old one")
            try expectEqual(snapshot.alias, world.alias.rawValue, "the alias", hint: "the second half")
        },
        ConformanceCheck(
            .behavior, "session.order", "Calls that are made in a row reach the vendor in that order.",
            needs: [.addTags, .removeTags]
        ) { world in
            let tag = world.tags(1)[0].rawValue
            let calls = (0..<9).map { $0 % 2 == 0 ? SessionCall.deleteTags([tag]) : .addTags([tag]) }
            for answer in await world.answers(to: calls + [.addTags([tag]), .deleteTags([tag])]) {
                if case .failure(let fault) = answer { throw fault.error }
            }
            try expectEqual(try await world.tags(world.device), [], "the tags", hint: "the last call removes it")
        },
        ConformanceCheck(
            .behavior, "session.slots",
            "Only one tag request is in flight at a time, and a failed one makes room for the next.",
            needs: [.addTags]
        ) { world in
            let adding = try world.required(.addTags)
            world.host.faults.add(.html(status: 200), times: 9, path: try world.path(of: adding))
            let call = SessionCall.addTags([world.tags(1)[0].rawValue])
            // The first call is in flight until the others are answered.
            world.tap.hold()
            // Only a session that does not answer them reaches the limit.
            let limit = Task {
                try? await Task.sleep(for: .seconds(1_200))
                world.tap.letGo()
            }
            defer { limit.cancel() }
            let answers = await world.answers(to: [call, call, call], rules: .oneAtATime) { count in
                if count == 2 { world.tap.letGo() }
            }
            let faults = answers.map { answer in
                if case .failure(let fault) = answer { fault.reason } else { nil as SessionFault.Reason? }
            }
            try expectEqual(
                faults.map { $0?.rawValue ?? "done" }.sorted(), ["busy", "busy", "failed"], "the answers",
                hint: "the first fails, because a page is not a valid response; the others find the slot taken")
            world.host.faults.removeAll()
            try await world.make(call, world.session)
        },
        ConformanceCheck(
            .behavior, "session.support",
            "A session reports how the vendor supports each call, and the call behaves that way.",
            when: { _ in true }, supported: supports, refused: supports),
    ]

    private static let supports: Steps = { world in
        for call in world.sessionCalls {
            let before = world.tap.count
            let support = world.session.support(of: call)
            var error: PushError?
            do throws(PushError) { try await world.make(call, world.session) } catch let failure { error = failure }
            switch support {
            case .native, .emulated(_, needsConsent: false):
                try expect(
                    error == nil, "\(call) to succeed", actual: error?.description ?? "",
                    hint: "the capabilities say so")
            case .emulated(_, needsConsent: true), .refused, .needsHost:
                try expect(
                    error?.kind == .unsupported, "\(call) to be refused as unsupported",
                    actual: error?.description ?? "success", hint: "the capabilities say so")
                try expectEqual(world.tap.count, before, "the requests of \(call)", hint: "refuse it before sending")
            }
        }
    }
}

extension SessionRules {
    /// Every call is allowed: the session itself refuses nothing.
    fileprivate static let anything: SessionRules = {
        SessionRules(
            name: "conformance",
            calls: SessionRules.jpush.calls.union(SessionRules.tpns.calls).union(
                SessionRules.mtpush(SDKVersion(5, 0, 0)).calls))
    }()

    /// The same with the slots of JPush's SDK.
    fileprivate static let oneAtATime: SessionRules = {
        var rules = anything
        rules.slots = SessionRules.jpush.slots
        return rules
    }()
}

extension World {
    /// A session of the first device.
    var session: DeviceSession { DeviceSession(client, device: device, rules: .anything) }

    /// One call of every kind that leaves the process, with values that the vendor accepts.
    var sessionCalls: [SessionCall] {
        let tags = tags(1).map(\.rawValue)
        let attribute = attributes(1)
        let account = accounts[0]
        return [
            .addTags(tags), .setTags(tags), .deleteTags(tags), .cleanTags, .getAllTags, .queryTags(offset: 0, limit: 9),
            .validTag(tags[0]), .setAlias(alias.rawValue), .getAlias, .deleteAlias,
            .overlay(tags: tags, alias: alias.rawValue), .overlayTags([]), .overlayAlias(""),
            .setPhone("+86\(phone.rawValue)"), .setPhone(nil), .upsertAccounts([account.type ?? 1: account.name]),
            .deleteAccounts([account.type ?? 1]), .clearAccounts, .upsertAttributes(attribute),
            .deleteAttributes(Set(attribute.keys)), .replaceAttributes(attribute), .clearAttributes, .setBadge(1),
            .setLanguage("en"), .voipToken([1]),
        ]
    }

    /// Makes a call; throws if one of its halves failed.
    func make(_ call: SessionCall, _ session: DeviceSession) async throws(PushError) {
        do throws(SessionFault) {
            if case .halves(let halves) = try await session.run(call), let fault = halves.failure { throw fault }
        } catch {
            throw error.error
        }
    }

    /// The results of calls that are made at once, in the order of the calls.
    /// - Parameter onAnswer: called after each answer, with their number so far.
    func answers(
        to calls: [SessionCall], rules: SessionRules = .anything, onAnswer: (Int) -> Void = { _ in }
    ) async -> [Result<SessionAnswer, SessionFault>] {
        let session = DeviceSession(client, device: device, rules: rules)
        let queue = DispatchQueue(label: "pushbridge.conformance")
        let (stream, continuation) = AsyncStream.makeStream(of: (Int, Result<SessionAnswer, SessionFault>).self)
        for (number, call) in calls.enumerated() {
            session.submit(call, on: queue) { continuation.yield((number, $0)) }
        }
        var answers: [(Int, Result<SessionAnswer, SessionFault>)] = []
        for await answer in stream {
            answers.append(answer)
            onAnswer(answers.count)
            if answers.count == calls.count { break }
        }
        return answers.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
