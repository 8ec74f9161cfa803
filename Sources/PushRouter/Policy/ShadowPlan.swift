import PushAdapter
import PushClient

/// The questions to the vendor of a migration's new route while the old route sends.
struct ShadowPlan: Sendable {
    /// The most installations of one request, so that a refusal affects few others.
    private static let mostTargets = 100

    let migration: RouteMigration
    /// The numbers of the sampled choices, and their bindings at the new route.
    private var sample: [(choice: Int, binding: Binding)] = []

    /// Plans for the migrations in their shadow stage that have installations in the plan.
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

    /// Asks the vendor, or its client if the vendor cannot check messages. Delivers nothing.
    /// - Returns: the result, and the choices whose message the vendor would refuse.
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
                // A failing new vendor must not delay the old vendor's campaign.
                guard shadow.unanswered == 0 else {
                    shadow.unanswered += sample.count - asked
                    return (shadow, refused)
                }
            }
        }
        return (shadow, refused)
    }
}
