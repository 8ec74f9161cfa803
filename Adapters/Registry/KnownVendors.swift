import APNsConformance
import EngageLabConformance
import FCMConformance
import HarmonyConformance
import HonorConformance
import HuaweiConformance
import JPushConformance
import OPPOConformance
import PushAdapter
package import PushConformance
import TPNSConformance
import VivoConformance
import WebPushConformance
import XiaomiConformance

/// The vendors of this library.
package enum KnownVendors {
    /// To add a vendor to this library, add its name here and in `Package.swift`. Pushctl, the checks and the programs
    /// that attack an outbox then know it.
    package static let all: [any RegisteredVendor] = [
        JPushHarness(), EngageLabHarness(), TPNSHarness(), FCMHarness(), APNsHarness(), HarmonyHarness(),
        HuaweiHarness(), WebPushHarness(), XiaomiHarness(), VivoHarness(), OPPOHarness(), HonorHarness(),
    ]

    /// Their names in a configuration.
    package static var names: [String] { all.map { $0.provider.id.rawValue } }
}
