package import PushAdapter
package import PushSimulation

/// The fields of an object in a request.
package typealias Fields = SimulatedFields<VendorRefusal>

extension SimulatedFields<VendorRefusal> {
    /// The body of a request, which has to be a JSON object.
    package init(body request: SimulatedRequest) throws(Refusal) {
        guard let object = request.object else { throw .illegal("the body is not a JSON object") }
        self.init(
            object,
            Refusals(
                missing: { .illegal("\($0) is missing") }, wrongType: { .illegal("\($0) has a wrong type") }))
    }

    /// An object that has to be there.
    package func needObject(_ name: String) throws(Refusal) -> Fields { try required(name, try object(name)) }

    /// A whole number in a range.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let number = try number(name) else { return nil }
        guard range.contains(number) else { throw .illegal("\(name) is out of range") }
        return number
    }

    /// One of these whole numbers.
    package func number(_ name: String, of numbers: Set<Int>) throws(Refusal) -> Int? {
        guard let number = try number(name) else { return nil }
        guard numbers.contains(number) else { throw .illegal("\(name) is unknown") }
        return number
    }

    /// A text of at most this many bytes.
    package func text(_ name: String, most bytes: Int) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.utf8.count <= bytes else { throw .illegal("\(name) is too long") }
        return text
    }

    /// One of these texts.
    package func text(_ name: String, of texts: Set<String>) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard texts.contains(text) else { throw .illegal("\(name) is unknown") }
        return text
    }

    /// At most this many texts of at most 1,024 bytes.
    package func lines(_ name: String, most count: Int) throws(Refusal) -> [String]? {
        guard let lines = try texts(name) else { return nil }
        guard (1...count).contains(lines.count), lines.allSatisfy({ $0.utf8.count <= 1024 }) else {
            throw .illegal("\(name) has too many or too long lines")
        }
        return lines
    }

    /// An address that begins with https.
    package func address(_ name: String) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.hasPrefix("https://") else { throw .illegal("\(name) is not an https address") }
        return text
    }

    /// The object of a field; empty for any other value.
    package func values(_ name: String) -> [String: JSONValue] {
        if case .object(let values) = self[name] { values } else { [:] }
    }
}

extension SimulatedRequest {
    /// The bytes of the body without the tokens, their quotes and the commas between them.
    package func bytes(without tokens: [String]) -> Int {
        body.count - tokens.reduce(0) { $0 + $1.utf8.count + 2 } - max(0, tokens.count - 1)
    }
}
