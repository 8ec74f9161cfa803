import PushCore
import PushSimulation

extension OutgoingMessage {
    var isVisibleOnAndroid: Bool {
        self["android_v2.background_sync"] == nil && (fields["notification"] != nil || androidNotification != nil)
    }

    private var androidNotification: JSONValue? {
        self["android.notification"] ?? self["android_v2.remote_notification.notification"]
    }

    /// What an app on this platform receives.
    func delivered(
        as id: String, on platform: Platform, _ settings: FCMSimulatorSettings
    ) -> DeliveredMessage {
        var delivered = DeliveredMessage(messageID: id, extras: data(for: platform))
        let isVisible: Bool
        switch platform {
        case .ios:
            isVisible = isVisibleOnApple
            showOnApple(&delivered, settings)
        case .web:
            isVisible = fields["notification"] != nil || self["webpush.notification"] != nil
            if isVisible { showOnWeb(&delivered) }
        default:
            isVisible = isVisibleOnAndroid
            if isVisible { showOnAndroid(&delivered) }
        }
        if !isVisible { Self.readContent(&delivered, settings) }
        return delivered
    }

    private func showOnAndroid(_ delivered: inout DeliveredMessage) {
        let own = androidNotification
        showCommon(&delivered, own)
        delivered.sound = own?["sound"]?.stringValue ?? (own?["default_sound"] == true ? "default" : nil)
        delivered.channel = own?["channel_id"]?.stringValue
        delivered.category = own?["click_action"]?.stringValue
        delivered.badge = own?["notification_count"]?.intValue
    }

    private func showOnWeb(_ delivered: inout DeliveredMessage) {
        let own = self["webpush.notification"]
        showCommon(&delivered, own)
        delivered.thread = own?["tag"]?.stringValue
    }

    /// Texts and picture, where a platform's own replace the common ones.
    private func showCommon(_ delivered: inout DeliveredMessage, _ own: JSONValue?) {
        func text(_ name: String) -> String? { (own?[name] ?? self["notification.\(name)"])?.stringValue }
        delivered.alert = text("body")
        delivered.title = text("title")
        delivered.image = text("image")
    }

    private func showOnApple(_ delivered: inout DeliveredMessage, _ settings: FCMSimulatorSettings) {
        let aps = self["apns.payload.aps"]
        let alert = aps?["alert"]
        delivered.alert = alert?.stringValue ?? (alert?["body"] ?? self["notification.body"])?.stringValue
        // An alert that is one text replaces the whole alert.
        if alert?.stringValue == nil {
            delivered.title = (alert?["title"] ?? self["notification.title"])?.stringValue
            delivered.subtitle = alert?["subtitle"]?.stringValue
        }
        delivered.sound = aps?["sound"]?.stringValue ?? aps?["sound"]?["name"]?.stringValue
        delivered.badge = aps?["badge"]?.intValue
        delivered.category = aps?["category"]?.stringValue
        delivered.thread = aps?["thread-id"]?.stringValue
        delivered.image = (self["apns.fcm_options.image"] ?? self["notification.image"])?.stringValue
        var own = self["apns.payload"].asObject
        own["aps"] = nil
        if self["apns.live_activity_token"] != nil { own.merge((aps?["content-state"]).asObject) { $1 } }
        delivered.extras.merge(own) { settings.payloadWinsOverData ? $1 : $0 }
    }

    /// An app takes the content of a message without a notification from its data.
    private static func readContent(_ delivered: inout DeliveredMessage, _ settings: FCMSimulatorSettings) {
        if let content = delivered.extras.removeValue(forKey: settings.contentKey) {
            delivered.custom = content.shown
        } else if !delivered.extras.isEmpty {
            delivered.custom = JSONValue.object(delivered.extras).shown
        }
    }
}
