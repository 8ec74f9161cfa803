public import PushAdapter

/// How far a migration is.
public struct MigrationStatus: Sendable, Hashable {
    /// The migration, with its stage.
    public var migration: RouteMigration
    /// Who has a binding where.
    public var coverage: RouteCoverage
    /// Installations that now take the new route: the share of those with both, and those with the new one alone.
    public var moved: Int {
        let share: Double =
            switch migration.stage {
            case .shadow: 0
            case .percent(let percent): percent / 100
            case .drain: 1
            }
        return coverage.onlyTo + Int((Double(coverage.both) * share).rounded())
    }
}

extension PushRouter {
    /// How far a migration of the policy is, by the store's counts. Costs no request. Refuses an unknown name with
    /// `invalidArgument`; throws if the store fails.
    public func status(ofMigration name: String) async throws(PushError) -> MigrationStatus {
        guard let migration = policy.migrations.first(where: { $0.name == name }) else {
            let names = policy.migrations.map { Redaction.quoted($0.name) }
            throw PushError(
                .invalidArgument,
                "the policy has no migration \(Redaction.quoted(name)); it has "
                    + (names.isEmpty ? "none" : names.joined(separator: ", ")))
        }
        do {
            let coverage = try await bindings.coverage(of: migration.from, and: migration.to)
            return MigrationStatus(migration: migration, coverage: coverage)
        } catch {
            throw Self.unreadable(error, for: nil)
        }
    }
}
