import FoundationEssentials
public import PushAdapter

/// The result of a campaign: the counts, and every target that was not accepted, read page by page.
public struct CampaignReport: Sendable {
    /// The campaign, as it was when the report was made.
    public let campaign: Campaign
    /// The counts, as they were when the report was made.
    public let progress: CampaignProgress
    let outbox: PushOutbox

    /// Every target that was not accepted, part by part in the caller's order. There may be millions, so it reads a
    /// hundred slices at a time. Reading throws `invalidState` at a damaged row.
    public var exceptions: Exceptions { exceptions(only: Set(SliceRow.Outcome.reported)) }

    /// Only the targets with these outcomes, even if the message moved to another route.
    public func exceptions(only outcomes: Set<SliceRow.Outcome>) -> Exceptions {
        Exceptions(report: self, outcomes: outcomes.contains(.unknown) ? outcomes.union([.openAgain]) : outcomes)
    }

    /// A target that was not accepted.
    public struct Exception: Sendable, Hashable {
        /// The client that was to send to it.
        public let route: RouteName
        /// Nil for an audience that is not a list.
        public let target: Target?
        /// The position in the caller's list, from 0; 0 for an audience that is not a list.
        public let position: Int
        /// Its outcome.
        public let status: TargetStatus
        /// Whether the vendor said this about this target.
        public let isSaidByVendor: Bool
        /// Why the last request of its slice failed, for people, beginning with the error's kind; nil if it did not
        /// fail.
        public let reason: String?
        /// The second route that the message took; nil if it took none. If the message was not accepted there either,
        /// the target has another exception with the same position.
        public let wentOnAt: RouteName?
    }

    /// A stream of exceptions.
    public struct Exceptions: AsyncSequence, Sendable {
        fileprivate let report: CampaignReport
        fileprivate let outcomes: Set<SliceRow.Outcome>

        /// Begins with the first part.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(report: report, outcomes: outcomes) }

        /// Reads one exception after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var pages: SlicePages
            private var ready: [Exception] = []

            fileprivate init(report: CampaignReport, outcomes: Set<SliceRow.Outcome>) {
                pages = SlicePages(report: report, outcomes: outcomes)
            }

            /// Returns the next exception; nil after the last.
            public mutating func next() async throws -> Exception? {
                while ready.isEmpty, let page = try await pages.next() {
                    for (slice, targets) in page.reversed() {
                        ready += try pages.report.exceptions(in: slice, targets, pages.outcomes).reversed()
                    }
                }
                return ready.popLast()
            }
        }
    }

    /// The slices that have targets with these outcomes, even if the message moved to another route.
    struct SlicePages: Sendable {
        static let size = 100

        private(set) var report: CampaignReport
        let outcomes: Set<SliceRow.Outcome>
        private var last: SliceRow.ID?
        private var isAtEnd = false

        init(report: CampaignReport, outcomes: Set<SliceRow.Outcome>) {
            (self.report, self.outcomes) = (report, outcomes)
        }

        /// Returns the next slices with their packed targets; nil after the last.
        mutating func next() async throws(PushError) -> [(slice: SliceRow, targets: [UInt8])]? {
            guard !isAtEnd else { return nil }
            let (id, after, outcomes) = (report.campaign.id, last, outcomes.union([.moved]))
            let page = try await report.outbox.stored {
                try await $0.slices(of: id, with: outcomes, after: after, limit: Self.size)
            }
            isAtEnd = page.count < Self.size
            last = page.last?.slice.id
            if !page.isEmpty { report = try await report.planned() }
            return page
        }
    }

    /// The report with the parts of its campaign. A submitted campaign has none until a worker plans it.
    func planned() async throws(PushError) -> CampaignReport {
        guard campaign.state == .submitted else { return self }
        let campaign = try await outbox.campaign(campaign.name)
        return CampaignReport(campaign: campaign, progress: progress, outbox: outbox)
    }

    func exceptions(
        in slice: SliceRow, _ targets: [UInt8], _ outcomes: Set<SliceRow.Outcome>
    ) throws(PushError) -> [Exception] {
        let part = try campaign.part(of: slice)
        let notes = SliceNotes(reading: slice.notes)
        // Without a reason, the kind may belong to another target.
        let reason = slice.reason(notes?.reason == nil ? nil : notes)
        func exception(_ entry: PackedTargets.Entry?) -> Exception? {
            let index = entry?.index ?? 0
            guard slice.outcomes.indices.contains(index), outcomes.contains(slice.outcomes[index].cause),
                let status = slice.outcomes[index].status(
                    entry, since: notes?.since?[index], isEnded: progress.state.isEnded)
            else { return nil }
            let hasMoved = slice.outcomes[index].kind == .moved
            return Exception(
                route: part.route, target: entry?.target, position: entry?.position.number ?? 0, status: status,
                isSaidByVendor: slice.outcomes[index].isSaidByVendor,
                reason: [.invalid, .malformed, .duplicate].contains(slice.outcomes[index].cause) ? nil : reason,
                wentOnAt: hasMoved ? entry?.other.flatMap { campaign.part($0.part)?.route } : nil)
        }
        guard part.audience == nil else { return [exception(nil)].compactMap { $0 } }
        return try PackedTargets(reading: targets, of: campaign).entries.compactMap(exception)
    }
}

