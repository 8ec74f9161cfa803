import FoundationEssentials
import PushAdapter
import PushRouter
import PushSimulation

/// A phone with the app. Each belongs to another user.
struct Phone {
    /// The vendor that reaches a phone first. Its name is also the name of a route.
    enum Kind: String, CaseIterable {
        case apple, harmony, huawei, xiaomi, vivo, oppo, honor

        var route: RouteName { RouteName(rawValue) }

        var platform: Platform {
            switch self {
            case .apple: .ios
            case .harmony: .harmony
            case .huawei, .xiaomi, .vivo, .oppo, .honor: .android
            }
        }

        /// The first two phones of each Android maker have removed the app.
        var removed: Int { platform == .android ? 2 : 0 }

        var phones: [Phone] {
            (0..<(self == .xiaomi ? 3_000 : 50) + removed).map { Phone(kind: self, number: $0) }
        }
    }

    let kind: Kind
    let number: Int

    static let all = Kind.allCases.flatMap(\.phones)

    var user: UserID { UserID("\(kind.rawValue) user \(number)") }
    var hasApp: Bool { number >= kind.removed }

    /// The id at the maker, in the maker's form.
    var id: DeviceID {
        switch kind {
        case .apple: id("7c1e", length: 64)
        case .harmony: id("MAMzLgIkEU", length: 112)
        case .huawei: id("IQAAAACy0k1t", length: 112)
        case .xiaomi: id("k1t/", length: 44)
        case .vivo: id("15", length: 23)
        case .oppo: id("CN_", length: 35)
        case .honor: id("k1t.", length: 104)
        }
    }

    /// The id at JPush, which has none for an iPhone, for HarmonyOS, and where the app was removed.
    var jpushID: DeviceID? {
        guard kind.platform == .android, hasApp, let maker = Kind.allCases.firstIndex(of: kind) else { return nil }
        return id("190e35f7e0\(maker)", length: 19)
    }

    /// What the app reported a week before a date: an Android phone has two ways.
    func bindings(at now: Date) -> [Binding] {
        let ways: [(RouteName, DeviceID?)] = [(kind.route, id), ("jpush", jpushID)]
        return ways.compactMap { route, device in
            device.map { device in
                Binding(
                    user: user, installation: InstallationID("the app of \(user.rawValue)"), route: route,
                    target: .device(device), platform: kind.platform, boundAt: now.addingTimeInterval(-7 * 86_400))
            }
        }
    }

    var atMaker: VirtualDevice { VirtualDevice(id.rawValue, kind.platform) }
    var atJPush: VirtualDevice? { jpushID.map { VirtualDevice($0.rawValue, kind.platform) } }

    private func id(_ start: String, length: Int) -> DeviceID {
        let digits = String(number)
        return DeviceID(start + String(repeating: "0", count: length - start.count - digits.count) + digits)
    }
}
