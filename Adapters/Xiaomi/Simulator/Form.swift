import PushAdapter
import PushSimulation

/// The fields of a call. All values are texts, numbers too.
struct Form {
    private let fields: [String: String]

    /// The fields of the body and the query, because some clients post the fields in the address.
    init(_ request: SimulatedRequest) throws(Refusal) {
        let text = request.query + "&" + String(decoding: request.body, as: UTF8.self)
        guard let fields = SimulatedRequest.fields(ofForm: text) else { throw .illegal("the form is broken") }
        self.fields = fields
    }

    /// The fields of an object in `messages`: its extras are an object of their own, or have names with a prefix.
    init(_ object: [String: JSONValue]) {
        var fields = object.filter { $0.key != "extra" }.mapValues(\.shown)
        if case .object(let extras) = object["extra"] {
            for (name, value) in extras { fields["extra." + name] = value.shown }
        }
        self.fields = fields
    }

    /// The value of a field; nil for an absent and for an empty one.
    subscript(name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The fields after `extra.`, without that.
    var extras: [String: String] {
        let own = fields.filter { $0.key.hasPrefix("extra.") }.map { (String($0.key.dropFirst(6)), $0.value) }
        return Dictionary(own, uniquingKeysWith: { first, _ in first })
    }

    func need(_ name: String) throws(Refusal) -> String {
        guard let value = self[name] else { throw .missing(name) }
        return value
    }

    /// A whole number in a range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let value = self[name] else { return nil }
        guard let number = Int(value), range.contains(number) else { throw .illegal("\(name) is wrong") }
        return number
    }

    /// A list with commas, of 1 to 1,000 names. A repeated name counts once.
    func list(_ name: String) throws(Refusal) -> [String] {
        let names = try need(name).split(separator: ",").map(String.init)
        guard (1...1000).contains(names.count) else { throw .illegal("\(name) has too many entries") }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