extension CampaignReport: CustomStringConvertible, CustomReflectable {
    /// The name and the counts; read the targets from ``exceptions``.
    public var description: String { "\(campaign.name): \(progress)" }
    /// Only the description: the campaign has the message.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension SliceRow {
    /// Why its last attempt failed, for people. Nil if it did not fail, and where each target has a request of its own and
    /// another target of the attempt was accepted.
    func reason(_ notes: SliceNotes?) -> String? {
        state == .quarantined && crashes > 0
            ? "it ended \(crashes) workers; resume the campaign to try it again" : notes?.text
    }
}

extension SliceRow {
    /// Why it waits, for people, and a key that groups slices with the same cause. Nil if it only waits for its turn.
    var causeOfWait: (kind: String, reason: String)? {
        let notes = SliceNotes(reading: notes)
        if let text = reason(notes) { return (notes?.kind?.rawValue ?? "", text) }
        if state == .quarantined { return ("quarantined", "its targets cannot be read") }
        guard outcomes.contains(.openAgain) else { return nil }
        return crashes > 0
            ? ("ended", "its worker ended while a request was on its way") : ("resent", "it is to be sent once more")
    }
}

extension PushOutbox {
    /// Returns the report of a campaign, finished or not.
    public func report(of name: CampaignName) async throws(PushError) -> CampaignReport {
        let campaign = try await campaign(name)
        let counts = try await stored { try await $0.counts(of: campaign.id) }
        return CampaignReport(campaign: campaign, progress: CampaignProgress(campaign, counts), outbox: self)
    }
}

extension SliceRow.Outcome {
    /// The outcomes that a report names.
    static let reported: [SliceRow.Outcome] = [
        .open, .openAgain, .invalid, .malformed, .suspect, .rejected, .rejectedForNow, .unknown, .duplicate,
    ]

    /// The public status of the outcome; nil for targets that are accepted or still open.
    fileprivate func status(_ entry: PackedTargets.Entry?, since: Double?, isEnded: Bool) -> TargetStatus? {
        switch cause {
        case .open: isEnded || kind == .moved ? .notAttempted : nil
        case .openAgain: isEnded ? .unknown : nil
        case .invalid: .invalid(since: since.map { Date(timeIntervalSince1970: $0) })
        case .malformed: .malformed(reason: entry?.malformed ?? "its form breaks a rule of the vendor")
        case .suspect: .suspect
        case .rejected: .rejected(mayRetry: false)
        case .rejectedForNow: .rejected(mayRetry: true)
        case .duplicate: .duplicate(of: entry?.repeats?.number ?? 0)
        case .accepted: nil
        default: .unknown
        }
    }
}
