import PushClient
import PushCore

extension ConformanceCheck {
    /// One message field per check: it is in the request, or the message is refused.
    static let fields: [ConformanceCheck] =
        [options]
        + variations.map { name, needs, edit in
            ConformanceCheck(
                .encoding, "field.\(name)",
                "A message's \(name) changes the request or is refused, unless the app lacks its platform.",
                needs: [.send] + needs, isSafeLive: true
            ) { world in
                let plain =
                    needs.first == .contentCustom
                    ? Message(custom: CustomMessage(content: "data"))
                    : Message(
                        notification: Notification(
                            body: "Hello", ios: IOSNotification(), android: AndroidNotification(),
                            harmony: HarmonyNotification()))
                var varied = plain
                edit(&varied)
                if let field = MessageField.of(name), !world.provider.capabilities.fields.contains(field),
                    world.has(platformOf: name)
                {
                    let refusals = world.client.explain(varied, to: world.audience).refusals
                    return try expect(
                        refusals.first?.kind == .unsupported && refusals.first?.message.contains("\(field)") == true,
                        "a refusal of \(field), which is not declared", actual: "\(refusals)",
                        hint: "declare the fields that the adapter writes in capabilities.fields")
                }
                let before = try world.outline(of: .send, message: plain)
                let after: Outline?
                do throws(PushError) {
                    after = try world.outline(of: .send, message: varied)
                } catch {
                    return try expectEqual(error.kind, .unsupported, "the kind", hint: "\(error)")
                }
                guard world.has(platformOf: name) else {
                    return try expect(
                        after?.request == before?.request, "the same request", actual: "another one",
                        hint: "ignore fields for a platform that the app cannot have")
                }
                try expect(
                    after?.request != before?.request, "another request, or a refusal", actual: "the same request",
                    hint: "refuse what the vendor cannot express; never drop it")
            }
        }

    private static let options = ConformanceCheck(
        .encoding, "field.options", "The vendor's own options are part of the request.", isSafeLive: true,
        when: { $0.has(.send) && $0.has(.contentNotification) && $0.harness.samples.options != nil },
        supported: { world in
            guard let options = world.harness.samples.options else { return }
            let plain = Message(notification: Notification(body: "Hello"))
            let before = try world.outline(of: .send, message: plain)
            let after = try world.outline(
                of: .send, message: try world.message(with: options, for: world.provider.id))
            try expect(
                after?.request != before?.request, "another request", actual: "the same",
                hint: "never drop options")
        },
        refused: { world in
            guard try await !world.expectRefusal(ofFirstMissing: [.send, .contentNotification]) else { return }
            let message = try world.message(with: ["any": 1], for: world.provider.id)
            try await world.expectRefusal(
                "an option", as: [.invalidArgument, .unsupported], hint: "the harness's samples have none"
            ) { () async throws(PushError) in try await world.client.send(message, to: world.audience) }
        })

