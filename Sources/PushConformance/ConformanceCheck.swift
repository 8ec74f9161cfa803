public import PushCore

/// One thing that every adapter must do, by name.
///
/// A check has a body for what the adapter supports and, where an adapter may lack it, one that demands a clean
/// refusal: none is ever skipped.
public struct ConformanceCheck: Sendable, Identifiable, CustomStringConvertible {
    /// What checks are about.
    public enum Group: String, Sendable, CaseIterable {
        /// What the adapter says of itself: id, addresses, roles, limits.
        case declaration
        /// The requests that it writes: the same for the same call, and safe from what names and texts hold.
        case encoding
        /// What it refuses before anything is sent, and that the longest allowed passes.
        case refusal
        /// What its calls do at the vendor.
        case behavior
        /// What it makes of the vendor's errors, and of answers that are not the vendor's.
        case errors
        /// Which calls are repeated, how often, and whether that is harmless.
        case retry
        /// Calls that are cancelled or run out of time.
        case cancellation
        /// Where secrets, device ids and texts must not appear.
        case secrecy
        /// Calls of which a part succeeds.
        case partial
        /// How calls keep to the vendor's quotas and pauses.
        case quota
        /// What the calls of a device SDK become over the adapter.
        case session
        /// Random sequences of calls, compared with a model of a device.
        case model
    }

    /// Which body of a check ran.
    public enum Body: String, Sendable {
        /// The adapter can do it, and was seen to do it right.
        case supported
        /// The adapter lacks it, and was seen to refuse cleanly.
        case refused
    }

    typealias Steps = @Sendable (World) async throws -> Void

    /// `behavior.tags.add`: the group, then the thing.
    public let id: String
    /// What it is about; the first part of `id`.
    public let group: Group
    /// What must hold, as a sentence.
    public let requirement: String
    /// The features without which the refusing body runs; empty where another condition or none decides.
    public let needs: [Feature]
    /// Whether it changes nothing and needs no simulator, so that it may run against the vendor itself.
    public let isSafeLive: Bool
    private let setup: World.Setup
    private let applies: @Sendable (World) -> Bool
    private let supported: Steps
    private let refused: Steps

    /// A check that applies where `applies` says so.
    init(
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

    /// A check for adapters with some features; the others refuse the first that they lack, before anything is sent.
    /// - Parameter bindsAccounts: needs one of the two ways to bind accounts as well: adding, or replacing.
    init(
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

    /// A check for every adapter.
    init(
        _ group: Group, _ name: String, _ requirement: String, isSafeLive: Bool = false,
        setup: World.Setup = World.Setup(), _ body: @escaping Steps
    ) {
        self.init(
            group, name, requirement, isSafeLive: isSafeLive, setup: setup, when: { _ in true }, supported: body,
            refused: body)
    }

    /// The check's id.
    public var description: String { id }

    /// Runs the body that applies to the adapter, with a vendor of its own.
    ///
    /// Throws a ``ConformanceFailure``, and nothing else.
    @discardableResult
    public func run(
        on harness: any ConformanceHarness, through link: ConformanceLink = .inProcess,
        observedBy makeObserver: @Sendable () -> ConformanceObserver = ConformanceObserver.events
    ) async throws(ConformanceFailure) -> Body {
        guard link.level != .live || isSafeLive else {
            throw ConformanceFailure(
                expected: "a check that changes nothing", actual: id, hint: "at the live level only those run")
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
    /// Where to look when a call that must succeed does not.
    private static func hint(for error: PushError) -> String {
        switch error.kind {
        case .malformedResponse:
            "an error that diagnose(_:to:for:) missed, or a success in another form than decode reads"
        case .unsupported: "a capability or a role is missing"
        case _ where error.vendor != nil: "the simulator refused what a right call sends; one of the two is wrong"
        default: "the adapter refused an input that its capabilities allow"
        }
    }

    /// Every check, in the order of the groups.
    public static let all: [ConformanceCheck] =
        declaration + encoding + texts + fields + limits + refusal + operations + accounts + attributes
        + schedules + audiences + contents
        + errors + retry
        + cancellation + secrecy + partial + quota + session + model
}
