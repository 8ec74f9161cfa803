import FoundationEssentials
public import PushAdapter
import PushClient

extension PushOutbox {
    /// Returns facts about the store's engine.
    public func facts() async throws(PushError) -> OutboxFacts { try await stored { try await $0.facts() } }

    /// Removes expired reports and names, as a worker does. Returns the number of slices and names that it removed.
    public func prune() async throws(PushError) -> Int {
        var sum = 0
        while true {
            let now = clock.date
            let count = try await stored { try await $0.prune(at: now, limit: 100) }
            guard count > 0 else { return sum }
            sum += count
        }
    }

    /// Returns the campaign with a name. Refuses an unknown name with `invalidArgument`.
    public func campaign(_ name: CampaignName) async throws(PushError) -> Campaign {
        guard let campaign = try await stored({ try await $0.campaigns(.named(name)) }).first else {
            throw PushError(.invalidArgument, "there is no campaign \(Redaction.quoted(name.rawValue))")
        }
        return campaign
    }

    /// Moves a campaign to a state, or refuses and names the state that it is in.
    @discardableResult
    func move(
        _ name: CampaignName, from states: Set<Campaign.State>, to state: Campaign.State, _ what: String
    ) async throws(PushError) -> Campaign {
        let campaign = try await campaign(name)
        let now = clock.date
        guard try await stored({ try await $0.move(campaign.id, from: states, to: state, at: now) }) else {
            // Reads it again: it may have ended since.
            throw Self.refusal(try await self.campaign(name), what)
        }
        return campaign
    }

    static func refusal(_ campaign: Campaign, _ what: String) -> PushError {
        PushError(
            .invalidState,
            "the campaign \(Redaction.quoted(campaign.name.rawValue)) is \(campaign.state) and cannot be \(what)")
    }

    /// The current moment on both clocks.
    var moment: Moment {
        Moment(
            date: clock.date, uptime: SliceRow.Uptime(boot: boot, elapsed: clock.elapsed), isByServer: store.lead != nil
        )
    }

    /// Calls the store and converts its errors to `PushError`.
    func stored<Value: Sendable>(_ ask: @Sendable (any OutboxStore) async throws -> Value) async throws(PushError)
        -> Value
    {
        do {
            return try await ask(store)
        } catch let error as PushError {
            throw error
        } catch is CancellationError {
            throw PushError(.cancelled, "the task was cancelled while the store was asked")
        } catch {
            throw PushError(
                .invalidState, "the store of the outbox failed: \(Redaction.masked("\(error)"))", retry: .backoff,
                underlying: error)
        }
    }
}
