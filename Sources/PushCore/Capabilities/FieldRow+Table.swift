extension FieldRow {
    /// Every field of the model, in the order of its pages.
    package static let all: [FieldRow] = common + classes + custom + ios + android + harmony

    private static let common: [FieldRow] = {
        let whole = FieldOwner<Message>(read: { $0 }, edit: { $1(&$0) })
        let shown = FieldOwner<Notification>(
            read: \.notification,
            edit: { message, change in
                var part = message.notification ?? Notification(body: "Hello")
                change(&part)
                message.notification = part
            })
        return [
            whole.row(.platforms, \.platforms, .platforms, examples: [[.ios], [.android], [.harmony]]),
            whole.row(.timeToLive, \.timeToLive, .seconds, examples: [.seconds(77), .seconds(3600)]),
            whole.row(.deliveryPriority, \.deliveryPriority, examples: [.high, .normal]),
            whole.row(.environment, \.ownEnvironment, examples: [.development]),
        ] + shown.text(.title, \.title) + shown.text(.body, \.body) + [
            shown.row(.image, \.image, .address, examples: ["https://example.com/a.png"]),
            shown.row(.extras, \.ownExtras, .extras, examples: [["key": "value"]]),
        ]
    }()

    private static let classes: [FieldRow] = {
        let whole = FieldOwner<Message>(read: { $0 }, edit: { $1(&$0) })
        let classified = FieldOwner<MessageClass>(
            read: \.messageClass,
            edit: { message, change in
                var part = message.messageClass ?? MessageClass(.service, .order)
                change(&part)
                message.messageClass = part
            })
        let template = MessageClass.Template(
            ids: ["xiaomi": "P10086", "oppo": "10086"], titleValues: ["shop": "Shop"], bodyValues: ["number": "7"])
        return [
            whole.row(
                .messageClass, \.messageClass, .category,
                examples: [MessageClass(.service, .order), MessageClass(.marketing, .promotion)]),
            classified.row(.template, \.template, .template, examples: [template]),
        ]
    }()

    private static let custom: [FieldRow] = {
        let custom = FieldOwner<CustomMessage>(
            read: \.custom,
            edit: { message, change in
                var part = message.custom ?? CustomMessage(content: "data")
                change(&part)
                message.custom = part
            })
        return [
            custom.row(.customTitle, \.title, examples: ["title"]),
            custom.row(.customContentType, \.contentType, examples: ["type"]),
            custom.row(.customExtras, \.ownExtras, .extras, examples: [["key": "value"]]),
        ]
    }()

    private static let ios: [FieldRow] = {
        let ios = platform(\.ios) { IOSNotification() }
        return ios.text(.ios("title"), \.title) + ios.text(.ios("subtitle"), \.subtitle)
            + ios.text(.ios("body"), \.body) + [
                ios.row(.ios("sound"), \.sound, .name, examples: ["sound"]),
                ios.row(
                    .ios("badge"), \.badge, .appleBadge, examples: [.set(7), .change(by: 7), .change(by: -7)]),
                ios.row(.ios("category"), \.category, .name, examples: ["category"]),
                ios.row(.ios("threadID"), \.threadID, .name, examples: ["thread"]),
                ios.row(.ios("isMutable"), \.mutability, examples: [true]),
                ios.row(.ios("isContentAvailable"), \.availability, examples: [true]),
                ios.row(.ios("interruptionLevel"), \.interruptionLevel, examples: [.passive]),
                ios.row(.ios("collapseID"), \.collapseID, .id(bytes: 64), examples: ["collapse"]),
                ios.row(.ios("image"), \.image, .address, examples: ["https://example.com/a.png"]),
                ios.row(.ios("extras"), \.extras, .extras, examples: [["own": "value"]]),
            ]
    }()

    private static let android: [FieldRow] = {
        let android = platform(\.android) { AndroidNotification() }
        return android.text(.android("title"), \.title) + android.text(.android("body"), \.body)
            + [
                android.row(.android("channelID"), \.channelID, .name, examples: ["channel"]),
                android.row(.android("priority"), \.priority, .number(-2...2), examples: [1]),
                android.row(.android("category"), \.category, .name, examples: ["category"]),
                android.row(.android("sound"), \.sound, .name, examples: ["sound"]),
            ] + android.tap(.android("tap"), \.tap) + android.badge(.android("badge"), \.badge) + [
                android.row(.android("collapseID"), \.collapseID, .name, examples: ["collapse"]),
                android.row(.android("image"), \.image, .address, examples: ["https://example.com/a.png"]),
                android.row(.android("extras"), \.extras, .extras, examples: [["own": "value"]]),
            ]
    }()

    private static let harmony: [FieldRow] = {
        let harmony = platform(\.harmony) { HarmonyNotification() }
        return harmony.text(.harmony("title"), \.title) + harmony.text(.harmony("body"), \.body)
            + [harmony.row(.harmony("category"), \.category, .name, examples: ["category"])]
            + harmony.tap(.harmony("tap"), \.tap)
            + [harmony.row(.harmony("sound"), \.sound, .name, examples: ["sound"])]
            + harmony.badge(.harmony("badge"), \.badge)
            + [
                harmony.row(
                    .harmony("collapseID"), \.collapseID, .number(0...2_147_483_647), examples: [4711]),
                harmony.row(.harmony("extras"), \.extras, .extras, examples: [["own": "value"]]),
            ]
    }()

    private static func platform<Part: Sendable>(
        _ path: any WritableKeyPath<Notification, Part?> & Sendable, _ make: @escaping @Sendable () -> Part
    ) -> FieldOwner<Part> {
        FieldOwner(
            read: { $0.notification?[keyPath: path] },
            edit: { message, change in
                var notification = message.notification ?? Notification(body: "Hello")
                var part = notification[keyPath: path] ?? make()
                change(&part)
                notification[keyPath: path] = part
                message.notification = notification
            })
    }
}

extension FieldRule where Value == Set<Platform> {
    fileprivate static var platforms: FieldRule {
        FieldRule("at least one, or nothing for all", violations: [[]]) { platforms in
            platforms.isEmpty ? (.invalidArgument, "names no platform") : nil
        }
    }
}

// Values that are never nil in the model, as optionals: nil stands for the default.
extension Message {
    fileprivate var ownEnvironment: AppEnvironment? {
        get { environment == .production ? nil : environment }
        set { environment = newValue ?? .production }
    }
}

extension Notification {
    fileprivate var ownExtras: [String: JSONValue]? {
        get { extras.isEmpty ? nil : extras }
        set { extras = newValue ?? [:] }
    }
}

extension CustomMessage {
    fileprivate var ownExtras: [String: JSONValue]? {
        get { extras.isEmpty ? nil : extras }
        set { extras = newValue ?? [:] }
    }
}

extension IOSNotification {
    fileprivate var mutability: Bool? {
        get { isMutable ? true : nil }
        set { isMutable = newValue ?? false }
    }
    fileprivate var availability: Bool? {
        get { isContentAvailable ? true : nil }
        set { isContentAvailable = newValue ?? false }
    }
}
