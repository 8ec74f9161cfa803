import FoundationEssentials
import PushClient
public import PushCore

extension PushOutbox {
    /// Keeps a campaign; when this returns, it is carried out, whatever is killed or restarted.
    ///
    /// A name that exists with the same message, options and routes is that campaign, and its targets are not read again: call
    /// `enqueue` again after a crash. Costs one transaction for each 50 slices, and no request. Cuts lists, and drops
    /// repeated targets, as `send` does; malformed ones are `invalid` in the report.
    ///
    /// Refuses with `invalidArgument` a name that another campaign has, an unknown route, a message or audience that the
    /// vendor cannot have (checked before anything is sent), a list without targets, and a stream that fails; with
    /// `invalidState` a name that is being loaded by another call; with `busy` while the store has more than
    /// `maxWaitingTargets` to send. After a refusal the store has nothing of the campaign.
    public func enqueue(
        _ message: Message, to legs: [CampaignLeg], as name: CampaignName, options: CampaignOptions = CampaignOptions()
    ) async throws(PushError) {
        try name.check()
        try check(legs, options)
        let campaign = try newCampaign(message, legs, name, options)
        let (kept, isNew) = try await create(campaign)
        guard isNew else { return try check(kept, isLike: campaign) }
        do throws(PushError) {
            let waiting = try await stored { try await $0.openTargets() }
            guard waiting <= settings.maxWaitingTargets else {
                throw PushError(
                    .busy, "\(waiting) targets wait in the outbox, more than maxWaitingTargets; enqueue later",
                    retry: .backoff)
            }
            let slices = try await load(message, legs, into: kept)
            guard slices > 0 else { throw PushError(.invalidArgument, "the campaign has no targets") }
            guard try await activate(kept) else { throw Self.gone(name) }
            settings.onEvent(.enqueued(name, slices: slices))
        } catch {
            // Not inherited: a cancelled call removes its campaign too. If that fails, the campaign stays in `loading`, and is
            // replaced when this process has ended.
            await Task { [store] in try? await store.abandon(kept.id) }.value
            throw error
        }
    }

    /// Keeps a new campaign. One with our seed is ours, although the store failed after it had kept it.
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

    private func check(_ legs: [CampaignLeg], _ options: CampaignOptions) throws(PushError) {
        guard !legs.isEmpty else { throw PushError(.invalidArgument, "the campaign has no parts; give at least one") }
        for leg in legs where routes[leg.route] == nil {
            let known = routes.keys.sorted().map(\.rawValue).joined(separator: ", ")
            throw PushError(
                .invalidArgument,
                "the outbox has no route \(Redaction.quoted(leg.route.rawValue)); it has \(known)")
        }
        if let expiry = options.expiry, expiry <= .zero {
            throw PushError(.invalidArgument, "the expiry of the campaign is \(expiry); give more than zero")
        }
        for time in [options.keeps, options.keepsName] where time < .zero {
            throw PushError(.invalidArgument, "the campaign is kept for \(time); give zero or more")
        }
    }

    private func newCampaign(
        _ message: Message, _ legs: [CampaignLeg], _ name: CampaignName, _ options: CampaignOptions
    ) throws(PushError) -> Campaign {
        do {
            let now = clock.date
            let rows = try legs.enumerated().map { number, leg in
                Campaign.Leg(
                    number: number, route: leg.route, audience: try leg.audience.map(StoredJSON.write),
                    notBefore: leg.notBefore ?? .distantPast)
            }
            let message = try StoredJSON.write(message)
            var digest = StableDigest()
            digest.add(message)
            digest.add(try StoredJSON.write(options))
            for (row, leg) in zip(rows, legs) {
                digest.add(row.route.rawValue + "\u{0}" + leg.features.map(\.rawValue).joined(separator: " "))
                digest.add(row.audience ?? [])
            }
            let seed = (0..<2).map { _ in UInt64.random(in: .min ... .max) }
                .map { String($0 | 1 << 63, radix: 16) }.joined()
            return Campaign(
                name: name, digest: digest.hex, message: message, options: options, seed: seed, createdAt: now,
                legs: rows)
        } catch {
            throw PushError(.invalidArgument, "the message cannot be stored as JSON", underlying: error)
        }
    }

    private func check(_ kept: Campaign, isLike campaign: Campaign) throws(PushError) {
        let name = Redaction.quoted(campaign.name.rawValue)
        guard kept.state != .loading else {
            throw PushError(
                .invalidState, "the campaign \(name) is being enqueued by another call; wait for it", retry: .backoff)
        }
        guard kept.digest == campaign.digest else {
            throw PushError(
                .invalidArgument,
                "the name \(name) belongs to a campaign with another message, options or routes; take another name")
        }
    }

    static func gone(_ name: CampaignName) -> PushError {
        PushError(.invalidState, "the campaign \(Redaction.quoted(name.rawValue)) was removed while it was enqueued")
    }

    // MARK: Targets

    /// Writes the slices of all parts; returns how many.
    private func load(
        _ message: Message, _ legs: [CampaignLeg], into campaign: Campaign
    ) async throws(PushError) -> Int {
        var count = 0
        for (number, leg) in legs.enumerated() {
            guard let client = routes[leg.route] else { continue }
            let loader = LegLoader(self, message, client, campaign, leg: campaign.legs[number])
            do {
                if let audience = leg.audience {
                    try await loader.add(audience)
                } else if case .audience(let list) = leg.content {
                    try await loader.add(list.targets ?? [], list.features)
                } else if case .devices(let read) = leg.content {
                    try await read { try await loader.add([$0], [.audienceDevices]) }
                    // Some streams just end when their reader is cancelled.
                    try Task.checkCancellation()
                }
                try await loader.finish()
            } catch let error as PushError {
                throw error
            } catch is CancellationError {
                throw PushError(.cancelled, "cancelled while the campaign was enqueued; nothing is sent")
            } catch {
                throw PushError(
                    .invalidArgument, "the stream of targets failed; nothing is sent, enqueue the campaign again",
                    underlying: error)
            }
            count += await loader.count
        }
        return count
    }
}

/// What a store keeps as JSON, with sorted keys, so that the same value has the same bytes.
enum StoredJSON {
    static func write(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(value))
    }
}
