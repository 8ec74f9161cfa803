/// A notification that the system shows.
public struct Notification: Sendable, Hashable {
    /// The title, above the text; nil shows the name of the app.
    public var title: String?
    /// The text.
    public var body: String
    /// The address of a picture to show; on Apple's platforms the app needs a service extension, and the notification
    /// `isMutable`.
    public var image: String?
    /// Data for the app, on every platform.
    public var extras: [String: JSONValue]
    /// What differs on Apple's platforms.
    public var ios: IOSNotification?
    /// What differs on Android.
    public var android: AndroidNotification?
    /// What differs on HarmonyOS.
    public var harmony: HarmonyNotification?

    /// A notification with this text, the same everywhere except for what differs on a platform.
    public init(
        title: String? = nil, body: String, image: String? = nil, extras: [String: JSONValue] = [:],
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
}

extension Notification: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case title, body, image, extras, ios, android, harmony }

    public init(from decoder: any Decoder) throws {
        try StrictKeys.check(decoder, CodingKeys.allCases.map(\.rawValue))
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            title: try container.decodeIfPresent(String.self, forKey: .title),
            body: try container.decode(String.self, forKey: .body),
            image: try container.decodeIfPresent(String.self, forKey: .image),
            extras: try container.decodeIfPresent([String: JSONValue].self, forKey: .extras) ?? [:],
            ios: try container.decodeIfPresent(IOSNotification.self, forKey: .ios),
            android: try container.decodeIfPresent(AndroidNotification.self, forKey: .android),
            harmony: try container.decodeIfPresent(HarmonyNotification.self, forKey: .harmony))
    }
}
