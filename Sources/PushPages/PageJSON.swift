package import FoundationEssentials
package import PushAdapter

extension JSONValue {
    /// A text, or null for nil.
    package init(text: String?) { self = text.map(JSONValue.string) ?? .null }
}

extension Date {
    /// Milliseconds since 1970, as browsers count.
    package var json: JSONValue { JSONValue(Int(timeIntervalSince1970 * 1000)) }
}
