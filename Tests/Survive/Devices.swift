import PushAdapter
import PushWebPush

/// What names the unit of a target.
extension HostileVendor.Kind {
    /// A device: the unit itself, behind its country at OPPO, or a browser's subscription whose address ends with it.
    func device(_ unit: String) -> DeviceID {
        if self == .oppo { return DeviceID("CN_\(unit)") }
        guard self == .webpush, let key = try? WebPushKey(Browsers.serverKey) else { return DeviceID(unit) }
        let subscription = try? WebPushSubscription(
            endpoint: "https://updates.push.services.mozilla.com\(Browsers.path)\(unit)", p256dh: Browsers.p256dh,
            auth: Browsers.auth, vapidKey: key.id)
        return subscription?.deviceID ?? DeviceID(unit)
    }
}

extension Target {
    /// The unit of the target.
    var unit: String { Unit.find(in: Array(text.utf8)).first ?? text }
}

/// Browsers with the published example keys of RFC 8291, section 5.
enum Browsers {
    static let path = "/wpush/v2/"
    static let p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
    /// The key of the sender there, which signs here.
    static let serverKey = Secret("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
}

extension Message {
    /// A message with this text that all of the vendors take. Some demand a title and a class of a notification.
    static func survive(_ text: String, at kinds: [HostileVendor.Kind]) -> Message {
        guard kinds.contains(where: { !$0.takesCustomMessages }) else {
            return Message(custom: CustomMessage(content: text))
        }
        return Message(
            notification: Notification(title: "Survive", body: text),
            messageClass: MessageClass(.service, .subscription))
    }
}
