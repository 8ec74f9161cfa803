package import PushAdapter

/// An event in the browser, as its page or its service worker reports it.
package enum BrowserEvent: Sendable, Hashable {
    /// The browser subscribed. The JSON text of the subscription holds secrets.
    case subscribed(String)
    /// The user ended the subscription.
    case unsubscribed
    /// A push arrived, and its notification is on the screen.
    case shown(BrowserNotification)
    /// The user tapped a notification.
    case tapped(BrowserNotification)
    /// The user closed a notification.
    case closed(BrowserNotification)
    /// A push without a notification arrived; its text is empty for a push without data.
    case data(String)
    /// Something did not work, in the browser's words.
    case failed(String)

    /// Reads a report; nil for one of another form.
    init?(_ report: JSONValue) {
        func text(_ name: String) -> String? { report[name]?.stringValue }
        func event(_ make: (BrowserNotification) -> Self) -> Self? {
            report["notification"].map { make(BrowserNotification($0)) }
        }
        let event: Self? =
            switch text("event") {
            case "subscribed":
                report["subscription"].map { .subscribed(String(decoding: JSONWriter.bytes(of: $0), as: UTF8.self)) }
            case "unsubscribed": .unsubscribed
            case "shown": event(Self.shown)
            case "tapped": event(Self.tapped)
            case "closed": event(Self.closed)
            case "data": text("text").map(Self.data)
            case "failed": text("text").map(Self.failed)
            default: nil
            }
        guard let event else { return nil }
        self = event
    }
}

/// A notification that a browser shows.
package struct BrowserNotification: Sendable, Hashable {
    /// The title; empty for a notification without one, which the browser shows under the name of the page.
    package var title: String
    package var body: String
    /// The address that a tap opens; nil for none.
    package var navigate: String?
    /// The name under which a later notification replaces it; empty for none.
    package var tag: String
    /// The data that came with it; null for none.
    package var data: JSONValue

    init(_ json: JSONValue) {
        title = json["title"]?.stringValue ?? ""
        body = json["body"]?.stringValue ?? ""
        navigate = json["navigate"]?.stringValue
        tag = json["tag"]?.stringValue ?? ""
        data = json["data"] ?? .null
    }
}
