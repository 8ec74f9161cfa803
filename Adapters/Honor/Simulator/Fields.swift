import PushAdapter
import PushSimulation

/// The fields of an object in a request.
typealias Fields = SimulatedFields<VendorRefusal>

extension SimulatedFields<VendorRefusal> {
    /// The body of a request: a JSON object without the wrapper `message` of other vendors.
    init(body request: SimulatedRequest) throws(Refusal) {
        guard let object = request.object else { throw .structure("no JSON object") }
        self.init(
            object,
            Refusals(
                missing: { .parameters("\($0) is missing") }, wrongType: { .parameters("\($0) has a wrong type") }))
        guard self["message"] == nil else { throw .structure("message is no field") }
    }

    /// A whole number in a range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let number = try number(name) else { return nil }
        guard range.contains(number) else { throw .parameters("\(name) is out of range") }
        return number
    }

    /// A text of at most this many characters.
    func text(_ name: String, most count: Int) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.count <= count else { throw .parameters("\(name) is too long") }
        return text
    }

    /// One of these texts.
    func text(_ name: String, of texts: Set<String>) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard texts.contains(text) else { throw .parameters("\(name) is unknown") }
        return text
    }

    /// An address that begins with https.
    func address(_ name: String) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.hasPrefix("https://") else { throw .parameters("\(name) is not an https address") }
        return text
    }

    /// The tokens: at least one, at most 1,000, and none of them twice.
    func tokens() throws(Refusal) -> [String] {
        let values = self["token"] ?? .array([])
        guard let tokens = values.arrayValue?.compactMap(\.stringValue), tokens.count == values.arrayValue?.count
        else { throw .structure("token is not a list of texts") }
        guard !tokens.isEmpty else { throw .noToken }
        guard tokens.count <= 1000 else { throw .tooManyTokens }
        guard Set(tokens).count == tokens.count else { throw .repeatedToken }
        return tokens
    }
}
