public import PushAdapter

/// A named rule that every adapter must follow.
///
/// A check tests a feature that the adapter supports. If the adapter lacks the feature, the check demands a clean
/// refusal instead. No check is skipped.
public struct ConformanceCheck: Sendable, Identifiable, CustomStringConvertible {
    /// The topic of a check.
    public enum Group: String, Sendable, CaseIterable {
        /// The adapter's declarations: id, addresses, roles, limits.
        case declaration
        /// The requests it writes: the same for the same call, and safe for all names and texts.
        case encoding
        /// Its refusals before sending; the longest allowed value passes.
        case refusal
        /// The effects of its calls at the vendor.
        case behavior
        /// How it reads the vendor's errors, and responses that are not the vendor's.
        case errors
        /// Which calls the client retries, how often, and whether that is harmless.
        case retry
        /// Calls that are cancelled or run out of time.
        case cancellation
        /// Where secrets, device ids and texts must not appear.
        case secrecy
        /// Calls that succeed only in part.
        case partial
        /// How calls respect the vendor's quotas and minimum intervals.
        case quota
        /// Random sequences of calls, compared with a model of a device.
        case model
    }

    /// Which body of a check ran.
    public enum Body: String, Sendable {
        /// The adapter supports the feature and did it right.
        case supported
        /// The adapter lacks the feature and refused cleanly.
        case refused
    }

    package typealias Steps = @Sendable (World) async throws -> Void

    /// The group, then the name: `behavior.tags.add`.
    public let id: String
    /// The topic; the first part of `id`.
    public let group: Group
    /// The rule, as a sentence.
    public let requirement: String
    /// If the adapter lacks one of these features, the refusing body runs; empty if another condition or none decides.
    public let needs: [Feature]
    /// Whether it may run against the vendor itself, because it changes nothing and needs no simulator.
    public let isSafeLive: Bool
    private let setup: World.Setup
    private let applies: @Sendable (World) -> Bool
    private let supported: Steps
    private let refused: Steps

    /// Creates a check that runs `supported` if `applies` returns true, and `refused` otherwise.
    package init(
        _ group: Group, _ name: String, _ requirement: String, isSafeLive: Bool = false,
        needs: [Feature] = [], setup: World.Setup = World.Setup(), when applies: @escaping @Sendable (World) -> Bool,
        supported: @escaping Steps, refused: @escaping Steps
    ) {
        id = "\(group.rawValue).\(name)"
        self.group = group
        self.requirement = requirement
        self.needs = needs
        self.isSafeLive = isSafeLive
        self.setup = setup
        self.applies = applies
        self.supported = supported
        self.refused = refused
    }

    /// Creates a check that needs features. Other adapters must refuse the first missing one before sending.
    /// - Parameter bindsAccounts: also needs one of the two ways to bind accounts: adding or replacing.
    package init(
        _ group: Group, _ name: String, _ requirement: String, needs features: [Feature],
        bindsAccounts: Bool = false, isSafeLive: Bool = false, setup: World.Setup = World.Setup(),
        _ supported: @escaping Steps
    ) {
        self.init(
            group, name, requirement, isSafeLive: isSafeLive, needs: features, setup: setup,
            when: { world in features.allSatisfy(world.has) && (world.binds || !bindsAccounts) }, supported: supported,
            refused: { world in
                let binding: [Feature] = bindsAccounts && !world.binds ? [.addAccounts] : []
                _ = try await world.expectRefusal(ofFirstMissing: features + binding)
            })
    }

    /// Creates a check with one body for every adapter.
    package init(
        _ group: Group, _ name: String, _ requirement: String, isSafeLive: Bool = false, _ body: @escaping Steps
    ) {
        self.init(
            group, name, requirement, isSafeLive: isSafeLive, when: { _ in true }, supported: body, refused: body)
    }

    /// The check's id.
    public var description: String { id }

    /// Runs the body that applies to the adapter, with its own vendor.
    ///
    /// Throws only ``ConformanceFailure``.
    @discardableResult
    public func run(
        on harness: any ConformanceHarness, through link: ConformanceLink = .inProcess,
        observedBy makeObserver: @Sendable () -> ConformanceObserver = ConformanceObserver.events
    ) async throws(ConformanceFailure) -> Body {
        guard link.level != .live || isSafeLive else {
            throw ConformanceFailure(
                expected: "a check that changes nothing", actual: id, hint: "at the live level, only such checks run")
        }
        let body = Locked(Body.supported)
        do {
            try await World.run(harness, link, setup, makeObserver()) { world in
                if applies(world) {
                    try await supported(world)
                } else {
                    body.withLock { $0 = .refused }
                    try await refused(world)
                }
            }
        } catch let failure as ConformanceFailure {
            throw failure
        } catch let error as PushError {
            throw ConformanceFailure(
                expected: "success", actual: "\(error) \(error.vendor?.message ?? "")", hint: Self.hint(for: error))
        } catch {
            throw ConformanceFailure(expected: "success", actual: "\(error)", hint: "the harness or the link failed")
        }
        return body.withLock { $0 }
    }
}

extension ConformanceCheck {
    /// Where to look when a call that must succeed fails.
    private static func hint(for error: PushError) -> String {
        switch error.kind {
        case .malformedResponse:
            "diagnose(_:to:) missed an error, or decode expects another form of success"
        case .unsupported: "a capability or a role is missing"
        case _ where error.vendor != nil: "the simulator refused a correct call; the simulator or the adapter is wrong"
        default: "the adapter refused an input that its capabilities allow"
        }
    }

    /// Every check, in the order of the groups.
    public static let all: [ConformanceCheck] =
        declaration + documentedErrors + encoding + texts + fields + options + limits + refusal + tags + aliases
        + operations + accounts + attributes + schedules + audiences + contents + receipts + errors + retry
        + cancellation + secrecy + partial + quota + model
}
