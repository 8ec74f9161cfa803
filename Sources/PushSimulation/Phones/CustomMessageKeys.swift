public import PushAdapter

/// Where an app finds the parts of a custom message in data that has no fields for them. This is a convention between a
/// backend and its app, not the vendor's.
public struct CustomMessageKeys: Sendable, Hashable {
    /// The key of the content.
    public var content = "content"
    /// The key of the title.
    public var title = "title"
    /// The key of the content type.
    public var contentType = "content_type"

    /// `content`, `title` and `content_type`.
    public init() {}

    /// The custom message that an app reads from data; the rest of the data are its extras. Without a content, all data
    /// as JSON is the content. Nil for no data.
    public func message(in data: [String: JSONValue]) -> CustomMessage? {
        guard !data.isEmpty else { return nil }
        guard let found = data[content] else {
            return CustomMessage(content: JSONValue.object(data).shown, extras: data)
        }
        var message = CustomMessage(content: found.shown, extras: data)
        message.extras[content] = nil
        message.title = message.extras.removeValue(forKey: title)?.shown
        message.contentType = message.extras.removeValue(forKey: contentType)?.shown
        return message
    }
}
