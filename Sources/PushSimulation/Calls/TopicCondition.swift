/// A condition over topics: `'a' in topics && ('b' in topics || !('c' in topics))`. Operators apply from left to right;
/// they all bind equally.
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
    package init?(_ text: String, most: Int, isTopic: (String) -> Bool) {
        var parser = Parser(text)
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

        init(_ text: String) { rest = Array(text.utf8)[...] }

        var isAtEnd: Bool { rest.allSatisfy(Self.isBlank) }

        mutating func condition(depth: Int) -> TopicCondition? {
            guard var left = operand(depth: depth) else { return nil }
            while true {
                let isBoth = takes("&&")
                guard isBoth || takes("||") else { return left }
                guard let right = operand(depth: depth) else { return nil }
                left = isBoth ? .both(left, right) : .either(left, right)
            }
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
