package import PushAdapter

/// A push that passed a vendor's checks. JPush and EngageLab are one maker's: they have the same parts under the same
/// names, and each its own rules for them.
package struct JiguangPush: Sendable {
    /// The whole request.
    package let request: JSONValue
    /// The object with the contents and the options.
    package let body: JSONValue
    package let platforms: Set<String>
    /// The keys of the audience with their values; empty for everyone.
    package let audience: [String: [String]]
    package let badge: BadgeChange?

    package init(
        request: [String: JSONValue], body: [String: JSONValue], platforms: Set<String>, audience: [String: [String]],
        badge: BadgeChange?
    ) {
        self.request = .object(request)
        self.body = .object(body)
        self.platforms = platforms
        self.audience = audience
        self.badge = badge
    }

    package var notification: JSONValue? { body["notification"] }
    package var message: JSONValue? { body["message"] }
    package var liveActivity: JSONValue? { body["live_activity"] }
    package var options: JSONValue? { body["options"] }
    /// The message that the push replaces.
    package var override: String? { options?["override_msg_id"]?.identifier }
    /// The id under which a later notification replaces this one on an Apple device.
    package var collapseID: String? { options?["apns_collapse_id"]?.stringValue }
    /// How long the push may wait for a device, in seconds.
    package var life: Int { options?["time_to_live"]?.intValue ?? 86_400 }
    package var isProduction: Bool { options?["apns_production"]?.boolValue ?? true }
    package var isMutable: Bool { Self.isOn(notification?["ios"]?["mutable-content"]) }

    /// The custom message. An object as content becomes JSON text.
    package var custom: CustomMessage? {
        guard let content = message?["msg_content"] else { return nil }
        var custom = CustomMessage(
            content: content.stringValue ?? String(decoding: JSONWriter.bytes(of: content), as: UTF8.self),
            title: message?["title"]?.stringValue, contentType: message?["content_type"]?.stringValue)
        if case .object(let extras) = message?["extras"] { custom.extras = extras }
        return custom
    }

    static func isOn(_ flag: JSONValue?) -> Bool { flag == true || flag == 1 }

    /// Reads `all`, a list, or one word; nil for a platform that is not known.
    package static func platforms(_ value: JSONValue, known: Set<String>) -> Set<String>? {
        if value == "all" { return known }
        let names = value.arrayValue?.map(\.stringValue) ?? [value.stringValue]
        let found = names.compactMap { $0 }.filter(known.contains)
        return found.isEmpty || found.count != names.count ? nil : Set(found)
    }
}

extension Platform {
    /// The vendors' word for the platform.
    package var wireName: String { self == .harmony ? "hmos" : rawValue }
}
