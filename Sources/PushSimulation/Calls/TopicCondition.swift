/// A condition over topics: `'a' in topics && ('b' in topics || !('c' in topics))`. Operators apply from left to right,
/// and bind equally, unless the vendor says otherwise.
package indirect enum TopicCondition: Sendable {
    case topic(String)
    case not(TopicCondition)
    case both(TopicCondition, TopicCondition)
    case either(TopicCondition, TopicCondition)

    /// Whether it selects a device that has subscribed to some topics.
    package func matches(_ isMember: (String) -> Bool) -> Bool {
        switch self {
        case .topic(let name): isMember(name)
        case .not(let condition): !condition.matches(isMember)
        case .both(let left, let right): left.matches(isMember) && right.matches(isMember)
        case .either(let left, let right): left.matches(isMember) || right.matches(isMember)
        }
    }

    /// Nil if the text is not a condition, names more topics than `most`, or names one that cannot be a topic.
    package init?(_ text: String, most: Int, bindsAndTighter: Bool = false, isTopic: (String) -> Bool) {
        var parser = Parser(text, bindsAndTighter: bindsAndTighter)
        guard let condition = parser.condition(depth: 0), parser.isAtEnd, parser.names.count <= most,
            parser.names.allSatisfy(isTopic)
        else { return nil }
        self = condition
    }

    private struct Parser {
        /// More nesting than a few topics need.
        private static let maxDepth = 50

        private var rest: ArraySlice<UInt8>
        private(set) var names: [String] = []

        private let bindsAndTighter: Bool

        init(_ text: String, bindsAndTighter: Bool) {
            rest = Array(text.utf8)[...]
            self.bindsAndTighter = bindsAndTighter
        }

        var isAtEnd: Bool { rest.allSatisfy(Self.isBlank) }

        mutating func condition(depth: Int) -> TopicCondition? {
            guard bindsAndTighter else { return chain(["&&", "||"]) { $0.operand(depth: depth) } }
            return chain(["||"]) { $0.chain(["&&"]) { $0.operand(depth: depth) } }
        }

        /// Operands between these operators, from left to right.
        private mutating func chain(
            _ operators: [String], _ operand: (inout Parser) -> TopicCondition?
        ) -> TopicCondition? {
            guard var left = operand(&self) else { return nil }
            while let word = operators.first(where: { takes($0) }) {
                guard let right = operand(&self) else { return nil }
                left = word == "&&" ? .both(left, right) : .either(left, right)
            }
            return left
        }

        private mutating func operand(depth: Int) -> TopicCondition? {
            guard depth <= Self.maxDepth else { return nil }
            if takes("!") { return operand(depth: depth + 1).map { .not($0) } }
            if takes("(") {
                let inner = condition(depth: depth + 1)
                return takes(")") ? inner : nil
            }
            return takes("'") ? topic() : nil
        }

        /// Parses the rest of `'name' in topics`.
        private mutating func topic() -> TopicCondition? {
            let name = rest.prefix { $0 != 0x27 }
            rest = rest.dropFirst(name.count)
            names.append(String(decoding: name, as: UTF8.self))
            guard takes("'", skipsBlanks: false), takes("in"), rest.first.map(Self.isBlank) ?? false, takes("topics")
            else { return nil }
            return names.last.map { .topic($0) }
        }

        /// Skips this text and the blanks before it. Returns false if the text is not next.
        private mutating func takes(_ word: String, skipsBlanks: Bool = true) -> Bool {
            let next = skipsBlanks ? rest.drop(while: Self.isBlank) : rest
            guard next.starts(with: word.utf8) else { return false }
            rest = next.dropFirst(word.utf8.count)
            return true
        }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    }
}
