public import PushAdapter
public import PushClient

extension PushClient {
    /// Refuses with `misconfigured` an unknown name in a settings file, and an object or a null in place of a value. A
    /// configuration reader ignores both, so a misspelled `allowedRegions` would allow everything.
    ///
    /// Ignores an object at the top level that is not a vendor's: it is another program's section.
    /// - Parameters:
    ///   - file: the settings, as in a JSON file.
    ///   - providers: every vendor that may have a section.
    public static func checkNames(
        in file: JSONValue, providers: [any ConfigurableProvider.Type]
    ) throws(PushError) {
        guard case .object(let top) = file else {
            throw PushError(.misconfigured, "settings are a JSON object, such as {\"vendor\": \"jpush\"}")
        }
        // A file may also name the routes of a router.
        let names = settings.map(\.name) + ["routes"]
        for (name, value) in top.sorted(by: { $0.key < $1.key }) {
            if let type = providers.first(where: { $0.id.rawValue == name }) {
                guard case .object(let section) = value else {
                    throw PushError(.misconfigured, "the setting \(name) must be an object with the vendor's settings")
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

    package static func check(
        _ path: String, _ value: JSONValue, isKnown: Bool, _ known: [String]
    ) throws(PushError) {
        guard isKnown else {
            throw PushError(
                .misconfigured,
                "unknown setting \(Redaction.quoted(path)); known are \(known.joined(separator: ", "))")
        }
        switch value {
        case .object, .null:
            throw PushError(.misconfigured, "the setting \(path) is an object or null; give a value, or leave it out")
        default: return
        }
    }
}
