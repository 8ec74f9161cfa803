import FoundationEssentials
public import PushAdapter
import PushClient
import PushCrypto

extension PushOutbox {
    /// Stores a campaign. Once this returns, workers carry the campaign out, even if processes are killed or restarted.
    ///
    /// After a crash, call `enqueue` again. If the name exists with the same message, options and routes, it is the
    /// same campaign: `enqueue` changes nothing and does not read the targets. Costs one transaction for each 50
    /// slices, and no request. Cuts lists and drops repeated targets as `send` does. Malformed targets are `malformed`
    /// in the report.
    ///
    /// Refuses with `invalidArgument` a name that another campaign has, an unknown route, a list without targets, and a
    /// stream that fails. Refuses a message or audience that the vendor cannot take, before anything is sent. Refuses
    /// with `invalidState` a name that another call is loading, and with `busy` while more than `maxWaitingTargets`
    /// wait. After a refusal the store holds nothing of the campaign.
    public func enqueue(
        _ message: Message, to parts: [CampaignPart], as name: CampaignName,
        options: CampaignOptions = CampaignOptions()
    ) async throws(PushError) {
        try name.check()
        try check(parts, options)
        let campaign = try newCampaign(message, parts, name, options)
        let (kept, isNew) = try await create(campaign)
        guard isNew else { return try campaign.check(isLike: kept) }
        do throws(PushError) {
            try await checkRoom()
            let slices = try await load(message, parts, into: kept) { [id = kept.id] rows async throws(PushError) in
                guard try await self.stored({ store in try await store.add(rows, to: id) }) else {
                    throw Self.gone(name)
                }
                self.room.add(rows)
            }
            guard try await activate(kept) else { throw Self.gone(name) }
            settings.onEvent(.enqueued(name, slices: slices))
        } catch {
            // Not a child task: a cancelled call removes its campaign too. If that fails, the campaign stays in
            // `loading` until this process has ended; then another `enqueue` may replace it.
            await Task { [store] in try? await store.abandon(kept.id) }.value
            throw error
        }
    }

    /// Stores a new campaign. If the store fails after it has done so, the seed shows that the stored campaign is this
    /// one.
    private func create(_ campaign: Campaign) async throws(PushError) -> (campaign: Campaign, isNew: Bool) {
        do throws(PushError) {
            return try await stored { try await $0.create(campaign) }
        } catch {
            guard let kept = (try? await store.campaigns(.named(campaign.name)))?.first, kept.seed == campaign.seed
            else { throw error }
            return (kept, true)
        }
    }

    /// Makes a campaign active; false if it is gone. A store may fail after it has done so.
    private func activate(_ campaign: Campaign) async throws(PushError) -> Bool {
        do throws(PushError) {
            return try await stored { try await $0.activate(campaign.id) }
        } catch {
            guard let found = try? await store.campaigns(.numbered([campaign.id])) else {
                var error = error
                error.effect = .unknown
                throw error
            }
            guard let state = found.first?.state, state != .loading else { throw error }
            return true
        }
    }

    /// Checks and cuts a campaign as `enqueue` does, but stores nothing: you store it in your own transaction.
    ///
    /// Holds all targets in memory, so use it for the messages of an order, not for a million targets. Refuses the same
    /// as `enqueue`, but only your transaction finds out whether the name is taken. The expiry counts from this call.
    public func prepare(
        _ message: Message, to parts: [CampaignPart], as name: CampaignName,
        options: CampaignOptions = CampaignOptions()
    ) async throws(PushError) -> PreparedCampaign {
        try await checkRoom()
        let prepared = try await cut(message, to: parts, as: name, options: options)
        room.add(prepared.slices)
        return prepared
    }

    /// Prepares a campaign without checking `maxWaitingTargets`.
    func cut(
        _ message: Message, to parts: [CampaignPart], as name: CampaignName, options: CampaignOptions
    ) async throws(PushError) -> PreparedCampaign {
        try name.check()
        try check(parts, options)
        var campaign = try newCampaign(message, parts, name, options)
        campaign.state = .active
        let rows = Locked<PartLoader.Rows>([])
        _ = try await load(message, parts, into: campaign) { more async throws(PushError) in
            rows.withLock { $0 += more }
        }
        return PreparedCampaign(campaign: campaign, slices: rows.withLock { $0 })
    }

    private func check(_ parts: [CampaignPart], _ options: CampaignOptions) throws(PushError) {
        guard !parts.isEmpty else { throw PushError(.invalidArgument, "the campaign has no parts; give at least one") }
        for part in parts {
            if let route = part.routes.first(where: { routes[$0] == nil }) { throw unknownRoute(route) }
            guard !part.routes.isEmpty, Set(part.routes).count == part.routes.count else {
                throw PushError(.invalidArgument, "a part of the campaign needs routes, each of them once")
            }
            if case .routed(_, let patience) = part.content, patience < .zero {
                throw PushError(.invalidArgument, "the patience of a part is \(patience); give zero or more")
            }
        }
        if let expiry = options.expiry, expiry <= .zero {
            throw PushError(.invalidArgument, "the expiry of the campaign is \(expiry); give more than zero")
        }
        for time in [options.keeps, options.keepsName] where time < .zero {
            throw PushError(.invalidArgument, "the campaign is kept for \(time); give zero or more")
        }
    }

    private func newCampaign(
        _ message: Message, _ parts: [CampaignPart], _ name: CampaignName, _ options: CampaignOptions
    ) throws(PushError) -> Campaign {
        do {
            let now = clock.date
            let message = try StoredJSON.write(message.kept(for: options.expiry))
            // Writes each part after its length, so that different campaigns never have the same bytes.
            var identity: [UInt8] = []
            func add(_ bytes: some Collection<UInt8>) { identity += Array("\(bytes.count):".utf8) + Array(bytes) }
            add(message)
            add(try StoredJSON.write(options))
            var rows: [Campaign.Part] = []
            for part in parts {
                for row in try part.rows(from: rows.count) {
                    add(row.route.rawValue.utf8)
                    add(part.features.map(\.rawValue).joined(separator: " ").utf8)
                    add(row.audience ?? [])
                    add("\(row.notBefore.timeIntervalSinceReferenceDate)".utf8)
                    rows.append(row)
                }
            }
            return Campaign(
                name: name, digest: Digests.hex(Digests.sha256(identity)), message: message, options: options,
                seed: settings.random.hex(bits: 128), createdAt: now, parts: rows)
        } catch {
            throw PushError(.invalidArgument, "the message cannot be stored as JSON", underlying: error)
        }
    }

    func checkRoom() async throws(PushError) {
        try await room.check(settings.maxWaitingTargets, clock) { () async throws(PushError) in
            try await self.stored { try await $0.openTargets() }
        }
    }

    static func gone(_ name: CampaignName) -> PushError {
        PushError(.invalidState, "the campaign \(Redaction.quoted(name.rawValue)) was removed while it was enqueued")
    }
}

extension Message {
    /// The message with its time to live cut to this time.
    func kept(for time: Duration?) -> Message {
        guard let time, let ownTime = timeToLive, ownTime > time else { return self }
        var message = self
        // In whole seconds, as vendors count.
        message.timeToLive = .seconds(time.components.seconds)
        return message
    }
}
