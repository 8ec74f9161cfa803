import PushAdapter

/// A condition over topics that selects the registrations of a message.
indirect enum Condition: Sendable {
    case topic(String)
    case not(Condition)
    case both(Condition, Condition)
    case either(Condition, Condition)

    func matches(_ isMember: (String) -> Bool) -> Bool {
        switch self {
        case .topic(let name): isMember(name)
        case .not(let condition): !condition.matches(isMember)
        case .both(let left, let right): left.matches(isMember) && right.matches(isMember)
        case .either(let left, let right): left.matches(isMember) || right.matches(isMember)
        }
    }

    /// Nil if the text is not a condition, or names too many topics.
    init?(_ text: String) {
        var parser = ConditionParser(text)
        guard let condition = parser.condition(depth: 0), parser.isAtEnd else { return nil }
        self = condition
    }
}

/// Parses a condition. Operators apply from left to right; they all bind equally.
private struct ConditionParser {
    /// More nesting than five topics need.
    private static let maxDepth = 50

    private var rest: ArraySlice<UInt8>
    private var topicCount = 0

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func condition(depth: Int) -> Condition? {
        guard depth <= Self.maxDepth, var result = operand(depth: depth) else { return nil }
        while true {
            if takes("&&") {
                guard let next = operand(depth: depth) else { return nil }
                result = .both(result, next)
            } else if takes("||") {
                guard let next = operand(depth: depth) else { return nil }
                result = .either(result, next)
            } else {
                return result
            }
        }
    }

    private mutating func operand(depth: Int) -> Condition? {
        guard depth <= Self.maxDepth else { return nil }
        if takes("!") { return operand(depth: depth + 1).map(Condition.not) }
        if takes("(") {
            let inner = condition(depth: depth + 1)
            return takes(")") ? inner : nil
        }
        return takes("'") ? topic() : nil
    }

    /// Parses the rest of `'name' in topics`.
    private mutating func topic() -> Condition? {
        let name = String(decoding: rest.prefix { $0 != 0x27 }, as: UTF8.self)
        rest = rest.dropFirst(name.utf8.count)
        topicCount += 1
        guard takes("'", skipsBlanks: false), takes("in"), startsWithBlank, takes("topics"), Rules.isTopic(name),
            topicCount <= Rules.topicsPerCondition
        else { return nil }
        return .topic(name)
    }

    private var startsWithBlank: Bool { rest.first.map(Self.isBlank) ?? false }

    /// Skips this text and the spaces before it. Returns false if the text is not next.
    private mutating func takes(_ word: String, skipsBlanks: Bool = true) -> Bool {
        if skipsBlanks { rest = rest.drop(while: Self.isBlank) }
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
