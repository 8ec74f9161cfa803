package import Configuration
package import PushAdapter

/// Reads the settings of one scope. An error names the setting, the allowed values, and the places where it looked.
///
/// Refuses a value of the wrong form, which the configuration library's own getters ignore.
package struct SettingsReader: Sendable {
    private let config: ConfigReader
    /// Where the settings are: `jpush`, or `china.jpush` if a route or another program has them; nil at the top level.
    private let scope: String?

    package init(_ config: ConfigReader, scope: String? = nil) {
        self.config = scope.map { config.scoped(to: ConfigKey([$0])) } ?? config
        // The library shows the whole prefix only in its description.
        let prefix = self.config.description.firstMatch(of: #/keyPrefix: (.*), providers: /#)?.output.1
        self.scope = prefix.map(String.init)
    }

    /// The key as in a settings file: `jpush.appKey`.
    package func path(_ name: String) -> String { (scope.map { $0 + "." } ?? "") + name }

    /// `JPUSH_APP_KEY` for `jpush.appKey`, as swift-configuration spells it. An underscore separates a lowercase letter
    /// from an uppercase one, and replaces each character that is not a letter or digit.
    package static func environmentName(_ path: String) -> String {
        var result = ""
        var wasSmall = false
        for letter in path {
            if wasSmall, letter.isUppercase { result += "_" }
            wasSmall = letter.isLowercase
            result += letter.isASCII && (letter.isLetter || letter.isNumber) ? letter.uppercased() : "_"
        }
        return result
    }

    package func text(_ name: String, isSecret: Bool = false) async throws(PushError) -> String? {
        let text = try await read(name, "a text") {
            try await config.fetchString(forKey: ConfigKey([name]), isSecret: isSecret)
        }
        return text?.isEmpty == true ? nil : text
    }

    package func integer(_ name: String, in range: ClosedRange<Int>) async throws(PushError) -> Int? {
        let form = ProviderSetting.Form.integer(range).description
        let value = try await read(name, form) { try await config.fetchInt(forKey: ConfigKey([name])) }
        if let value, !range.contains(value) { throw wrong(name, "is \(value)", form) }
        return value
    }

    package func number(_ name: String, in range: ClosedRange<Double>) async throws(PushError) -> Double? {
        let form = ProviderSetting.Form.number(range).description
        let value = try await read(name, form) {
            // In memory, a number without a decimal point is an integer and cannot be read as a double.
            do { return try await config.fetchDouble(forKey: ConfigKey([name])) } catch {
                return try await config.fetchInt(forKey: ConfigKey([name])).map(Double.init)
            }
        }
        if let value, !range.contains(value) { throw wrong(name, "is \(value)", form) }
        return value
    }

    package func flag(_ name: String) async throws(PushError) -> Bool? {
        try await read(name, "true or false") { try await config.fetchBool(forKey: ConfigKey([name])) }
    }

    /// A list; in the environment, one text with commas.
    package func texts(_ name: String) async throws(PushError) -> [String]? {
        let texts = try await read(name, ProviderSetting.Form.texts.description) {
            try await config.fetchStringArray(forKey: ConfigKey([name]))
        }
        return texts == [""] ? nil : texts
    }

    /// Whether a setting is present but empty: an empty value must not lift a restriction.
    func isEmpty(_ name: String) async -> Bool {
        if let text = try? await config.fetchString(forKey: ConfigKey([name])) { return text.isEmpty }
        return (try? await config.fetchStringArray(forKey: ConfigKey([name])))?.isEmpty ?? false
    }

    func value(of setting: ProviderSetting) async throws(PushError) -> ProviderSettings.Value? {
        let name = setting.name
        switch setting.form {
        case .text: return try await text(name).map { .text($0) }
        case .secret: return try await text(name, isSecret: true).map { .secret(Secret($0)) }
        case .integer(let range): return try await integer(name, in: range).map { .integer($0) }
        case .number(let range): return try await number(name, in: range).map { .number($0) }
        case .flag: return try await flag(name).map { .flag($0) }
        case .texts: return try await texts(name).map { .texts($0) }
        case .oneOf(let words):
            guard let word = try await text(name) else { return nil }
            guard words.contains(word) else {
                throw wrong(name, "is \(Redaction.quoted(word))", setting.form.description)
            }
            return .text(word)
        }
    }

    /// The values of a provider's settings; one error lists all that are missing.
    package func settings(_ declared: [ProviderSetting]) async throws(PushError) -> ProviderSettings {
        var values: [String: ProviderSettings.Value] = [:]
        var missing: [String] = []
        for setting in declared {
            values[setting.name] = try await value(of: setting)
            if values[setting.name] == nil, setting.isRequired {
                missing.append(
                    "\(path(setting.name)) (\(setting.summary); \(Self.environmentName(path(setting.name))) in the environment)"
                )
            }
        }
        guard missing.isEmpty else { throw self.missing(missing.joined(separator: ", "), missing.count) }
        return ProviderSettings(values)
    }

    /// The error of an unusable value.
    package func wrong(_ name: String, _ problem: String, _ allowed: String) -> PushError {
        PushError(.misconfigured, "the setting \(path(name)) \(problem); give \(allowed)\(places)")
    }

    /// The error of settings whose values were read and cannot be used.
    func unusable(_ names: [String], _ error: PushError) -> PushError {
        var error = error
        error.message = "\(names.map(path).joined(separator: ", ")): \(error.message)\(places)"
        return error
    }

    /// The error of missing settings.
    package func missing(_ what: String, _ count: Int = 1) -> PushError {
        let verb = count == 1 ? "setting is" : "settings are"
        return PushError(.misconfigured, "the \(verb) missing: \(what)\(places)")
    }

    /// An adapter's error, with the place of its settings.
    func placed(_ error: PushError) -> PushError {
        var error = error
        guard error.kind == .misconfigured, error.vendor == nil, !error.message.contains(places) else { return error }
        error.message += (scope.map { "; see the settings under \($0)" } ?? "") + places
        return error
    }

    /// Where the reader looked: its providers, without any value.
    private var places: String {
        let providers = config.description.split(separator: "providers: ").last?.dropLast() ?? ""
        let names = providers.split(separator: ", ").compactMap { provider -> String? in
            if provider.contains("EnvironmentVariablesProvider") { return "the environment" }
            if provider.contains("FileProvider<") { return "a file" }
            // A program names its defaults so; a missing value is not there.
            if provider == "InMemoryProvider[default]" { return nil }
            if let name = provider.wholeMatch(of: #/InMemoryProvider\[(.*)\]/#)?.output.1 {
                return name.isEmpty ? "memory" : String(name)
            }
            return String(provider)
        }
        return "; looked in \(names.joined(separator: ", "))"
    }

    private func read<Value: Sendable>(
        _ name: String, _ form: String, _ fetch: () async throws -> Value?
    ) async throws(PushError) -> Value? {
        do {
            return try await fetch()
        } catch is CancellationError {
            throw PushError(.cancelled, "cancelled while the setting \(path(name)) was read; nothing was sent")
        } catch {
            // In the environment, an empty value unsets a setting.
            if let text = try? await config.fetchString(forKey: ConfigKey([name]), isSecret: true), text.isEmpty {
                return nil
            }
            // The error itself may hold the value.
            throw wrong(name, "cannot be read, or has the wrong form", form)
        }
    }
}
