/// A provider that a configuration can choose and create by the name of its vendor.
///
/// An adapter conforms with a table of its settings and an initializer. The library reads data centers, limits and all
/// client settings for it.
public protocol ConfigurableProvider: PushProvider {
    /// The name of the vendor in a configuration; the same for every provider of the type.
    static var id: ProviderID { get }
    /// The data centers that host the vendor's apps.
    static var dataCenters: DataCenterCatalog { get }
    /// Every setting of the adapter, in the order in which a page lists them.
    static var settings: [ProviderSetting] { get }
    /// The meaning of each error code that the vendor documents, in order.
    static var errorRows: [VendorErrorRow] { get }
    /// The setting that names the app; a data center resolver looks up its value.
    static var keySetting: String { get }

    /// Makes a provider from the settings that ``settings`` lists; throws `misconfigured` for a value that it cannot
    /// use.
    init(_ settings: ProviderSettings, dataCenter: DataCenter) throws(PushError)

    /// The vendor's native capabilities; a configuration may change its limits.
    var capabilities: Capabilities { get set }
}

extension ConfigurableProvider {
    /// The name of the vendor, as for the type.
    public var id: ProviderID { Self.id }
    /// `appKey`.
    public static var keySetting: String { "appKey" }
}

/// One setting of a provider: its name, its form and its purpose.
public struct ProviderSetting: Sendable, Hashable {
    /// The form of a setting's value.
    public enum Form: Sendable, Hashable {
        /// A text.
        case text
        /// A text that is never shown.
        case secret
        /// A whole number in a range.
        case integer(ClosedRange<Int>)
        /// A number in a range.
        case number(ClosedRange<Double>)
        /// `true` or `false`.
        case flag
        /// One of these words.
        case oneOf([String])
        /// Several texts; separated by commas in an environment variable.
        case texts
    }

    /// The key in a configuration, below the vendor's name.
    public var name: String
    /// The form of its value.
    public var form: Form
    /// Whether the provider requires it.
    public var isRequired: Bool
    /// The purpose and the origin of the value, for people.
    public var summary: String

    /// A setting that the provider requires.
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
        case .text: "a string"
        case .secret: "a secret string"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .oneOf(let words): words.joined(separator: " or ")
        case .texts: "a list of strings"
        }
    }
}

/// The values of a provider's settings, by name.
public struct ProviderSettings: Sendable {
    /// A value in the form of its setting; a `oneOf` value is a text.
    public enum Value: Sendable {
        /// A text or a word.
        case text(String)
        /// A text that is never shown.
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
        guard let value else { throw PushError(.misconfigured, "the setting \(name) is missing or has the wrong form") }
        return value
    }
}
