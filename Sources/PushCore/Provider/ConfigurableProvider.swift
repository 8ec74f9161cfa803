/// A provider that a configuration can choose and make, by the name of its vendor.
///
/// An adapter conforms with a table of its settings and an initializer; data centers, limits and everything about a
/// client are read for it.
public protocol ConfigurableProvider: PushProvider {
    /// What a configuration calls the vendor; the same for every provider of the type.
    static var id: ProviderID { get }
    /// Where the vendor's apps live.
    static var dataCenters: DataCenterCatalog { get }
    /// Every setting of the adapter, in the order of a page.
    static var settings: [ProviderSetting] { get }
    /// What every documented code of the vendor's means, in order.
    static var errorRows: [VendorErrorRow] { get }
    /// The setting that names the app: what a resolver of data centers goes by.
    static var keySetting: String { get }

    /// Makes a provider of the settings that ``settings`` lists; throws `misconfigured` for one that cannot be used.
    init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError)

    /// What the vendor does natively; a configuration may change its limits.
    var capabilities: Capabilities { get set }
}

extension ConfigurableProvider {
    /// `appKey`.
    public static var keySetting: String { "appKey" }
}

/// One setting of a provider: what it is called, what it may be, what it is for.
public struct ProviderSetting: Sendable, Hashable {
    /// What a setting may be.
    public enum Form: Sendable, Hashable {
        /// A text.
        case text
        /// A text that is shown nowhere.
        case secret
        /// A whole number in a range.
        case integer(ClosedRange<Int>)
        /// A number in a range.
        case number(ClosedRange<Double>)
        /// `true` or `false`.
        case flag
        /// One of some words.
        case oneOf([String])
        /// Several texts; with commas between them in the environment.
        case texts
    }

    /// The key in a configuration, below the vendor's name.
    public var name: String
    /// What it may be.
    public var form: Form
    /// Whether there is no provider without it.
    public var isRequired: Bool
    /// For people: what it is and where it comes from.
    public var summary: String

    /// A setting without which there is no provider.
    public static func required(_ name: String, _ summary: String, _ form: Form = .text) -> ProviderSetting {
        ProviderSetting(name: name, form: form, isRequired: true, summary: summary)
    }

    /// A setting with a default.
    public static func optional(_ name: String, _ summary: String, _ form: Form = .text) -> ProviderSetting {
        ProviderSetting(name: name, form: form, isRequired: false, summary: summary)
    }
}

extension ProviderSetting.Form: CustomStringConvertible {
    /// For people: "a whole number from 1 to 16".
    public var description: String {
        switch self {
        case .text: "a text"
        case .secret: "a secret text"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .oneOf(let words): words.joined(separator: " or ")
        case .texts: "a list of texts"
        }
    }
}

/// The values of a provider's settings, by name.
public struct ProviderSettings: Sendable {
    /// A value in the form of its setting; a word of several is a text.
    public enum Value: Sendable {
        /// A text or a word.
        case text(String)
        /// A text that is shown nowhere.
        case secret(Secret)
        /// A whole number.
        case integer(Int)
        /// A number.
        case number(Double)
        /// `true` or `false`.
        case flag(Bool)
        /// Several texts.
        case texts([String])
    }

    private let values: [String: Value]

    /// Values by the names of their settings.
    public init(_ values: [String: Value]) { self.values = values }

    /// A text; nil when it is not set.
    public func textIfPresent(_ name: String) -> String? {
        if case .text(let text) = values[name] { text } else { nil }
    }

    /// A secret; nil when it is not set.
    public func secretIfPresent(_ name: String) -> Secret? {
        if case .secret(let secret) = values[name] { secret } else { nil }
    }

    /// A whole number; nil when it is not set.
    public func integerIfPresent(_ name: String) -> Int? {
        if case .integer(let number) = values[name] { number } else { nil }
    }

    /// A number; nil when it is not set.
    public func numberIfPresent(_ name: String) -> Double? {
        if case .number(let number) = values[name] { number } else { nil }
    }

    /// `true` or `false`; nil when it is not set.
    public func flagIfPresent(_ name: String) -> Bool? {
        if case .flag(let flag) = values[name] { flag } else { nil }
    }

    /// Several texts; nil when they are not set.
    public func textsIfPresent(_ name: String) -> [String]? {
        if case .texts(let texts) = values[name] { texts } else { nil }
    }

    /// A text. Throws `misconfigured` when it is not set.
    public func text(_ name: String) throws(PushError) -> String { try required(textIfPresent(name), name) }

    /// A secret. Throws `misconfigured` when it is not set.
    public func secret(_ name: String) throws(PushError) -> Secret { try required(secretIfPresent(name), name) }

    /// A whole number. Throws `misconfigured` when it is not set.
    public func integer(_ name: String) throws(PushError) -> Int { try required(integerIfPresent(name), name) }

    private func required<Wanted>(_ value: Wanted?, _ name: String) throws(PushError) -> Wanted {
        guard let value else { throw PushError(.misconfigured, "the setting \(name) is missing or in another form") }
        return value
    }
}