    private static let variations: [(name: String, needs: [Feature], edit: @Sendable (inout Message) -> Void)] = [
        ("timeToLive", [.contentNotification], { $0.timeToLive = .seconds(77) }),
        ("deliveryPriority", [.contentNotification], { $0.deliveryPriority = .high }),
        ("image", [.contentNotification], { $0.notification?.image = "https://example.com/a.png" }),
        ("environment", [.contentNotification], { $0.environment = .development }),
        ("platforms.ios", [.contentNotification], { $0.platforms = [.ios] }),
        ("platforms.android", [.contentNotification], { $0.platforms = [.android] }),
        ("platforms.harmony", [.contentNotification], { $0.platforms = [.harmony] }),
        ("custom", [.contentNotification, .contentCustom], { $0.custom = CustomMessage(content: "data") }),
        ("custom.title", [.contentCustom], { $0.custom?.title = "title" }),
        ("custom.contentType", [.contentCustom], { $0.custom?.contentType = "type" }),
        ("title", [.contentNotification], { $0.notification?.title = "title" }),
        ("custom.extras", [.contentCustom], { $0.custom?.extras = ["key": "value"] }),
        ("extras", [.contentNotification], { $0.notification?.extras = ["key": "value"] }),
        ("ios.title", [.contentNotification], { $0.notification?.ios?.title = "title" }),
        ("ios.subtitle", [.contentNotification], { $0.notification?.ios?.subtitle = "subtitle" }),
        ("ios.sound", [.contentNotification], { $0.notification?.ios?.sound = "sound" }),
        ("ios.badge.set", [.contentNotification], { $0.notification?.ios?.badge = .set(7) }),
        (
            "ios.badge.plus", [.contentNotification, .contentBadgeArithmetic],
            { $0.notification?.ios?.badge = .change(by: 7) }
        ),
        (
            "ios.badge.minus", [.contentNotification, .contentBadgeArithmetic],
            { $0.notification?.ios?.badge = .change(by: -7) }
        ),
        ("ios.category", [.contentNotification], { $0.notification?.ios?.category = "category" }),
        ("ios.threadID", [.contentNotification], { $0.notification?.ios?.threadID = "thread" }),
        ("ios.isMutable", [.contentNotification], { $0.notification?.ios?.isMutable = true }),
        ("ios.isContentAvailable", [.contentNotification], { $0.notification?.ios?.isContentAvailable = true }),
        ("ios.interruptionLevel", [.contentNotification], { $0.notification?.ios?.interruptionLevel = .passive }),
        ("ios.collapseID", [.contentNotification], { $0.notification?.ios?.collapseID = "collapse" }),
        (
            "ios.localizedTitle", [.contentNotification],
            { $0.notification?.ios?.localizedTitle = LocalizedText("TITLE", arguments: ["1"]) }
        ),
        (
            "ios.localizedSubtitle", [.contentNotification],
            { $0.notification?.ios?.localizedSubtitle = LocalizedText("SUBTITLE") }
        ),
        (
            "ios.localizedBody", [.contentNotification],
            { $0.notification?.ios?.localizedBody = LocalizedText("BODY", arguments: ["1", "2"]) }
        ),
        ("ios.image", [.contentNotification], { $0.notification?.ios?.image = "https://example.com/a.png" }),
        ("ios.extras", [.contentNotification], { $0.notification?.ios?.extras = ["own": "value"] }),
        ("android.title", [.contentNotification], { $0.notification?.android?.title = "title" }),
        ("android.channelID", [.contentNotification], { $0.notification?.android?.channelID = "channel" }),
        ("android.priority", [.contentNotification], { $0.notification?.android?.priority = 1 }),
        ("android.category", [.contentNotification], { $0.notification?.android?.category = "category" }),
        ("android.sound", [.contentNotification], { $0.notification?.android?.sound = "sound" }),
        ("android.intentURL", [.contentNotification], { $0.notification?.android?.intentURL = "app://home" }),
        ("android.badgeIncrement", [.contentNotification], { $0.notification?.android?.badgeIncrement = 7 }),
        (
            "android.localizedTitle", [.contentNotification],
            { $0.notification?.android?.localizedTitle = LocalizedText("title", arguments: ["1"]) }
        ),
        (
            "android.localizedBody", [.contentNotification],
            { $0.notification?.android?.localizedBody = LocalizedText("body") }
        ),
        ("android.image", [.contentNotification], { $0.notification?.android?.image = "https://example.com/a.png" }),
        ("android.extras", [.contentNotification], { $0.notification?.android?.extras = ["own": "value"] }),
        ("harmony.title", [.contentNotification], { $0.notification?.harmony?.title = "title" }),
        ("harmony.body", [.contentNotification], { $0.notification?.harmony?.body = "body" }),
        ("harmony.category", [.contentNotification], { $0.notification?.harmony?.category = "category" }),
        ("harmony.intentURL", [.contentNotification], { $0.notification?.harmony?.intentURL = "app://home" }),
        ("harmony.sound", [.contentNotification], { $0.notification?.harmony?.sound = "sound" }),
        ("harmony.badgeIncrement", [.contentNotification], { $0.notification?.harmony?.badgeIncrement = 7 }),
        ("harmony.extras", [.contentNotification], { $0.notification?.harmony?.extras = ["own": "value"] }),
    ]
}

extension MessageField {
    /// The field that a variation is about; nil for the content itself.
    fileprivate static func of(_ variation: String) -> MessageField? {
        guard variation != "custom" else { return nil }
        if variation.hasPrefix("platforms.") { return .platforms }
        return MessageField(rawValue: variation.hasPrefix("ios.badge.") ? "ios.badge" : variation)
    }
}

extension World {
    /// Whether the app can have the platform that a field is for.
    fileprivate func has(platformOf field: String) -> Bool {
        guard let platforms = provider.capabilities.platforms else { return true }
        if field.hasPrefix("ios.") || field == "environment" { return platforms.contains(.ios) }
        if field.hasPrefix("android.") { return platforms.contains(.android) }
        if field.hasPrefix("harmony.") { return platforms.contains(.harmony) }
        // A message for the app's only platform equals one for all.
        return !(field.hasPrefix("platforms.") && platforms == [Platform(String(field.dropFirst(10)))])
    }
}
