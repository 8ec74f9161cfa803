import PushAdapter
import PushSimulation

extension TPNSSimulator {
    /// Commands 1 to 5. Adding and updating are the same. For a removal, only the names count.
    func attributes(_ fields: Fields, _ app: inout AppState) throws(Refusal) -> Answer {
        let command = try fields.needNumber("cmd")
        let name = try fields.needText("token")
        guard (1...5).contains(command) else { throw .invalid("cmd") }
        let given = command <= 3 ? try attributeMap(fields) : [:]
        let token = try known([name], app, isOnly: true)[0]
        var answer = Answer(message: "success")
        switch command {
        case 1, 2, 3:
            let unknown = given.keys.filter { !app.app.attributeNames.contains($0) }.sorted()
            for (name, value) in given where !unknown.contains(name) {
                app.devices[token]?.attributes[name] = command == 3 ? nil : value
            }
            if !unknown.isEmpty { answer.fields["invalidAttribute"] = .array(unknown.map(JSONValue.string)) }
        case 4: app.devices[token]?.attributes = [:]
        default:
            let all = app.devices[token]?.attributes ?? [:]
            answer.fields["attributeInfo"] = ["attributeMap": .object(all.mapValues(JSONValue.string))]
        }
        return answer
    }

    private func length(of text: String) -> Int {
        settings.countsAttributeBytes ? text.utf8.count : text.unicodeScalars.count
    }

    /// The names in the map are case-sensitive.
    private func attributeMap(_ fields: Fields) throws(Refusal) -> [String: String] {
        guard let info = try fields.object("attributeInfo") else { throw .missing("attributeInfo") }
        guard let value = info["attributeMap"] else { throw .missing("attributeMap") }
        guard case .object(let map) = value else { throw .unreadable }
        var attributes: [String: String] = [:]
        for (name, value) in map {
            guard let text = value.stringValue else { throw .unreadable }
            guard !name.isEmpty, [name, text].allSatisfy({ length(of: $0) <= Rules.attributeLength }) else {
                throw .invalid("attributeMap")
            }
            attributes[name] = text
        }
        guard !attributes.isEmpty else { throw .missing("attributeMap") }
        return attributes
    }
}
