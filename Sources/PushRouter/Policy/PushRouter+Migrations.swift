public import PushAdapter

/// The status of a migration.
public struct MigrationStatus: Sendable, Hashable {
    /// The migration, with its stage.
    public var migration: RouteMigration
    /// The number of installations that each route can reach.
    public var coverage: RouteCoverage
    /// Installations that now take the new route: a share of those with both bindings, and all that have only the new
    /// one.
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
    /// Returns the status of one of the policy's migrations, by the store's counts. Costs no request. Refuses an
    /// unknown name with `invalidArgument`. Throws if the store fails.
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
