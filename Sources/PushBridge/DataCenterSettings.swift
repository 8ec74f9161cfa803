import PushAdapter
import PushClient

/// Which data center a configuration names, or how to find it: at most one of a name, a table and a probe.
struct DataCenterSettings {
    private let catalog: DataCenterCatalog
    private let choice: Choice

    private enum Choice {
        case standard
        case named(String)
        case table([DataCenterTable.Row])
        case probe([String])
    }

    /// Reads `dataCenter` or `siteName`, `keyTable`, `probe` and `origin`; refuses names that the vendor does not have.
    init(_ reader: SettingsReader, _ vendor: DataCenterCatalog) async throws(PushError) {
        if let origin = try await reader.text("origin") {
            catalog = vendor.moved(to: try Self.checked(origin, reader))
        } else {
            catalog = vendor
        }
        var found: [(setting: String, choice: Choice)] = []
        for setting in ["dataCenter", "siteName"] {
            if let name = try await reader.text(setting) { found.append((setting, .named(name))) }
        }
        if let rows = try await reader.texts("keyTable") {
            found.append(("keyTable", .table(try Self.table(rows, reader))))
        }
        if let names = try await reader.texts("probe") { found.append(("probe", .probe(names))) }
        guard found.count <= 1 else {
            let names = found.map { reader.path($0.setting) }.joined(separator: " and ")
            throw PushError(.misconfigured, "\(names) say where the app lives: keep one of them")
        }
        choice = found.first?.choice ?? .standard
        for name in names {
            do throws(PushError) {
                _ = try catalog.named(name)
            } catch {
                throw reader.wrong(
                    found[0].setting, "names the data center \(Redaction.quoted(name))",
                    catalog.all.map(\.name).joined(separator: " or "))
            }
        }
    }

    /// Finds the data center of an app; `probe` makes a probe of the data centers that it may call.
    func dataCenter(
        of key: String, allowedRegions: Set<String>?,
        probe: ([String]) async throws(PushError) -> DataCenterProbe
    ) async throws(PushError) -> DataCenter {
        let selection: DataCenterSelection =
            switch choice {
            case .standard: .standard
            case .named(let name): .named(name)
            case .table(let rows): .derived(DataCenterTable(rows))
            case .probe(let names): .derived(try await probe(names))
            }
        return try await catalog.select(selection, forKey: key, allowedRegions: allowedRegions)
    }

    private var names: [String] {
        switch choice {
        case .standard: []
        case .named(let name): [name]
        case .table(let rows): rows.map(\.dataCenter)
        case .probe(let names): names
        }
    }

    private static func table(_ rows: [String], _ reader: SettingsReader) throws(PushError) -> [DataCenterTable.Row] {
        var table: [DataCenterTable.Row] = []
        for row in rows {
            let parts = row.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts.contains("") else {
                throw reader.wrong(
                    "keyTable", "has the row \(Redaction.quoted(row))",
                    "rows such as a1b2=frankfurt: a key prefix, and where such keys live")
            }
            table.append(DataCenterTable.Row(.prefix(parts[0]), parts[1]))
        }
        return table
    }

    /// An origin without a path, because the paths are the vendor's, and without credentials, because addresses are
    /// shown.
    private static func checked(_ origin: String, _ reader: SettingsReader) throws(PushError) -> String {
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
        let scheme = parts[0].lowercased()
        let isHost = { (letter: Character) in
            letter.isASCII && (letter.isLetter || letter.isNumber || "-._:[]".contains(letter))
        }
        guard parts.count == 3, ["https:", "http:"].contains(scheme), parts[1].isEmpty, !parts[2].isEmpty,
            parts[2].allSatisfy(isHost), Self.hasPort(parts[2])
        else {
            throw reader.wrong(
                "origin", "is not a plain origin", "only scheme, host and port, such as https://localhost:8443")
        }
        return scheme + "//" + parts[2]
    }

    /// Whether the host has no port or a valid one; ignores colons in the brackets of an address.
    private static func hasPort(_ host: Substring) -> Bool {
        let tail = host.split(separator: "]", omittingEmptySubsequences: false).last ?? host
        let parts = tail.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 1 || (parts.count == 2 && UInt16(parts[1]) ?? 0 > 0)
    }
}
