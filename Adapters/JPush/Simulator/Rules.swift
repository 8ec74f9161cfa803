import PushSimulation

/// The vendor's validations as data, from its documentation of 2019 to 2026.
enum Rules {
    static let identifierBytes = 1...40
    static let tagsPerList = 100
    static let tagListBytes = 1000
    static let tagsPerDevice = 1000
    static let tagsPerAudience = 20
    static let idsPerAudience = 1000
    static let segmentsPerAudience = 1
    static let androidBytes = 4000
    /// The numbers that the SDK's `setBadge` accepts.
    static let badges = 0...99_999
    static let idsPerReport = 100
    static let reportDays = 28.0
    static let keysPerMint = 1...1000
    static let keyLifetime = 86_400.0
    static let window = 60.0
    static let overrideLifetime = 86_400.0
    static let liveActivityBytes = 3584
    static let idsPerCall = 1000
    static let batchSize = 1...1000
    static let tagsListed = 100
    static let devicesListed = 10
    static let schedulesPerPage = 50
    static let scheduleNameBytes = 1...255
    static let groupMessagesPerReport = 10
    static let largestPage = 10_000
    static let fileBytes = 10 << 20
    static let fileHours = 1...720

    static let push: [String: WireForm] = [
        "platform": .any, "audience": .any, "notification": .object, "message": .object, "notification_3rd": .object,
        "inapp_message": .object, "live_activity": .object, "sms_message": .object, "options": .object,
        "callback": .object, "cid": .filledText,
    ]

    static let audience: [String: WireForm] = [
        "tag": .texts, "tag_and": .texts, "tag_not": .texts, "alias": .texts, "registration_id": .texts,
        "segment": .texts, "abtest": .texts, "live_activity_id": .filledText, "file": .object,
    ]

    static let notification: [String: WireForm] = [
        "alert": .text, "android": .object, "ios": .object, "hmos": .object, "quickapp": .object, "voip": .object,
        "winphone": .object, "alternate_alert": .text,
    ]

    static let android: [String: WireForm] = [
        "alert": .text, "title": .text, "builder_id": .integer(0...Int.max), "channel_id": .shortText(1000),
        "priority": .integer(-2...2), "category": .text, "style": .integer(0...3), "alert_type": .integer(-1...7),
        "big_text": .text, "inbox": .object, "big_pic_path": .text, "extras": .object, "large_icon": .text,
        "small_icon_uri": .text, "icon_bg_color": .text, "intent": .object, "uri_activity": .text, "uri_action": .text,
        "badge_add_num": .integer(1...99), "badge_set_num": .integer(0...99), "badge_class": .text, "sound": .text,
        // The vendor's own libraries put these fields here; its page puts them in extras.
        "mipns_content_forshort": .text, "oppns_content_forshort": .text, "vpns_content_forshort": .text,
        "mzpns_content_forshort": .text,
        "show_begin_time": .text, "show_end_time": .text, "display_foreground": .text, "custom_buttons": .any,
    ]

    static let ios: [String: WireForm] = [
        "alert": .any, "sound": .any, "badge": .any, "content-available": .flagOrBit, "mutable-content": .flagOrBit,
        "category": .text, "thread-id": .text, "interruption-level": .text, "extras": .object,
    ]

    static let hmos: [String: WireForm] = [
        "alert": .filledText, "title": .text, "category": .text, "large_icon": .text, "intent": .object,
        "badge_add_num": .integer(1...99), "badge_set_num": .integer(0...99), "test_message": .flag,
        "receipt_id": .text, "extras": .object, "style": .oneOf([0, 2]), "inbox": .object,
        "push_type": .oneOf([0, 1, 2, 7, 10]), "extra_data": .text, "hm_payload": .object, "display_foreground": .text,
        "sound": .text, "sound_duration": .integer(1...60),
    ]

    static let liveActivity: [String: WireForm] = [
        "event": .filledText, "content-state": .object, "attributes-type": .filledText, "attributes": .object,
        "alert": .object, "dismissal-date": .integer(0...Int.max), "stale-date": .integer(0...Int.max),
        "relevance-score": .integer(1...100), "apns-priority": .oneOf([5, 10]),
    ]

    static let message: [String: WireForm] = [
        "msg_content": .filledText, "title": .text, "content_type": .text, "extras": .object, "alternate_title": .text,
        "alternate_content": .text,
    ]

    static func options(longestLife: Int) -> [String: WireForm] {
        [
            "sendno": .nonZero, "time_to_live": .integer(0...longestLife),
            "override_msg_id": .integer(1...Int.max), "apns_production": .flag, "apns_collapse_id": .shortText(64),
            "big_push_duration": .integer(0...1400), "third_party_channel": .object, "classification": .integer(0...1),
            "target_event": .texts, "test_message": .flag, "receipt_id": .text, "active_push": .flag,
            "need_backup": .flag, "business_operation_code": .text, "notification_3rd_ver": .text, "test_model": .flag,
            "auto_truncation": .flag, "mkt_enable": .flag, "notification_switch_filter": .flag,
            "alternate_set": .flag, "geofence": .any, "portal_extra": .any,
        ]
    }

    static let platforms: Set<String> = ["android", "ios", "hmos", "quickapp", "winphone"]
    static let interruptionLevels: Set<String> = ["active", "critical", "passive", "time-sensitive"]

    /// Whether a text consists of letters, digits, `_`, Chinese characters, and the vendor's list of signs.
    static func isIdentifier(_ text: String) -> Bool {
        identifierBytes.contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9": true
                case "_", "@", "!", "#", "$", "&", "*", "+", "=", ".", "|", "\u{FFE5}": true
                default: scalar.properties.isIdeographic
                }
            }
    }
}
