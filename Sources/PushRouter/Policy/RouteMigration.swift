public import FoundationEssentials
import PushAdapter

/// A move of installations from one route to another.
public struct RouteMigration: Sendable, Hashable {
    /// The stages of a migration.
    public enum Stage: Sendable, Hashable {
        /// No installation moves. For this share of the installations with both bindings, 0 to 1, the router asks the
        /// new route's vendor whether it would take the message. Delivers nothing.
        case shadow(sample: Double)
        /// This share of the installations with both bindings moves, 0 to 100. A larger number moves more installations
        /// and none back. A smaller number rolls back.
        case percent(Double)
        /// All installations with both bindings move, and pruning removes an old binding some days after the new one
        /// worked. Give the day on which the drain began; after a rollback, give the new day.
        case drain(since: Date)

        /// Whether installations may move in this stage.
        var moves: Bool { if case .shadow = self { false } else { true } }
    }

    /// The name decides which installations move first. Two migrations with the same name choose the same
    /// installations.
    public var name: String
    /// The route that loses installations.
    public var from: RouteName
    /// The route that gets them.
    public var to: RouteName
    /// The stage.
    public var stage: Stage
    /// How long an old binding stays in a drain. Counts from the start of the drain, or from the first message that the
    /// new route's vendor accepted, whichever is later.
    public var keepsOldFor: Duration = .seconds(14 * 86_400)

    /// Creates a migration with a name of its own.
    public init(_ name: String, from: RouteName, to: RouteName, _ stage: Stage) {
        self.name = name
        self.from = from
        self.to = to
        self.stage = stage
    }

    /// Whether an installation with bindings at both routes takes the new one; nil if the migration does not decide.
    func moves(_ installation: String) -> Bool? {
        switch stage {
        case .shadow: nil
        case .drain: true
        case .percent(let percent): Double(place(of: installation)) < percent * 100
        }
    }

    /// When the drain began; nil in another stage.
    var drainedSince: Date? { if case .drain(let since) = stage { since } else { nil } }

    /// Whether to ask the new vendor about an installation.
    func samples(_ installation: String) -> Bool {
        if case .shadow(let sample) = stage { Double(place(of: installation)) < sample * 10_000 } else { false }
    }

    /// A number below 10,000 that is the same in every process, and independent of the number in another migration.
    private func place(of installation: String) -> UInt64 {
        var digest = StableDigest()
        digest.add(name)
        digest.add("\0")
        digest.add(installation)
        return digest.mixed % 10_000
    }

    func check() throws(PushError) {
        let quoted = Redaction.quoted(name)
        switch stage {
        case .percent(let percent) where !(0...100).contains(percent):
            throw PushError(.misconfigured, "the migration \(quoted) has \(percent) percent; give 0 to 100")
        case .shadow(let sample) where !(0...1).contains(sample):
            throw PushError(.misconfigured, "the migration \(quoted) has a sample of \(sample); give 0 to 1")
        case .shadow where from == to:
            throw PushError(.misconfigured, "the migration \(quoted) goes from a route to the same one")
        default: break
        }
        guard keepsOldFor >= .zero else {
            throw PushError(.misconfigured, "the migration \(quoted) keeps old bindings for a time below zero")
        }
    }
}
