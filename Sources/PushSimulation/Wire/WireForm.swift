public import PushAdapter

/// A vendor's requirement on a value in a JSON object.
public enum WireForm: Sendable {
    /// Anything.
    case any
    /// A text.
    case text
    /// A text that is not empty.
    case filledText
    /// A text of at most this many bytes.
    case shortText(Int)
    /// A whole number in a range.
    case integer(ClosedRange<Int>)
    /// One of these whole numbers.
    case oneOf(Set<Int>)
    /// A nonzero whole number.
    case nonZero
    /// `true` or `false`.
    case flag
    /// `true` or `false`, or 1 or 0 for them.
    case flagOrBit
    /// An object.
    case object
    /// A list of texts.
    case texts

    /// Whether a value has the right type, whatever its content.
    public func matchesType(of value: JSONValue) -> Bool {
        switch self {
        case .any: true
        case .text, .filledText, .shortText: value.stringValue != nil
        case .integer, .oneOf, .nonZero: value.intValue != nil
        case .flag: value.boolValue != nil
        case .flagOrBit: value.boolValue != nil || value == 0 || value == 1
        case .object: if case .object = value { true } else { false }
        case .texts: value.arrayValue?.allSatisfy { $0.stringValue != nil } ?? false
        }
    }

    /// Whether a value meets the requirement.
    public func accepts(_ value: JSONValue) -> Bool {
        guard matchesType(of: value) else { return false }
        return switch self {
        case .any, .text, .flag, .flagOrBit, .object, .texts: true
        case .filledText: value.stringValue?.isEmpty == false
        case .shortText(let most): (value.stringValue?.utf8.count ?? 0) <= most
        case .integer(let range): value.intValue.map(range.contains) ?? false
        case .oneOf(let numbers): value.intValue.map(numbers.contains) ?? false
        case .nonZero: value.intValue != 0
        }
    }
}
