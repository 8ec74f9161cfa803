public import PushCore

/// How the vendor's SDK on a device comes to its data center, which changed with its version.
///
/// Before 4.3.0 there is Singapore only (inferred: no such call exists); from 4.3.0 the app names its site before it
/// sets the SDK up, and Singapore counts where it does not; from 4.3.5 the SDK derives the center from the app key, and
/// a name is ignored. Source: iOS API guide, 2024-05-08; the header of SDK 5.0.0 calls the name deprecated as of 4.3.5.
///
/// This is the rule of devices. A backend chooses its center by ``EngageLab/dataCenters``.
public enum EngageLabSiteRule: Sendable, Hashable {
    /// The center is Singapore.
    case standard
    /// The app names the center before it sets the SDK up.
    case named
    /// The SDK derives the center, and ignores a name.
    case derived

    /// The rule of a version such as `4.3.2`; parts that are missing are 0. Refuses what is no version with
    /// `invalidArgument`.
    public init(sdkVersion text: String) throws(PushError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard (1...4).contains(parts.count), parts.allSatisfy({ $0 >= 0 }) else {
            throw PushError(.invalidArgument, "\(Redaction.quoted(text)) is no version; give it as 4.3.5")
        }
        let version = parts + Array(repeating: 0, count: 4 - parts.count)
        if version.lexicographicallyPrecedes([4, 3, 0]) {
            self = .standard
        } else {
            self = version.lexicographicallyPrecedes([4, 3, 5]) ? .named : .derived
        }
    }

    /// The selection that a device makes.
    ///
    /// Refuses with `invalidState` a name that comes after the SDK was set up, where a name counts, and with
    /// `misconfigured` a derivation without a resolver: how the vendor derives a center is not documented.
    /// - Parameters:
    ///   - siteName: the name that the app gives; nil or an empty text for none.
    ///   - isSetUp: whether the SDK had been set up before the name was given.
    ///   - resolver: stands for the vendor's own derivation.
    public func selection(
        siteName: String?, isSetUp: Bool = false, resolver: (any DataCenterResolver)? = nil
    ) throws(PushError) -> DataCenterSelection {
        let name = siteName.flatMap { $0.isEmpty ? nil : $0 }
        switch self {
        case .standard: return .standard
        case .named:
            guard let name else { return .standard }
            guard !isSetUp else {
                throw PushError(.invalidState, "the site is named after the SDK was set up; name it before")
            }
            return .named(name)
        case .derived:
            guard let resolver else {
                throw PushError(
                    .misconfigured,
                    "this SDK derives its center from the app key, and no page says how; give a DataCenterTable or a probe"
                )
            }
            return .derived(resolver)
        }
    }
}
