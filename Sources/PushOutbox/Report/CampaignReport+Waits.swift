public import FoundationEssentials
public import PushAdapter

extension CampaignReport {
    /// Targets of a part that wait for another attempt or for a person, all after the same kind of failure.
    public struct Wait: Sendable, Hashable {
        /// The number of the part.
        public let part: Int
        /// The client that sends it.
        public let route: RouteName
        /// Why their last request failed, or why they are quarantined, for people. If slices differ, the reason of the
        /// slice that is due last.
        public fileprivate(set) var reason: String
        /// Whether a person must resume them.
        public let isQuarantined: Bool
        /// The number of targets.
        public fileprivate(set) var targets = 0
        /// How many of them may have been sent.
        public fileprivate(set) var mayHaveBeenSent = 0
        /// The most counted attempts of a slice. An attempt counts if the vendor refused it, or if the slice keeps a
        /// key because the vendor may have acted.
        public fileprivate(set) var attempts = 0
        /// When the next attempt is due; nil if a person must act first.
        public fileprivate(set) var nextTry: Date?
        /// Until this moment the worker repeats requests that may have been sent, with the same key. After it, their
        /// targets are unknown, or sent to once more if the campaign's options say so. Nil without a key.
        public fileprivate(set) var repeatedUntil: Date?

        /// When the slice with this reason is due.
        private var lastAttempt: Date

        fileprivate init(_ part: Campaign.Part, isQuarantined: Bool) {
            (self.part, route, reason, self.isQuarantined, lastAttempt) = (
                part.number, part.route, "", isQuarantined, .distantPast
            )
        }

        fileprivate mutating func add(_ slice: SliceRow, because reason: String, notBefore: Date?) {
            let counts = slice.counts
            if lastAttempt <= slice.notBefore { (self.reason, lastAttempt) = (reason, slice.notBefore) }
            targets += (counts[.open] ?? 0) + (counts[.openAgain] ?? 0)
            mayHaveBeenSent += counts[.openAgain] ?? 0
            attempts = max(attempts, slice.attempts)
            if !isQuarantined, let notBefore {
                let next = max(notBefore, slice.notBefore)
                nextTry = min(nextTry ?? next, next)
            }
            if slice.mayHaveActed, let end = slice.keyUntil { repeatedUntil = max(repeatedUntil ?? end, end) }
        }
    }

    /// Returns the targets that wait for another attempt or for a person, part by part, most targets first. Empty for a
    /// campaign that has ended. Reads a row for each slice.
    public func waits() async throws(PushError) -> [Wait] {
        struct Cause: Hashable {
            let part: Int
            let kind: String
            let isQuarantined: Bool
        }
        guard !progress.state.isEnded else { return [] }
        var (waits, last) = ([Cause: Wait](), SliceRow.ID?.none)
        while true {
            let (id, after, limit) = (campaign.id, last, SlicePages.size)
            let page = try await outbox.stored { try await $0.waiting(of: id, after: after, limit: limit) }
            for slice in page {
                guard let part = campaign.part(slice.id.part), let (kind, reason) = slice.causeOfWait else { continue }
                let isQuarantined = slice.state == .quarantined
                let isPaused = progress.state == .paused || part.pausedFor != nil
                waits[
                    Cause(part: part.number, kind: kind, isQuarantined: isQuarantined),
                    default: Wait(part, isQuarantined: isQuarantined)
                ]
                .add(slice, because: reason, notBefore: isPaused ? nil : part.notBefore)
            }
            guard page.count == limit else { break }
            last = page.last?.id
        }
        return waits.values.sorted { ($0.part, -$0.targets, $0.reason) < ($1.part, -$1.targets, $1.reason) }
    }
}
