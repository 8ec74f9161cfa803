import PushAdapter
import PushSimulation

/// The vendor's validations as data, from its documents of 2023 to 2026. The settings cover the open questions.
enum Rules {
    static let identifierBytes = 40
    static let tagsPerDevice = 100
    static let activityIDBytes = 24
    /// The numbers that the SDK's `setBadge` accepts.
    static let badges = 0...99_999
    static let tagsPerCount = 1000
    static let contentBytes = 4000
    static let customArgumentCharacters = 128
    static let longestLife = 15 * 86_400
    static let longestPacing = 1440
    static let keyCharacters = 1...64
    static let keyLifetime = 3600.0
    static let overrideLifetime = 86_400.0
    static let recallLifetime = 86_400.0
    static let batchSize = 1...500
    static let idsPerReport = 100
    static let reportLifetime = 31.0 * 86_400
    static let plansPerReport = 1000
    static let planIDBytes = 1...50
    static let planPage = 1...100
    static let planDays = 31.0
    static let scheduleNameBytes = 255
    static let largestPage = 10_000
    static let voiceLanguages: Set<String> = ["en", "zh-Hans", "zh-Hant"]
    static let platforms: Set<String> = ["android", "ios", "hmos"]
    static let interruptionLevels: Set<String> = ["active", "critical", "passive", "time-sensitive"]
    static let callbackDeadline: Duration = .seconds(3)
    /// The delays between the attempts of a callback. The vendor's page cuts off the last one.
    static let callbackLadder: [Double] = [10, 60, 300, 1800, 3600]
    static let callbackRows = 100
    /// This simulator's own number for a device that cannot be reached. The vendor's numbers are not known.
    static let unreachable = 1

    static let root: [String: WireForm] = [
        "from": .text, "to": .any, "body": .object, "request_id": .text, "custom_args": .any,
    ]
    static let item: [String: WireForm] = [
        "target": .filledText, "platform": .any, "notification": .object, "message": .object, "options": .object,
        "custom_args": .any,
    ]
    static let audience: [String: WireForm] = [
        "tag": .texts, "tag_and": .texts, "tag_not": .texts, "alias": .texts, "registration_id": .texts,
        "live_activity_id": .filledText, "seg": .object,
    ]
    static let body: [String: WireForm] = [
        "platform": .any, "notification": .object, "message": .object, "live_activity": .object, "voip": .object,
        "options": .object,
    ]
    static let notification: [String: WireForm] = [
        "alert": .any, "android": .object, "ios": .object, "hmos": .object,
    ]
    static let ios: [String: WireForm] = [
        "alert": .any, "sound": .any, "badge": .any, "content-available": .flag, "mutable-content": .flag,
        "category": .text, "thread-id": .text, "interruption-level": .text, "extras": .object,
    ]
    static let android: [String: WireForm] = [
        "alert": .any, "title": .text, "builder_id": .integer(0...Int.max), "channel_id": .text, "category": .text,
        "priority": .integer(-2...2), "style": .integer(0...3), "big_text": .text, "inbox": .object,
        "big_pic_path": .text, "extras": .object, "intent": .object, "large_icon": .text, "small_icon": .text,
        "sound": .text, "badge_add_num": .integer(0...Int.max), "badge_set_num": .integer(0...Int.max),
        "badge_class": .text, "display_foreground": .text, "group_id": .text, "is_fold": .flag,
    ]
    static let hmos: [String: WireForm] = [
        "alert": .text, "title": .text, "category": .text, "intent": .object, "large_icon": .text,
        "badge_add_num": .integer(1...99), "badge_set_num": .integer(0...99), "test_message": .flag,
        "receipt_id": .text, "style": .oneOf([0, 3]), "inbox_content": .texts, "push_type": .oneOf([0, 2, 10]),
        "extra_data": .text, "display_foreground": .text, "extras": .object,
    ]
    static let message: [String: WireForm] = [
        "msg_content": .any, "title": .text, "content_type": .text, "extras": .object, "test_message": .flag,
        "receipt_id": .text,
    ]
    static let liveActivity: [String: WireForm] = [
        "event": .text, "attributes-type": .text, "attributes": .object, "content-state": .object, "alert": .object,
        "dismissal-date": .integer(0...Int.max), "stale-date": .integer(0...Int.max),
        "relevance-score": .integer(1...100), "apns-priority": .oneOf([5, 10]),
    ]
    static let options: [String: WireForm] = [
        "time_to_live": .integer(0...longestLife), "override_msg_id": .integer(Int.min...Int.max),
        "apns_production": .flag,
        "apns_collapse_id": .shortText(64), "big_push_duration": .integer(0...Int.max), "multi_language": .object,
        "third_party_channel": .object, "classification": .oneOf([0, 1]), "voice_value": .text,
        "enhanc_message": .flag, "plan_id": .filledText, "cid": .text, "auto_truncation": .flag,
    ]

    /// Whether a text consists of letters, digits, `_` and Chinese, in at most 40 bytes.
    static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= identifierBytes && text.unicodeScalars.allSatisfy(isWordCharacter)
    }

    /// Refuses a tag or an alias with a bad length or bad characters.
    static func check(_ text: String, _ name: String) throws(Refusal) {
        guard text.utf8.count <= identifierBytes else { throw .wrongType(name) }
        guard isIdentifier(text) else { throw .invalid(name) }
    }

    static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: scalar.properties.isIdeographic
        }
    }

    /// Whether a text consists of letters, digits, `_` and `-`.
    static func isKey(_ text: String) -> Bool {
        keyCharacters.contains(text.unicodeScalars.count)
            && text.unicodeScalars.allSatisfy { $0.isASCII && ($0 == "-" || isWordCharacter($0)) }
    }

    static func isPlanID(_ text: String) -> Bool {
        planIDBytes.contains(text.utf8.count) && !text.hasPrefix("_")
            && text.unicodeScalars.allSatisfy { $0.isASCII && isWordCharacter($0) }
    }
}
