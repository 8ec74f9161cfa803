import FoundationEssentials

/// How soon a sleeping device gets a message.
public enum DeliveryPriority: String, Sendable, Hashable, Codable, CaseIterable {
    /// When it suits the device's battery.
    case normal
    /// At once. Vendors slow down apps that use it for messages that show nothing.
    case high
}

/// The contents to send (a notification, a custom message for the app, or both) and how to deliver them.
///
/// Its JSON form has the property names as keys, and `class` for `messageClass`; absent keys take the default.
/// `timeToLive` is in seconds. `options` holds one object per vendor; a provider ignores those of other vendors and the
/// message keeps them.
///
/// ```json
/// {"notification": {"title": "Shop", "body": "Order shipped", "ios": {"badge": "+1"}},
///  "timeToLive": 3600, "environment": "production", "options": {"acme": {"number": 4711}}}
/// ```
public struct Message: Sendable {
    private struct Contents: Sendable, Hashable {
        var notification: Notification?
        var custom: CustomMessage?
        var liveActivity: JSONValue?
        var voip: JSONValue?
        var platforms: Set<Platform>?
        var timeToLive: Duration?
        var deliveryPriority: DeliveryPriority?
        var messageClass: MessageClass?
        var environment: AppEnvironment
        var options: [ProviderID: JSONValue] = [:]
        var readOptions = ReadOptions()
    }

    /// Behind one reference: each request of a send copies its message, and most are for the same one.
    private var contents: Boxed<Contents>

    /// The notification that the system shows.
    public var notification: Notification? {
        get { contents.value.notification }
        set { contents.value.notification = newValue }
    }
    /// The message that the app receives.
    public var custom: CustomMessage? {
        get { contents.value.custom }
        set { contents.value.custom = newValue }
    }
    /// An update of an iOS Live Activity, in Apple's format: the `json` of a ``LiveActivityUpdate``.
    public var liveActivity: JSONValue? {
        get { contents.value.liveActivity }
        set { contents.value.liveActivity = newValue }
    }
    /// The payload of a VoIP push.
    public var voip: JSONValue? {
        get { contents.value.voip }
        set { contents.value.voip = newValue }
    }
    /// The platforms to deliver to; nil is every platform the app has. The notification's values for others are
    /// ignored.
    public var platforms: Set<Platform>? {
        get { contents.value.platforms }
        set { contents.value.platforms = newValue }
    }
    /// Whole seconds for which the vendor keeps the message for a device that is offline; nil is the vendor's default.
    public var timeToLive: Duration? {
        get { contents.value.timeToLive }
        set { contents.value.timeToLive = newValue }
    }
    /// How soon a sleeping device gets the message; nil is the vendor's default. On Apple's devices, a message that
    /// shows nothing always has normal priority.
    public var deliveryPriority: DeliveryPriority? {
        get { contents.value.deliveryPriority }
        set { contents.value.deliveryPriority = newValue }
    }
    /// The purpose of the notification, by which phone makers count and show it; nil is the default of the app's
    /// settings.
    public var messageClass: MessageClass? {
        get { contents.value.messageClass }
        set { contents.value.messageClass = newValue }
    }
    /// The APNs environment that the app's tokens belong to.
    public var environment: AppEnvironment {
        get { contents.value.environment }
        set { contents.value.environment = newValue }
    }
    /// Vendor options by provider.
    public private(set) var options: [ProviderID: JSONValue] {
        get { contents.value.options }
        set { contents.value.options = newValue }
    }

    /// A message with these contents and no vendor options; `set(_:)` adds those.
    public init(
        notification: Notification? = nil, custom: CustomMessage? = nil, liveActivity: JSONValue? = nil,
        voip: JSONValue? = nil, platforms: Set<Platform>? = nil, timeToLive: Duration? = nil,
        deliveryPriority: DeliveryPriority? = nil, messageClass: MessageClass? = nil,
        environment: AppEnvironment = .production
    ) {
        contents = Boxed(
            Contents(
                notification: notification, custom: custom, liveActivity: liveActivity, voip: voip,
                platforms: platforms, timeToLive: timeToLive, deliveryPriority: deliveryPriority,
                messageClass: messageClass, environment: environment))
    }

    /// The features a provider must have for this content.
    public var features: [Feature] {
        var features: [Feature] = []
        if let notification {
            features.append(.contentNotification)
            if case .change = notification.ios?.badge { features.append(.contentBadgeArithmetic) }
        }
        if custom != nil { features.append(.contentCustom) }
        if liveActivity != nil { features.append(.contentLiveActivity) }
        if voip != nil { features.append(.contentVoIP) }
        return features
    }
}

extension Message {
    /// Whether both are unchanged copies of one message. If false, their contents may still be equal.
    ///
    /// For the client, which encodes the message of a list once. Unlike `==`, it compares no texts, so two spellings of an
    /// accent are two messages.
    package func isCopy(of other: Message) -> Bool { contents.isCopy(of: other.contents) }
}

