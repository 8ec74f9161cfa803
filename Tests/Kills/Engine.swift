import ArgumentParser
import Foundation
import PostgresServer
import PushOutbox
import PushOutboxPostgres
import PushOutboxSQLite

/// Where the campaigns of a round are.
enum Engine: String, ExpressibleByArgument, CaseIterable, Sendable {
    case file, postgresql

    /// How often workers say that they are there.
    static let renewal = Duration.milliseconds(300)
    /// After this time without a sign they count as gone.
    static let life = Duration.seconds(2)

    /// Workers at the same time.
    var workers: Int { self == .file ? 1 : 2 }

    /// A new store's place.
    /// - Parameter folder: for files.
    func place(in folder: URL, of vendor: KilledVendor) async throws -> String {
        switch self {
        case .file: return folder.appending(path: "outbox.db").path()
        case .postgresql:
            let place = "host=\(try await PostgresServer.shared().folder) user=push dbname=postgres"
            try await PostgresOutboxStore.migrate(place, schema: vendor.rawValue)
            return place
        }
    }

    func open(_ place: String, of vendor: KilledVendor) async throws -> any OutboxStore {
        switch self {
        case .file: try SQLiteOutboxStore(path: place)
        case .postgresql: try await PostgresOutboxStore(place, schema: vendor.rawValue, workerLife: Self.life)
        }
    }
}
