import PushAdapter
import PushClient

/// What the vendor of a migration's new route is asked while the old one sends.
struct ShadowPlan: Sendable {
    /// The most installations of one request, so that a refusal says little about others.
    private static let mostTargets = 100

    let migration: RouteMigration
    /// The sampled choices of the plan, and their bindings at the new route.
    private var sample: [(choice: Int, binding: Binding)] = []

    /// One for each migration in its shadow stage that has installations in the plan.
    static func all(of plan: RoutePlan, _ router: PushRouter) -> [ShadowPlan] {
        router.policy.migrations.filter { !$0.stage.moves }.compactMap { migration in
            var shadow = ShadowPlan(migration: migration)
            for (number, choice) in plan.choices.enumerated() where choice.binding.route == migration.from {
                guard let other = choice.others.first(where: { $0.route == migration.to }),
                    migration.samples(choice.binding.installation?.rawValue ?? choice.binding.target.text)
                else { continue }
                shadow.sample.append((number, other))
            }
            return shadow.sample.isEmpty ? nil : shadow
        }
    }

    private init(migration: RouteMigration) { self.migration = migration }

    /// Asks the vendor, where it can check a message, or else its client. Delivers nothing.
    /// - Returns: what it said, and the choices whose message it would refuse.
    func ask(_ router: PushRouter, _ message: Message) async -> (RouterReport.Shadow, refused: [Int]) {
        var shadow = RouterReport.Shadow(migration: migration.name, count: sample.count)
        var refused: [Int] = []
        var asked = 0
        guard let client = router.routes[migration.to] else { return (shadow, refused) }
        if case .native = client.capabilities[.validate] { shadow.isValidatedByVendor = true }
        for part in Dictionary(grouping: sample, by: { TargetKind(of: $0.binding.target) }).values {
            guard let features = Audience([part[0].binding.target])?.features else { continue }
            for page in part.pages(of: min(Self.mostTargets, client.requestSize(features))) {
                guard let audience = Audience(page.map(\.binding.target)) else { continue }
                do throws(PushError) {
                    if shadow.isValidatedByVendor {
                        _ = try await client.validate(message, to: audience)
                    } else if let refusal = client.explain(message, to: audience).refusals.first {
                        throw refusal
                    }
                } catch {
                    shadow.errors.append(error)
                    if error.kind.subject == .message {
                        refused += page.map(\.choice)
                    } else {
                        shadow.unanswered += page.count
                    }
                }
                asked += page.count
                // The old vendor's campaign waits for no vendor that does not work.
                guard shadow.unanswered == 0 else {
                    shadow.unanswered += sample.count - asked
                    return (shadow, refused)
                }
            }
        }
        return (shadow, refused)
    }
}
