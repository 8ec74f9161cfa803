public import PushAdapter

/// The progress of a campaign.
public struct CampaignProgress: Sendable, Hashable, CustomStringConvertible {
    /// The campaign's stage.
    public let state: Campaign.State
    /// Why it was refused, or why the store paused it; nil otherwise.
    public let reason: String?
    /// Why parts are paused, by part number. A person must resume them.
    public let pausedParts: [Int: String]
    /// Slices by state.
    public let slices: [SliceRow.State: Int]
    /// Targets by outcome. If the campaign has ended, its open targets were never sent to.
    public let targets: [SliceRow.Outcome: Int]
    /// Targets that were sent to again after an unknown outcome.
    public let resent: Int

    init(_ campaign: Campaign, _ counts: OutboxCounts) {
        (state, reason) = (campaign.state, campaign.reason)
        pausedParts = Dictionary(
            campaign.parts.compactMap { part in part.pausedFor.map { (part.number, $0) } },
            uniquingKeysWith: { first, _ in first })
        (slices, resent) = (counts.slices, counts.resent)
        var targets = counts.targets
        // The first request to these targets may have arrived, and no second one follows.
        if campaign.state.isEnded, let again = targets.removeValue(forKey: .openAgain) {
            targets[.unknown, default: 0] += again
        }
        self.targets = targets
    }

    /// Targets that the vendor accepted.
    public var accepted: Int { targets[.accepted] ?? 0 }
    /// Targets with an unknown outcome.
    public var unknown: Int { targets[.unknown] ?? 0 }
    /// Targets that wait for their outcome. If the campaign has ended, targets that were never sent to.
    public var open: Int { (targets[.open] ?? 0) + (targets[.openAgain] ?? 0) }
    /// All targets, repeated ones included. An audience that is not a list counts as one. A target that moved to
    /// another route counts once.
    public var total: Int { targets.values.reduce(0, +) - (targets[.moved] ?? 0) }

    /// Whether something stands still until a person resumes it.
    public var needsPerson: Bool {
        !state.isEnded && (reason != nil || !pausedParts.isEmpty || (slices[.quarantined] ?? 0) > 0)
    }

    /// A summary for people: `active: 812 of 10000 slices, 811204 accepted, 1000 unknown`, then quarantined slices and
    /// paused parts.
    public var description: String {
        let words: [(SliceRow.Outcome, String)] = [
            (.accepted, "accepted"), (.unknown, "unknown"), (.invalid, "invalid"), (.malformed, "malformed"),
            (.suspect, "suspect"), (.rejected, "rejected"), (.rejectedForNow, "rejected for now"),
            (.duplicate, "repeated"),
            (.moved, "moved on"),
            (.open, state.isEnded ? "not attempted" : "open"), (.openAgain, "may have been sent"),
        ]
        let counts = words.compactMap { outcome, word in targets[outcome].map { "\($0) \(word)" } }
        let all = slices.values.reduce(0, +)
        let quarantined = slices[.quarantined].map { ["\($0) quarantined"] } ?? []
        let parts =
            ["\(slices[.done] ?? 0) of \(all) slices"] + counts + (resent > 0 ? ["\(resent) resent"] : []) + quarantined
        return "\(state): " + (reason.map { "\($0); " } ?? "") + parts.joined(separator: ", ")
            + pausedParts.sorted { $0.key < $1.key }.map { "; part \($0.key) is paused: \($0.value)" }.joined()
    }
}

extension PushOutbox {
    /// Returns the progress of a campaign. Reads a row for each slice.
    public func progress(now name: CampaignName) async throws(PushError) -> CampaignProgress {
        let campaign = try await campaign(name)
        return CampaignProgress(campaign, try await stored { try await $0.counts(of: campaign.id) })
    }

    /// Returns the progress of a campaign, now and after each change, until it has ended and has no request in flight.
    /// Reads the store once a second, so a restart loses no progress.
    public func progress(of name: CampaignName) -> ProgressSequence { ProgressSequence(outbox: self, name: name) }

    /// The progress of a campaign until its end.
    public struct ProgressSequence: AsyncSequence, Sendable {
        fileprivate let outbox: PushOutbox
        fileprivate let name: CampaignName

        /// Begins with the present progress.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(outbox: outbox, name: name) }

        /// Reads one state after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let outbox: PushOutbox
            fileprivate let name: CampaignName
            private var last: CampaignProgress?

            fileprivate init(outbox: PushOutbox, name: CampaignName) {
                (self.outbox, self.name) = (outbox, name)
            }

            /// Returns the next progress that differs from the last; nil after the end, or if the task was cancelled.
            public mutating func next() async throws -> CampaignProgress? {
                if let last, last.state.isEnded, last.slices[.sending] == nil { return nil }
                while true {
                    let now = try await outbox.progress(now: name)
                    if now != last {
                        last = now
                        return now
                    }
                    do { try await outbox.clock.sleep(for: .seconds(1)) } catch { return nil }
                }
            }
        }
    }
}
