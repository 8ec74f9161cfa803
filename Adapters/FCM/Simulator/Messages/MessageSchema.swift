/// The fields of a send request, from the reference.
enum MessageSchema {
    static let request = ObjectType("SendMessageRequest", ["validate_only": .flag, "message": .object(message)])

    /// The body of a new subscription. The server sets these fields itself.
    static let subscription = ObjectType(
        "TopicSubscription", ["name": .text, "topic_name": .text, "create_time": .time])

    static let targets = ["token", "fid", "topic", "condition"]

    private static let message = ObjectType(
        "Message",
        [
            "name": .text, "token": .text, "fid": .text, "topic": .text, "condition": .text, "data": .texts,
            "notification": .object(notification), "android": .object(android), "android_v2": .object(secondAndroid),
            "webpush": .object(webpush), "apns": .object(apns), "fcm_options": .object(options),
        ])

    private static let options = ObjectType("FcmOptions", ["analytics_label": .text])

    private static let notification = ObjectType("Notification", ["title": .text, "body": .text, "image": .text])

    // MARK: Android

    private static let commonAndroid: [String: FieldType] = [
        "collapse_key": .text, "ttl": .duration, "restricted_package_name": .text, "data": .texts,
        "direct_boot_ok": .flag, "bandwidth_constrained_ok": .flag, "restricted_satellite_ok": .flag,
        "fcm_options": .object(ObjectType("AndroidFcmOptions", ["analytics_label": .text])),
    ]

    private static let android = ObjectType(
        "AndroidConfig",
        commonAndroid.merging([
            "priority": .word(WordType("AndroidMessagePriority", ignoresCase: true, ["NORMAL", "HIGH"])),
            "notification": .object(
                ObjectType("AndroidNotification", androidNotification.merging(["proxy": .word(proxy)]) { $1 })),
        ]) { $1 })

    private static let secondAndroid = ObjectType(
        "AndroidConfigV2",
        commonAndroid.merging([
            "remote_notification": .object(remoteNotification),
            "background_sync": .object(ObjectType("BackgroundSync", [:])),
        ]) { $1 })

    private static let remoteNotification = ObjectType(
        "RemoteNotification",
        [
            "mutable_content": .flag, "use_as_v1_data_message": .flag,
            "notification": .object(
                ObjectType(
                    "AndroidNotificationV2", androidNotification.merging(["id": .scalar(.textOrNumber)]) { $1 })),
        ])

    private static let androidNotification: [String: FieldType] = [
        "title": .text, "body": .text, "icon": .text, "color": .text, "sound": .text, "tag": .text,
        "click_action": .text, "body_loc_key": .text, "body_loc_args": .list(.text), "title_loc_key": .text,
        "title_loc_args": .list(.text), "channel_id": .text, "ticker": .text, "sticky": .flag, "event_time": .time,
        "local_only": .flag, "notification_priority": .word(priority), "default_sound": .flag,
        "default_vibrate_timings": .flag, "default_light_settings": .flag, "vibrate_timings": .list(.duration),
        "visibility": .word(visibility), "notification_count": .whole, "light_settings": .object(lights),
        "image": .text, "bypass_proxy_notification": .flag,
    ]

    private static let priority = WordType(
        "NotificationPriority",
        ["PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH", "PRIORITY_MAX"])
    /// Some libraries do not write these two in capitals.
    private static let visibility = WordType(
        "Visibility", ignoresCase: true, ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"])
    private static let proxy = WordType(
        "Proxy", ignoresCase: true, ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"])

    private static let lights = ObjectType(
        "LightSettings",
        ["color": .object(lightColor), "light_on_duration": .duration, "light_off_duration": .duration])
    private static let lightColor = ObjectType(
        "Color", ["red": .decimal, "green": .decimal, "blue": .decimal, "alpha": .decimal])

    // MARK: Web and Apple

    private static let webpush = ObjectType(
        "WebpushConfig",
        [
            "headers": .texts, "data": .texts, "notification": .structure,
            "fcm_options": .object(ObjectType("WebpushFcmOptions", ["link": .text, "analytics_label": .text])),
        ])

    private static let apns = ObjectType(
        "ApnsConfig",
        [
            "headers": .texts, "payload": .structure, "live_activity_token": .text,
            "fcm_options": .object(ObjectType("ApnsFcmOptions", ["analytics_label": .text, "image": .text])),
        ])
}
