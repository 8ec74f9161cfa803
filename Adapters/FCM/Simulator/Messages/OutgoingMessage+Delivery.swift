import PushAdapter
import PushSimulation

extension OutgoingMessage {
    var isVisibleOnAndroid: Bool {
        self["android_v2.background_sync"] == nil && (fields["notification"] != nil || androidNotification != nil)
    }

    private var androidNotification: JSONValue? {
        self["android.notification"] ?? self["android_v2.remote_notification.notification"]
    }

    /// The message that an app on this platform receives.
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
            delivered.goesToOpenApp = isVisible && platform == .android
        }
        if !isVisible {
            delivered.custom = settings.customKeys.message(in: delivered.extras)
            delivered.isCustomInPush = platform == .ios && delivered.custom != nil
            delivered.extras = [:]
        }
        return delivered
    }

    private func showOnAndroid(_ delivered: inout DeliveredMessage) {
        let own = androidNotification
        showCommon(&delivered, own)
        // The app's library prefers a plain text to a key, even a plain text for all platforms.
        delivered.alert = delivered.alert ?? own?["body_loc_key"]?.stringValue
        delivered.title = delivered.title ?? own?["title_loc_key"]?.stringValue
        delivered.sound = own?["sound"]?.stringValue ?? (own?["default_sound"] == true ? "default" : nil)
        delivered.channel = own?["channel_id"]?.stringValue
        delivered.tap = own?["click_action"]?.stringValue.map(TapAction.intentAction)
        delivered.badge = own?["notification_count"]?.intValue
        // The collapse key replaces waiting messages, not messages on the screen, so it does not count here.
        delivered.collapseID = own?["tag"]?.stringValue
    }

    private func showOnWeb(_ delivered: inout DeliveredMessage) {
        let own = self["webpush.notification"]
        showCommon(&delivered, own)
        delivered.thread = own?["tag"]?.stringValue
        delivered.collapseID = delivered.thread
        delivered.tap = self["webpush.fcm_options.link"]?.stringValue.map(TapAction.link)
    }

    /// Shows texts and picture. A platform's own replace the common ones.
    private func showCommon(_ delivered: inout DeliveredMessage, _ own: JSONValue?) {
        func text(_ name: String) -> String? { (own?[name] ?? self["notification.\(name)"])?.stringValue }
        delivered.alert = text("body")
        delivered.title = text("title")
        delivered.image = text("image")
    }

    private func showOnApple(_ delivered: inout DeliveredMessage, _ settings: FCMSimulatorSettings) {
        let aps = self["apns.payload.aps"]
        // An alert that is a text replaces the whole alert. The vendor completes any other, here with plain texts
        // first.
        var alert = aps?["alert"]
        if alert?.stringValue == nil {
            let common = self["notification"].asObject.filter { ["title", "body"].contains($0.key) }
            alert = .object(common.merging(alert.asObject) { $1 })
        }
        delivered.show(aps: aps)
        delivered.show(ShownAlert(alert))
        // Only in a Live Activity, the sound is part of the alert.
        if activity == nil, aps?["sound"] == nil { delivered.sound = nil }
        delivered.image = (self["apns.fcm_options.image"] ?? self["notification.image"])?.stringValue
        delivered.collapseID = header("apns-collapse-id", of: "apns")?.value
        var own = self["apns.payload"].asObject
        own["aps"] = nil
        delivered.extras.merge(own) { settings.payloadWinsOverData ? $1 : $0 }
    }
}
