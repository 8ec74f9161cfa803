import FoundationEssentials
import PushCore

/// A campaign as another program writes it, in JSON: `name`, `message` and `to` as for `enqueue`, and the options. Times are
/// seconds, `notBefore` those since 1970.
struct SubmittedCampaign: Decodable {
    /// A part: an audience `at` a route.
    struct Part: Decodable {
        let at: RouteName
        let audience: Audience
        let notBefore: Double?

        private enum CodingKeys: String, CodingKey, CaseIterable { case at, audience, notBefore }

        init(from decoder: any Decoder) throws {
            try StrictKeys.check(decoder, CodingKeys.allCases.map(\.rawValue))
            let container = try decoder.container(keyedBy: CodingKeys.self)
            at = try container.decode(RouteName.self, forKey: .at)
            audience = try container.decode(Audience.self, forKey: .audience)
            notBefore = try container.decodeIfPresent(Double.self, forKey: .notBefore)
        }
    }

    let message: Message
    let to: [Part]
    let options: CampaignOptions

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, message, to, priority, expiry, afterUnknown, keeps, keepsName
    }

    init(from decoder: any Decoder) throws {
        try StrictKeys.check(decoder, CodingKeys.allCases.map(\.rawValue))
        let container = try decoder.container(keyedBy: CodingKeys.self)
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

    var legs: [CampaignLeg] {
        to.map { part in
            .audience(part.audience, at: part.at, notBefore: part.notBefore.map { Date(timeIntervalSince1970: $0) })
        }
    }
}

extension PushOutbox {
    /// Checks what other programs enqueued as JSON, and cuts it into slices. Several workers may plan the same campaign at the
    /// same time; one of them writes it.
    /// - Parameters:
    ///   - isWanted: which are looked at.
    ///   - leave: told of one that others, or a later look, may be able to plan; it stays submitted.
    func planSubmitted(
        _ isWanted: (Campaign) -> Bool, leave: (Campaign, PushError) -> Void
    ) async throws(PushError) {
        for submitted in try await stored({ try await $0.campaigns(.submitted) }) where isWanted(submitted) {
            let planned: PreparedCampaign
            do throws(PushError) {
                planned = try await plan(submitted)
            } catch {
                leave(submitted, error)
                continue
            }
            guard try await stored({ try await $0.plan(planned.campaign, planned.slices) }) else { continue }
            if let reason = planned.campaign.reason {
                settings.onEvent(.refused(submitted.name, reason: reason))
            } else {
                settings.onEvent(.enqueued(submitted.name, slices: planned.slices.count))
            }
        }
    }

    /// What becomes of a submitted campaign; throws if another worker, or a later look, may know better.
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
            let prepared = try await prepare(
                request.message, to: request.legs, as: submitted.name, options: request.options)
            let made = prepared.campaign
            (campaign.state, campaign.message, campaign.options) = (made.state, made.message, made.options)
            (campaign.legs, campaign.expiresAt) = (made.legs, made.options.end(from: submitted.createdAt))
            return PreparedCampaign(campaign: campaign, slices: prepared.slices)
        } catch {
            guard Self.refusals.contains(error.kind) else { throw error }
            (campaign.state, campaign.endedAt) = (.refused, clock.date)
            campaign.reason = error.reason
            return PreparedCampaign(campaign: campaign, slices: [])
        }
    }

    /// What no later look would allow.
    private static let refusals: Set<PushError.Kind> = [
        .invalidArgument, .tooLong, .limitExceeded, .unsupported, .noTarget,
    ]
}
