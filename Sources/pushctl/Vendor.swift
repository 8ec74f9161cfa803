import APNsConformance
import EngageLabConformance
import FCMConformance
import JPushConformance
import PushAdapter
import PushBridge
import PushConformance
import TPNSConformance

/// A vendor that this tool knows.
struct Vendor: Sendable {
    /// To add a vendor, add a line here.
    static let all =
        ([JPushHarness(), EngageLabHarness(), TPNSHarness(), FCMHarness(), APNsHarness()] as [any RegisteredVendor])
        .map(Vendor.init)

    let harness: any RegisteredVendor

    private init(_ harness: any RegisteredVendor) { self.harness = harness }

    var type: any ConfigurableProvider.Type { harness.provider }
    var id: ProviderID { type.id }

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
