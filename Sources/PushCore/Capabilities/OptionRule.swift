import FoundationEssentials

/// A rule for one option of a vendor, as data.
///
/// An adapter lists the rules in ``Capabilities/optionRules``, and its encoder checks them with
/// ``Message/check(_:of:)``. The conformance kit tries each rule at the adapter.
///
/// ```swift
/// static let rules: [OptionRule] = [
///     .number("big_push_duration", 0...1400, "minutes"),
///     .needs("android", .platform(.android)),
///     .excludes("active_push", is: true, .option("big_push_duration")),
/// ]
/// ```
///
/// A rule applies to options that set its path. Null sets nothing.
public struct OptionRule: Sendable {
    /// Where the option is in the JSON form of the options: the vendor's keys, joined by dots.
    public let path: String
    /// The rule in words: `0 to 1400 minutes`, `needs a notification`.
    public let summary: String
    /// The only value of the option to which the rule applies; nil for any.
    let value: JSONValue?
    let form: Form
    /// What to do if something that the option needs is missing.
    private var advice = "add it, or remove the option"
    private let keys: [String]

    enum Form: Sendable {
        /// The values that the option may have, and values for tests: some that the rule refuses, some at its edges.
        case form(@Sendable (JSONValue, Message) -> Bool, refused: [JSONValue], accepted: [JSONValue])
        /// The message must meet at least one of these.
        case needs([Condition])
        /// The message must not meet this.
        case excludes(Condition)
    }

    init(_ path: String, _ value: JSONValue? = nil, _ summary: String, _ form: Form) {
        self.path = path
        self.value = value
        self.summary = summary
        self.form = form
        keys = path.split(separator: ".").map(String.init)
    }

    /// The option in a vendor's options; nil if they do not set it.
    func option(in options: JSONValue?) -> JSONValue? { options?.value(at: keys) }
}

extension OptionRule {
    /// Refuses a number outside of the range. The last text is the unit.
    public static func number(_ path: String, _ range: ClosedRange<Int>, _ unit: String? = nil) -> OptionRule {
        let (low, high) = (range.lowerBound, range.upperBound)
        let outside = [low.subtractingReportingOverflow(1), high.addingReportingOverflow(1)].filter { !$0.overflow }
        return OptionRule(
            path, nil, "\(low) to \(high)" + (unit.map { " \($0)" } ?? ""),
            .form(
                { value, _ in value.intValue.map(range.contains) ?? false },
                refused: outside.map { JSONValue(integerLiteral: $0.partialValue) },
                accepted: [low, high].map { JSONValue(integerLiteral: $0) }))
    }

    /// Refuses a number outside of 0 to 1.
    public static func fraction(_ path: String) -> OptionRule {
        OptionRule(
            path, nil, "a number from 0 to 1",
            .form(
                { value, _ in if case .number(let number) = value { (0...1).contains(number) } else { false } },
                refused: [-1, 2], accepted: [0, 1]))
    }

    /// Refuses any value except these numbers or texts.
    public static func oneOf(_ path: String, _ values: JSONValue...) -> OptionRule {
        let words = values.map(\.word)
        let others = (words.count > 1 ? words.dropLast().joined(separator: ", ") + " or " : "") + (words.last ?? "")
        let largest = values.compactMap(\.intValue).max()
        return OptionRule(
            path, nil, others,
            .form(
                { value, _ in values.contains(value) },
                refused: [largest.map { JSONValue(integerLiteral: $0 + 1) } ?? "another"], accepted: values))
    }

    /// Refuses a value that lacks a form.
    /// - Parameters:
    ///   - path: the option.
    ///   - summary: the form, for people: `a time such as 09:30:00`.
    ///   - refused: values without the form, for tests.
    ///   - isMet: whether a value has the form. Values have the type of the option.
    public static func form(
        _ path: String, _ summary: String, refusing refused: [JSONValue],
        _ isMet: @escaping @Sendable (JSONValue) -> Bool
    ) -> OptionRule {
        custom(path, summary, refusing: refused) { value, _ in isMet(value) }
    }

    /// Refuses a value that does not fit the message or the other options.
    public static func custom(
        _ path: String, _ summary: String, refusing refused: [JSONValue],
        _ isMet: @escaping @Sendable (JSONValue, Message) -> Bool
    ) -> OptionRule {
        OptionRule(path, nil, summary, .form(isMet, refused: refused, accepted: []))
    }

    /// Refuses the option, or one value of it, without something else, or one of two.
    public static func needs(
        _ path: String, is value: JSONValue? = nil, _ condition: Condition, or other: Condition? = nil
    ) -> OptionRule {
        let conditions = [condition] + (other.map { [$0] } ?? [])
        return OptionRule(
            path, value, "needs \(conditions.map(\.name).joined(separator: " or "))", .needs(conditions))
    }

    /// The rule with other advice for a message that lacks what the option needs.
    public func advising(_ advice: String) -> OptionRule {
        var rule = self
        rule.advice = advice
        return rule
    }

    /// Refuses the option, or one value of it, together with something else.
    public static func excludes(_ path: String, is value: JSONValue? = nil, _ condition: Condition) -> OptionRule {
        OptionRule(path, value, "excludes \(condition.name)", .excludes(condition))
    }
}

extension Message {
    /// Refuses options that break a rule, with `invalidArgument`. The error names the option and says what to do.
    ///
    /// Reads the options of one vendor. Values must have the types of the options, so call ``options(_:)`` first.
    public func check(_ rules: [OptionRule], of vendor: ProviderID) throws(PushError) {
        guard let options = options[vendor] else { return }
        for rule in rules {
            guard let advice = rule.fault(of: self, options) else { continue }
            throw PushError(.invalidArgument, "the \(vendor) option \(rule.path)\(advice)")
        }
    }
}

extension OptionRule {
    /// The mistake in the options of a message, and what to do; nil if they keep the rule.
    func fault(of message: Message, _ options: JSONValue) -> String? {
        guard let given = option(in: options), value == nil || given == value else { return nil }
        let word = value.flatMap { $0 == true ? nil : " \($0.word)" } ?? ""
        switch form {
        case .form(let isMet, _, _):
            return isMet(given, message)
                ? nil : (given.intValue.map { " is \($0)" } ?? " does not fit") + "; give \(summary)"
        case .needs(let conditions):
            guard !conditions.contains(where: { $0.isMet(by: message, options) }) else { return nil }
            return "\(word) \(summary); \(advice)"
        case .excludes(let condition):
            return condition.isMet(by: message, options) ? "\(word) \(summary); remove one of them" : nil
        }
    }
}

extension JSONValue {
    /// A number or a text as in a sentence.
    fileprivate var word: String { boolValue.map { "\($0)" } ?? identifier ?? "a value" }

    /// The value at the end of a path of keys; nil if there is none, or null.
    package func value(at keys: some Sequence<String>) -> JSONValue? {
        var value = self
        for key in keys {
            guard let next = value[key] else { return nil }
            value = next
        }
        // Not in one expression: there, nil would be the JSON value null.
        guard value != .null else { return nil }
        return value
    }
}
