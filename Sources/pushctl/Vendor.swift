import Configuration
import JPushConformance
import JPushSimulator
import PushBridge
import PushConformance
import PushJPush
import PushSimulation

/// A vendor that this tool knows; one more is one more entry of `all`.
struct Vendor: Sendable {
    /// One row of the vendor's error tables.
    struct Code: Sendable {
        var surface: String
        var code: Int
        var kind: PushError.Kind
        var mayRetry: Bool
        var effect: PushError.Effect
        var advice: String
        var source: String
    }

    let id: ProviderID
    let makeProvider: @Sendable (ConfigReader) async throws(PushError) -> any PushProvider
    let codes: [Code]
    /// The data centres of a vendor with an app in one of them, which comes first.
    let makeSimulators: @Sendable (SimulatedApp) throws(PushError) -> [(name: String, simulator: any VendorSimulator)]
    let harness: any ConformanceHarness

    static let all = [jpush, engageLab, tpns]

    /// The app that a simulator knows.
    struct SimulatedApp: Sendable {
        var key: String
        var secret: String
        /// Nil for the vendor's default.
        var dataCenter: String?
        var devices: [VirtualDevice]
    }

    static func named(_ name: String) throws(PushError) -> Vendor {
        guard let vendor = all.first(where: { $0.id.rawValue == name.lowercased() }) else {
            throw PushError(
                .invalidArgument,
                "there is no vendor \(Redaction.quoted(name)); known are \(all.map(\.id.rawValue).joined(separator: ", "))"
            )
        }
        return vendor
    }
}

extension Vendor {
    static let jpush = Vendor(
        id: JPush.id,
        makeProvider: { (config) async throws(PushError) in
            guard let key = config.string(forKey: "appKey"),
                let secret = config.string(forKey: "masterSecret", isSecret: true)
            else {
                throw PushError(
                    .misconfigured,
                    "JPush needs an app key and a master secret: set PUSHBRIDGE_JPUSH_APP_KEY and "
                        + "PUSHBRIDGE_JPUSH_MASTER_SECRET, or jpush.appKey and jpush.masterSecret in a --config file")
            }
            let name = config.string(forKey: "dataCenter")
            let named = try name.map { (name) throws(PushError) in try JPush.dataCenters.named(name) }
            let selection: DataCenterSelection
            if let origin = config.string(forKey: "origin") {
                let layout: JPush.PathLayout = named?.name == "beijing" ? .beijing : .standard
                selection = .custom(JPush.dataCenter(at: origin, layout: layout))
            } else {
                selection = named.map { .named($0.name) } ?? .standard
            }
            return try JPush(
                appKey: key, masterSecret: Secret(secret),
                dataCenter: try await JPush.dataCenters.select(selection, forKey: key))
        },
        codes: JPushErrors.Surface.allCases.flatMap { surface in
            JPushErrors.rows(on: surface).map { row in
                Code(
                    surface: surface.rawValue, code: row.code, kind: row.kind, mayRetry: row.retry.isAdvised,
                    effect: row.effect, advice: row.advice, source: row.source)
            }
        },
        makeSimulators: { (app) throws(PushError) in
            // One simulator answers the paths of both data centres.
            _ = try app.dataCenter.map { (name) throws(PushError) in try JPush.dataCenters.named(name) }
            return [
                ("origin", JPushSimulator(appKey: app.key, masterSecret: app.secret, devices: app.devices))
            ]
        },
        harness: JPushHarness())
}
