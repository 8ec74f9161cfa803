import PushAdapter
import PushSimulation

extension DeliveredMessage {
    /// What a browser shows for a decrypted text: a declarative message, or what the page's worker makes of it. Without a
    /// text, the worker only wakes.
    init(_ id: String, _ text: [UInt8], _ keys: CustomMessageKeys) {
        self.init(messageID: id)
        let value = try? JSONValue(parsing: text)
        if let value, show(declared: value) { return }
        wakesApp = true
        guard !text.isEmpty else { return }
        if case .object(let fields) = value, fields[keys.content] != nil {
            custom = keys.message(in: fields)
        } else {
            custom = CustomMessage(content: String(decoding: text, as: UTF8.self))
        }
    }

    /// Shows a declarative message; false for any other, which goes to the worker.
    private mutating func show(declared message: JSONValue) -> Bool {
        guard message["web_push"]?.intValue == 8030, let shown = message["notification"],
            let title = shown["title"]?.stringValue, let address = shown["navigate"]?.stringValue, !address.isEmpty
        else { return false }
        let isSilent = shown["silent"]?.boolValue == true
        let tag = shown["tag"]?.stringValue ?? ""
        guard !(isSilent && shown["vibrate"] != nil), !(shown["renotify"]?.boolValue == true && tag.isEmpty) else {
            return false
        }
        self.title = title
        alert = shown["body"]?.stringValue
        image = shown["image"]?.stringValue
        tap = .link(address)
        collapseID = tag.isEmpty ? nil : tag
        sound = isSilent ? nil : "default"
        isMutable = message["mutable"]?.boolValue ?? false
        // WebKit moved it from the notification to the top in 2025.
        badge = (message["app_badge"] ?? shown["app_badge"])?.intValue
        if case .object(let data) = shown["data"] { extras = data }
        return true
    }
}
