public import PushAdapter

/// The texts that an Apple device shows for an `alert`, which is a text, or an object with texts and keys of the app's
/// table. A phone shows a plain text in place of a key. Without a plain text, this has the key itself, because a
/// simulator has no app.
public struct ShownAlert: Sendable, Hashable {
    /// The line above the text, nil for none.
    public var title: String?
    /// The line between title and text, nil for none.
    public var subtitle: String?
    /// The text, nil for none.
    public var body: String?

    /// The texts that this value shows; none if it is not an alert.
    public init(_ alert: JSONValue?) {
        if let text = alert?.stringValue {
            body = text
            return
        }
        title = Self.text(alert, "title", key: "title-loc-key")
        subtitle = Self.text(alert, "subtitle", key: "subtitle-loc-key")
        body = Self.text(alert, "body", key: "loc-key")
    }

    /// A text of the alert; a Live Activity has an object with a key in its place.
    private static func text(_ alert: JSONValue?, _ name: String, key: String) -> String? {
        alert?[name]?.stringValue ?? alert?[name]?["loc-key"]?.stringValue ?? alert?[key]?.stringValue
    }
}
