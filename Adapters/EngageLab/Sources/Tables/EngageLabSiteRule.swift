public import PushAdapter

/// How the vendor's SDK on a device selects its data center. The rule depends on the SDK's version.
///
/// Before 4.3.0 there is only Singapore (inferred: the SDK has no call to choose). From 4.3.0 the app names its site
/// before it sets the SDK up; without a name the SDK uses Singapore. From 4.3.5 the SDK derives the center from the app
/// key and ignores a name. Source: iOS API guide, 2024-05-08; the header of SDK 5.0.0 calls the name deprecated as of
/// 4.3.5.
///
/// This is the rule for devices. A backend chooses its center from ``EngageLab/dataCenters``.
public enum EngageLabSiteRule: Sendable, Hashable {
    /// The center is Singapore.
    case standard
    /// The app names the center before it sets the SDK up.
    case named
    /// The SDK derives the center, and ignores a name.
    case derived

    /// The rule of a version such as `4.3.2`. Missing parts are 0. Refuses other texts with `invalidArgument`.
    public init(sdkVersion text: String) throws(PushError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard (1...4).contains(parts.count), parts.allSatisfy({ $0 >= 0 }) else {
            throw PushError(.invalidArgument, "\(Redaction.quoted(text)) is not a version; write it like 4.3.5")
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
    /// Refuses with `invalidState` a name given after SDK setup, if the version uses names. Refuses with
    /// `misconfigured` a derivation without a resolver, because the vendor does not document how it derives a center.
    /// - Parameters:
    ///   - siteName: the name that the app gives; nil or empty for none.
    ///   - isSetUp: whether the SDK was set up before the app gave the name.
    ///   - resolver: stands in for the vendor's own derivation.
    public func selection(
        siteName: String?, isSetUp: Bool = false, resolver: (any DataCenterResolver)? = nil
    ) throws(PushError) -> DataCenterSelection {
        let name = siteName.flatMap { $0.isEmpty ? nil : $0 }
        switch self {
        case .standard: return .standard
        case .named:
            guard let name else { return .standard }
            guard !isSetUp else {
                throw PushError(.invalidState, "the site is named after SDK setup; name it before")
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
