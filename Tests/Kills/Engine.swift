import ArgumentParser
import Foundation
import PostgresServer
import PushOutbox
import PushOutboxPostgres
import PushOutboxSQLite

/// The store of a round's campaigns.
enum Engine: String, ExpressibleByArgument, CaseIterable, Sendable {
    case file, postgresql

    /// How often workers renew their sign of life.
    static let renewal = Duration.milliseconds(300)
    /// Workers without a sign of life for this time count as dead.
    static let life = Duration.seconds(2)

    /// The number of concurrent workers.
    var workers: Int { self == .file ? 1 : 2 }

    /// The location of a new store.
    /// - Parameter folder: used for files.
    func place(in folder: URL, of vendor: KilledVendor) async throws -> String {
        switch self {
        case .file: return folder.appending(path: "outbox.db").path()
        case .postgresql:
            let place = "host=\(try await PostgresServer.shared().folder) user=push dbname=postgres"
            try await PostgresOutboxStore.migrate(place, schema: vendor.name)
            return place
        }
    }

    func open(_ place: String, of vendor: KilledVendor) async throws -> any OutboxStore {
        switch self {
        case .file: try SQLiteOutboxStore(path: place)
        case .postgresql: try await PostgresOutboxStore(place, schema: vendor.name, workerLife: Self.life)
        }
    }
}
