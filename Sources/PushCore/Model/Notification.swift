/// A notification that the system shows.
public struct Notification: Sendable, Hashable {
    /// The title, above the text; nil shows the name of the app.
    public var title: Text?
    /// The text. A notification without any text shows nothing: it sets a badge or plays a sound, at vendors that
    /// support that.
    public var body: Text?
    /// The address of a picture to show; on Apple's platforms the app needs a service extension, and the notification
    /// `isMutable`.
    public var image: String?
    /// Data for the app, on every platform.
    public var extras: [String: JSONValue]
    /// The differences on Apple's platforms.
    public var ios: IOSNotification?
    /// The differences on Android.
    public var android: AndroidNotification?
    /// The differences on HarmonyOS.
    public var harmony: HarmonyNotification?

    /// A notification with these texts, the same everywhere except for the differences of a platform.
    public init(
        title: Text? = nil, body: Text? = nil, image: String? = nil, extras: [String: JSONValue] = [:],
        ios: IOSNotification? = nil, android: AndroidNotification? = nil, harmony: HarmonyNotification? = nil
    ) {
        self.title = title
        self.body = body
        self.image = image
        self.extras = extras
        self.ios = ios
        self.android = android
        self.harmony = harmony
    }

    /// A notification with plain texts.
    public init(
        title: String? = nil, body: String, image: String? = nil, extras: [String: JSONValue] = [:],
        ios: IOSNotification? = nil, android: AndroidNotification? = nil, harmony: HarmonyNotification? = nil
    ) {
        self.init(
            title: title.map(Text.plain), body: .plain(body), image: image, extras: extras, ios: ios, android: android,
            harmony: harmony)
    }
}

extension Notification: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case title, body, image, extras, ios, android, harmony }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        self.init(
            title: try container.decodeIfPresent(Text.self, forKey: .title),
            body: try container.decodeIfPresent(Text.self, forKey: .body),
            image: try container.decodeIfPresent(String.self, forKey: .image),
            extras: try container.decodeIfPresent([String: JSONValue].self, forKey: .extras) ?? [:],
            ios: try container.decodeIfPresent(IOSNotification.self, forKey: .ios),
            android: try container.decodeIfPresent(AndroidNotification.self, forKey: .android),
            harmony: try container.decodeIfPresent(HarmonyNotification.self, forKey: .harmony))
    }
}

extension Notification {
    /// The title on a platform: the platform's own, else the common one.
    public func title(on platform: Platform) -> Text? {
        switch platform {
        case .ios: ios?.title ?? title
        case .android: android?.title ?? title
        case .harmony: harmony?.title ?? title
        default: title
        }
    }

    /// The text on a platform: the platform's own, else the common one.
    public func body(on platform: Platform) -> Text? {
        switch platform {
        case .ios: ios?.body ?? body
        case .android: android?.body ?? body
        case .harmony: harmony?.body ?? body
        default: body
        }
    }
}

extension Notification {
    /// Whether nothing is shown, heard or changed anywhere.
    package var isEmpty: Bool {
        let texts = [title, body, ios?.title, ios?.subtitle, ios?.body, android?.title, android?.body, harmony?.title]
        let badges = [ios?.badge, android?.badge, harmony?.badge]
        let sounds = [ios?.sound, android?.sound, harmony?.sound]
        return texts.allSatisfy { $0 == nil } && harmony?.body == nil && badges.allSatisfy { $0 == nil }
            && sounds.allSatisfy { $0 == nil } && ios?.isContentAvailable != true
    }
}
