import FoundationEssentials
import PushAdapter

/// A campaign as another program writes it in JSON: `name`, `message` and `to` as for `enqueue`, and the options. Times
/// are in seconds; `notBefore` counts from 1970 on the clock of the store's server.
struct SubmittedCampaign: Decodable {
    /// A part: an audience `at` a route.
    struct Part: Decodable {
        let at: RouteName
        let audience: Audience
        let notBefore: Double?

        private enum CodingKeys: String, CodingKey, CaseIterable { case at, audience, notBefore }

        init(from decoder: any Decoder) throws {
            let container = try decoder.object(of: CodingKeys.self)
            at = try container.decode(RouteName.self, forKey: .at)
            audience = try container.decode(Audience.self, forKey: .audience)
            notBefore = try container.decodeIfPresent(Double.self, forKey: .notBefore)
            guard notBefore.map({ abs($0) < 1e11 }) ?? true else {
                throw DecodingError.dataCorruptedError(forKey: .notBefore, in: container, debugDescription: "too far")
            }
        }
    }

    let message: Message
    let to: [Part]
    let options: CampaignOptions

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, message, to, priority, expiry, afterUnknown, keeps, keepsName
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        message = try container.decode(Message.self, forKey: .message)
        to = try container.decode([Part].self, forKey: .to)
        func time(_ key: CodingKeys) throws -> Duration? {
            guard let seconds = try container.decodeIfPresent(Double.self, forKey: key) else { return nil }
            guard abs(seconds) < 1e10 else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "too long")
            }
            return .seconds(seconds)
        }
        var options = CampaignOptions()
        if let name = try container.decodeIfPresent(String.self, forKey: .priority) {
            guard let priority = CampaignOptions.Priority.allCases.first(where: { "\($0)" == name }) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .priority, in: container, debugDescription: "not urgent, normal or bulk")
            }
            options.priority = priority
        }
        options.expiry = try time(.expiry)
        options.afterUnknown =
            try container.decodeIfPresent(CampaignOptions.AfterUnknown.self, forKey: .afterUnknown)
            ?? options.afterUnknown
        options.keeps = try time(.keeps) ?? options.keeps
        options.keepsName = try time(.keepsName) ?? options.keepsName
        self.options = options
    }

    /// - Parameter lead: how far the server's clock is ahead of this machine's.
    func parts(_ lead: Duration?) -> [CampaignPart] {
        to.map { part in
            let date = part.notBefore.map { Date(timeIntervalSince1970: $0 - (lead?.seconds ?? 0)) }
            return .audience(part.audience, at: part.at, notBefore: date)
        }
    }
}

extension PushOutbox {
    /// The most campaigns that one transaction plans.
    static let mostPlanned = 100

    /// Checks campaigns that other programs enqueued as JSON and cuts them into slices, urgent and old ones first.
    /// Several workers share this work. Returns the number of campaigns that it looked at.
    /// - Parameters:
    ///   - left: campaigns to skip.
    ///   - leave: called for each campaign that this worker cannot plan now. The campaign stays submitted, for another
    ///     worker or a later attempt.
    func planSubmitted(
        for worker: Int64, leaving left: [Int64], leave: (Campaign, PushError) -> Void
    ) async throws(PushError) -> Int {
        let submitted = try await stored { [routes = routes.keys.sorted()] in
            try await $0.submitted(for: worker, routes: routes, leaving: left, limit: Self.mostPlanned)
        }
        guard !submitted.isEmpty else { return 0 }
        // One check for all of them.
        do throws(PushError) { try await checkRoom() } catch {
            for campaign in submitted { leave(campaign, error) }
            return 0
        }
        var planned: [PreparedCampaign] = []
        for campaign in submitted {
            do throws(PushError) {
                planned.append(try await plan(campaign))
            } catch {
                leave(campaign, error)
            }
        }
        for one in try await keep(planned, leave: leave) {
            room.add(one.slices)
            if let reason = one.campaign.reason {
                settings.onEvent(.refused(one.campaign.name, reason: reason))
            } else {
                settings.onEvent(.enqueued(one.campaign.name, slices: one.slices.count))
            }
        }
        return submitted.count
    }

    /// Stores planned campaigns in one transaction. If the store fails, stores each in its own transaction, so that one
    /// bad campaign does not block the others. Returns the campaigns that were still submitted.
    private func keep(
        _ planned: [PreparedCampaign], leave: (Campaign, PushError) -> Void
    ) async throws(PushError) -> [PreparedCampaign] {
        do throws(PushError) {
            let made = try await stored { try await $0.plan(planned) }
            return zip(planned, made).filter(\.1).map(\.0)
        } catch {
            guard planned.count > 1 else {
                for one in planned { leave(one.campaign, error) }
                throw error
            }
        }
        var kept: [PreparedCampaign] = []
        for one in planned {
            do throws(PushError) {
                if try await stored({ try await $0.plan([one]) }) == [true] { kept.append(one) }
            } catch {
                leave(one.campaign, error)
            }
        }
        return kept
    }

    /// Plans a submitted campaign or refuses it. Throws if another worker or a later attempt may succeed.
    private func plan(_ submitted: Campaign) async throws(PushError) -> PreparedCampaign {
        var campaign = submitted
        do throws(PushError) {
            let request: SubmittedCampaign
            do {
                request = try JSONDecoder().decode(SubmittedCampaign.self, from: Data(submitted.message))
            } catch {
                throw PushError(.invalidArgument, "the campaign's JSON cannot be read: \(JSONValue.reason(for: error))")
            }
            if let route = request.to.first(where: { routes[$0.at] == nil })?.at {
                throw PushError(
                    .misconfigured, "this worker has no route \(Redaction.quoted(route.rawValue)); another may have it")
            }
            let prepared = try await cut(
                request.message, to: request.parts(store.lead), as: submitted.name, options: request.options)
            let made = prepared.campaign
            (campaign.state, campaign.message, campaign.options) = (made.state, made.message, made.options)
            (campaign.parts, campaign.expiresAt) = (made.parts, made.options.end(from: submitted.createdAt))
            return PreparedCampaign(campaign: campaign, slices: prepared.slices)
        } catch {
            // A later attempt would fail the same way.
            guard [.message, .target].contains(error.kind.subject) else { throw error }
            (campaign.state, campaign.endedAt) = (.refused, clock.date)
            campaign.reason = error.reason
            return PreparedCampaign(campaign: campaign, slices: [])
        }
    }
}
