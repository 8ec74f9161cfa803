public import PushClient
public import PushCore

extension PushClient {
    /// Refuses with `misconfigured` a name in a file of settings that nobody would ask for, and an object or a null
    /// where a value belongs: a reader of configurations passes over both, and a misspelt `allowedRegions` would allow
    /// everything.
    ///
    /// An object at the top that is no vendor's is another program's section, and is passed over.
    /// - Parameters:
    ///   - file: the settings as a JSON file has them.
    ///   - providers: every vendor that may have a section.
    public static func checkNames(
        in file: JSONValue, providers: [any ConfigurableProvider.Type]
    ) throws(PushError) {
        guard case .object(let top) = file else {
            throw PushError(.misconfigured, "settings are a JSON object, such as {\"vendor\": \"jpush\"}")
        }
        let names = settings.map(\.name)
        for (name, value) in top.sorted(by: { $0.key < $1.key }) {
            if let type = providers.first(where: { $0.id.rawValue == name }) {
                guard case .object(let section) = value else {
                    throw PushError(.misconfigured, "the setting \(name) is an object with settings of the vendor")
                }
                let known = (type.settings + vendorSettings).map(\.name)
                for (key, value) in section.sorted(by: { $0.key < $1.key }) {
                    try check("\(name).\(key)", value, isKnown: known.contains(key), known)
                }
            } else if case .object = value, !names.contains(name) {
                continue
            } else {
                try check(name, value, isKnown: names.contains(name), names + providers.map { $0.id.rawValue })
            }
        }
    }

    private static func check(
        _ path: String, _ value: JSONValue, isKnown: Bool, _ known: [String]
    ) throws(PushError) {
        guard isKnown else {
            throw PushError(
                .misconfigured,
                "nobody reads the setting \(Redaction.quoted(path)); known are \(known.joined(separator: ", "))")
        }
        switch value {
        case .object, .null:
            throw PushError(.misconfigured, "the setting \(path) is an object or null; give a value, or leave it out")
        default: return
        }
    }
}
