/// Where a vendor's options stand in the body of a send, as data.
///
/// An adapter lists the options that its encoder copies unchanged: for each object of the body, the options that are
/// its fields, under their own names. A name that ends in `.*` stands for the fields of an option, and `*` for all
/// options. The longest name wins.
///
/// ```swift
/// static let places = OptionPlaces(
///     of: JPushOptions.self,
///     ["options": ["*"], "notification": ["quickapp"], "notification.android": ["android.*"]], elsewhere: ["abtest"])
/// ```
///
/// The encoder writes the fields of an object with ``fields(of:in:)``. The conformance kit proves that each option
/// stands in its place, and that nothing else in the body depends on it.
public struct OptionPlaces: Sendable {
    /// The type of the options.
    public let options: any ProviderOptions.Type
    private let rows: [Row]
    private let objects: [String: [Row]]

    private struct Row: Sendable {
        var option: [String]
        /// Whether the row is about the fields of the option, and not about the option itself.
        var isGroup: Bool
        /// The path of an object in the body; nil for options that the adapter writes in a form of its own.
        var object: [String]?
        /// Fields of a group that have rows of their own.
        var exceptions: Set<String> = []

        /// How exact the name is.
        var rank: Int { 2 * option.count + (isGroup ? 1 : 0) }

        init(_ name: String, in object: String?) {
            let keys = name.split(separator: ".").map(String.init)
            isGroup = keys.last == "*"
            option = isGroup ? keys.dropLast() : keys
            self.object = object?.split(separator: ".").map(String.init)
        }
    }

    /// Places of options.
    /// - Parameters:
    ///   - options: the type of the options.
    ///   - objects: the paths of objects in the body, with the options that are their fields. The empty path is the body.
    ///   - elsewhere: options that the adapter writes in a form of its own, or into header fields.
    public init(of options: any ProviderOptions.Type, _ objects: [String: [String]], elsewhere: [String] = []) {
        let named = objects.flatMap { object, names in names.map { Row($0, in: object) } }
        let all = named + elsewhere.map { Row($0, in: nil) }
        rows = all.map { row in
            var row = row
            let inner = all.filter { $0.option.count > row.option.count && $0.option.starts(with: row.option) }
            row.exceptions = Set(inner.map { $0.option[row.option.count] })
            return row
        }
        self.options = options
        self.objects = Dictionary(grouping: rows) { $0.object?.joined(separator: ".") ?? "*" }
    }

    /// The options that are fields of an object in the body, without those that are null; nil if there are none.
    /// - Parameters:
    ///   - options: the options of a message, as JSON.
    ///   - object: the path of the object.
    public func fields(of options: JSONValue?, in object: String) -> JSONValue? {
        guard let options else { return nil }
        var fields: [String: JSONValue] = [:]
        for row in objects[object] ?? [] {
            guard let value = row.option.isEmpty ? options : options.value(at: row.option) else { continue }
            if !row.isGroup, let name = row.option.last { fields[name] = value }
            guard row.isGroup, case .object(let own) = value else { continue }
            for (name, value) in own where value != .null && !row.exceptions.contains(name) { fields[name] = value }
        }
        guard !fields.isEmpty else { return nil }
        return .object(fields)
    }

    /// Where an option or a part of it stands in the body; nil for one that the adapter writes in a form of its own.
    package func place(of option: [String]) -> [String]? {
        let fitting = rows.filter { option.starts(with: $0.option) }
        guard let row = fitting.max(by: { $0.rank < $1.rank }), let object = row.object else { return nil }
        return object + option.dropFirst(row.isGroup ? row.option.count : row.option.count - 1)
    }

    /// Whether the option stands in the body as a whole, so that its parts have no places of their own.
    package func isWhole(_ option: [String]) -> Bool {
        rows.contains { !$0.isGroup && $0.option == option }
    }
}
