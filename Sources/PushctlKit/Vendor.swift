import PushAdapter
import PushBridge
import PushConformance
import VendorRegistry

/// A vendor that this tool knows.
struct Vendor: Sendable {
    private static let known = KnownVendors.all.map(Vendor.init)
    private static let added = Locked<[Vendor]>([])

    static var all: [Vendor] { known + added.withLock { $0 } }

    /// Adds vendors, before the first command reads them. Refuses a name that is taken, with `invalidArgument`.
    static func add(_ harnesses: [any RegisteredVendor]) throws(PushError) {
        let vendors = harnesses.map(Vendor.init)
        let names = (all + vendors).map { $0.id.rawValue.lowercased() }
        guard Set(names).count == names.count else {
            throw PushError(.invalidArgument, "two vendors have one name; there are \(names.joined(separator: ", "))")
        }
        added.withLock { $0 += vendors }
    }

    let harness: any RegisteredVendor

    private init(_ harness: any RegisteredVendor) { self.harness = harness }

    var type: any ConfigurableProvider.Type { harness.provider }
    var id: ProviderID { type.id }

    /// The names in the environment of the settings that an app needs, one in each line: those that are required, and where
    /// one of several secrets is, these, with the settings that say that they belong to them.
    var requiredSettings: String {
        let hasRequiredSecret = type.settings.contains { $0.isRequired && $0.form == .secret }
        return type.settings.filter { setting in
            let isOfSecret = setting.form == .secret || setting.summary.hasSuffix("needed with a key")
            return setting.isRequired || (!hasRequiredSecret && isOfSecret)
        }
        .map { "  " + Settings.environmentName("\(id.rawValue).\($0.name)") }.joined(separator: "\n")
    }

    static func named(_ name: String) throws(PushError) -> Vendor {
        guard let vendor = all.first(where: { $0.id.rawValue == name.lowercased() }) else {
            throw PushError(
                .invalidArgument,
                "there is no vendor \(Redaction.quoted(name)); known: \(all.map(\.id.rawValue).joined(separator: ", "))"
            )
        }
        return vendor
    }
}
