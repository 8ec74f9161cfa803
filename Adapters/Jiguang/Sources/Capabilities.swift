package import PushAdapter

extension Dialect {
    /// The message fields that both vendors carry.
    package static let fields: Set<MessageField> = Set(
        [
            .platforms, .timeToLive, .environment, .title, .body, .extras, .customTitle, .customContentType,
            .customExtras,
        ]
            + [
                "title", "title.localized", "subtitle", "subtitle.localized", "body", "body.localized", "sound",
                "badge", "category", "threadID", "isMutable", "isContentAvailable", "interruptionLevel", "collapseID",
                "extras",
            ].map(MessageField.ios)
            + [
                "title", "body", "channelID", "priority", "category", "sound", "tap.intentURI", "badge.set",
                "badge.add", "image", "extras",
            ].map(MessageField.android)
            + [
                "title", "body", "category", "tap.intentURI", "tap.intentAction", "badge.set", "badge.add", "extras",
            ].map(MessageField.harmony))

    /// The fields that neither vendor carries, with the reasons.
    package static func absentFields(of name: String, translations: String) -> [MessageField: String] {
        let replacement =
            "\(name) replaces a message by its id only; set the option override_msg_id to the id in the first report"
        return [
            .title.form("localized"): translations, .body.form("localized"): translations,
            .android("title.localized"): translations, .android("body.localized"): translations,
            .harmony("title.localized"): translations, .harmony("body.localized"): translations,
            .image: "\(name) shows pictures on Android only; set image of the Android notification",
            .deliveryPriority: "\(name) has no field for it",
            .android("collapseID"): replacement, .harmony("collapseID"): replacement,
        ]
    }

    /// The features of both vendors besides the roles' calls, a vendor's own calls, and what neither has.
    package static func support(of name: String, calls: [Feature]) -> [Feature: Support] {
        let native: [Feature] = [
            .scheduleOnce, .scheduleRecurring, .audienceEveryone, .audienceDevices, .audienceAliases,
            .audienceTagsAnyOf, .audienceTagsAllOf, .audienceTagsNoneOf, .audienceSegment, .audienceLiveActivity,
            .contentNotification, .contentCustom, .contentLiveActivity, .contentVoIP, .contentBadgeArithmetic,
        ]
        return [Feature: Support](
            native: native + calls,
            unsupported: .unsupported([
                ([.replaceTags], "\(name) can add and remove tags but cannot replace them"),
                (.accounts, "\(name) has no accounts; use aliases"),
                (.attributes, "\(name) has no attributes; use tags"),
            ]))
    }

    /// The characters of a schedule's name.
    package static func wordCharacters(source: String) -> AllowedCharacters {
        AllowedCharacters(
            "letters, digits, _ and Chinese", ascii: AllowedCharacters.alphanumerics + "_",
            ranges: AllowedCharacters.han, source: source)
    }
}
