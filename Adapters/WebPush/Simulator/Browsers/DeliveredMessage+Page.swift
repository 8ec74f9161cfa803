import PushAdapter
import PushSimulation

/// How a browser handles a decrypted text.
///
/// It shows a declarative message itself. Any other text goes to the page's worker, which is the page's own code. Here
/// the worker shows the same, so it does not matter which of them does: `notification`, whose members have the names of
/// the Notification API. The worker gives the page `custom`, with `content`, `title`, `contentType` and `extras`. It
/// gives the page any other text whole.
extension DeliveredMessage {
    init(_ id: String, _ text: [UInt8]) {
        self.init(messageID: id)
        let value = try? JSONValue(parsing: text)
        if let value, let shown = value["notification"], shown.hasText { show(shown, of: value) }
        if let fields = value?["custom"], let content = fields["content"]?.stringValue {
            custom = CustomMessage(
                content: content, title: fields["title"]?.stringValue, contentType: fields["contentType"]?.stringValue,
                extras: fields["extras"]?.members ?? [:])
        }
        guard !isVisible, custom == nil else { return }
        if text.isEmpty {
            wakesApp = true
        } else {
            custom = CustomMessage(content: String(decoding: text, as: UTF8.self))
        }
    }

    private mutating func show(_ shown: JSONValue, of message: JSONValue) {
        title = shown["title"]?.stringValue
        alert = shown["body"]?.stringValue
        image = shown["image"]?.stringValue
        tap = shown["navigate"]?.stringValue.map(TapAction.link)
        let tag = shown["tag"]?.stringValue ?? ""
        collapseID = tag.isEmpty ? nil : tag
        extras = shown["data"]?.members ?? [:]
        isMutable = message["mutable"]?.boolValue ?? false
        // WebKit moved it from the notification to the top in 2025.
        badge = (message["app_badge"] ?? shown["app_badge"])?.intValue
    }
}

extension JSONValue {
    /// The members of an object; nil for any other value.
    fileprivate var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    fileprivate var hasText: Bool { self["title"]?.stringValue != nil || self["body"]?.stringValue != nil }
}