extension Message: Hashable {
    /// Equal when all contents are; at once for copies of one message.
    public static func == (left: Message, right: Message) -> Bool {
        left.isCopy(of: right) || left.contents.value == right.contents.value
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(contents.value) }
}

extension Message {
    /// Sets the options of one vendor, replacing earlier ones of the same vendor.
    public mutating func set<Options: ProviderOptions>(_ value: Options) throws(PushError) {
        do {
            let bytes = try JSONEncoder().encode(value)
            options[Options.provider] = try JSONValue(parsing: Array(bytes))
        } catch {
            throw PushError(
                .invalidArgument, "the \(Options.provider) options cannot be written: \(JSONValue.reason(for: error))")
        }
        // `options(_:)` refuses options that cannot be read.
        contents.value.readOptions.values[Options.provider] = nil
        contents.value.readOptions.values[Options.provider] = try? self.options(Options.self)
    }

    /// Sets the options of one vendor in their JSON form, which `options(_:)` reads later.
    mutating func set(_ value: JSONValue, of vendor: ProviderID) {
        options[vendor] = value
        contents.value.readOptions.values[vendor] = nil
    }

    /// The options of one vendor, nil when none were set.
    ///
    /// Refuses options with an unknown or ill-typed key, with `invalidArgument`; the message names the first such key.
    public func options<Options: ProviderOptions>(_ type: Options.Type) throws(PushError) -> Options? {
        guard let value = options[Options.provider] else { return nil }
        if let read = contents.value.readOptions.values[Options.provider] as? Options { return read }
        do {
            let options = try JSONDecoder().decode(
                StrictOptions<Options>.self, from: try JSONEncoder().encode(value)
            ).value
            // A nested key that the type does not have is missing when the options are encoded again.
            let understood = try JSONValue(parsing: Array(try JSONEncoder().encode(options)))
            if let path = value.firstPath(missingIn: understood) {
                throw UnknownKey(name: path, known: [], path: [])
            }
            return options
        } catch {
            throw PushError(.invalidArgument, "the \(Options.provider) options: \(JSONValue.reason(for: error))")
        }
    }

    /// The options as decoded when they were set. Every request of a send needs them, and decoding takes longer than
    /// writing the request. They derive from `options`, so two messages never differ by them.
    private struct ReadOptions: Sendable, Hashable {
        var values: [ProviderID: any ProviderOptions] = [:]

        static func == (left: ReadOptions, right: ReadOptions) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    private struct StrictOptions<Options: ProviderOptions>: Decodable {
        let value: Options
        init(from decoder: any Decoder) throws {
            try StrictKeys.check(decoder, Options.keys)
            value = try Options(from: decoder)
        }
    }
}

extension Message: CustomStringConvertible, CustomReflectable {
    /// The kinds of its contents, never the texts.
    public var description: String { "a message (\(features.map(\.rawValue).joined(separator: ", ")))" }
    /// Empty, so `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Message: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case notification, custom, liveActivity, voip, platforms, timeToLive, deliveryPriority, environment
        case messageClass = "class"
        case options
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        self.init(
            notification: try container.decodeIfPresent(Notification.self, forKey: .notification),
            custom: try container.decodeIfPresent(CustomMessage.self, forKey: .custom),
            liveActivity: try container.decodeIfPresent(JSONValue.self, forKey: .liveActivity),
            voip: try container.decodeIfPresent(JSONValue.self, forKey: .voip),
            platforms: try container.decodeIfPresent([Platform].self, forKey: .platforms).map(Set.init),
            timeToLive: try container.decodeIfPresent(Int.self, forKey: .timeToLive).map { .seconds($0) },
            deliveryPriority: try container.decodeIfPresent(DeliveryPriority.self, forKey: .deliveryPriority),
            messageClass: try container.decodeIfPresent(MessageClass.self, forKey: .messageClass),
            environment: try container.decodeIfPresent(AppEnvironment.self, forKey: .environment) ?? .production)
        let options = try container.decodeIfPresent([String: JSONValue].self, forKey: .options) ?? [:]
        self.options = Dictionary(uniqueKeysWithValues: options.map { (ProviderID($0.key), $0.value) })
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(notification, forKey: .notification)
        try container.encodeIfPresent(custom, forKey: .custom)
        try container.encodeIfPresent(liveActivity, forKey: .liveActivity)
        try container.encodeIfPresent(voip, forKey: .voip)
        try container.encodeIfPresent(platforms?.sorted(), forKey: .platforms)
        try container.encodeIfPresent(timeToLive?.components.seconds, forKey: .timeToLive)
        try container.encodeIfPresent(deliveryPriority, forKey: .deliveryPriority)
        try container.encodeIfPresent(messageClass, forKey: .messageClass)
        try container.encode(environment, forKey: .environment)
        if !options.isEmpty {
            let named = options.map { ($0.key.rawValue, $0.value) }
            try container.encode(Dictionary(uniqueKeysWithValues: named), forKey: .options)
        }
    }
}
