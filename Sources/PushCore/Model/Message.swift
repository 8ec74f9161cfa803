import FoundationEssentials

/// How soon a sleeping device gets a message.
public enum DeliveryPriority: String, Sendable, Hashable, Codable, CaseIterable {
    /// When it suits the device's battery.
    case normal
    /// At once. Vendors slow down apps that use it for messages that show nothing.
    case high
}

/// What to send (a notification, a custom message for the app, or both) and how to deliver it.
///
/// Its JSON form has the property names as keys; absent keys take the default. `timeToLive` is in seconds. `options`
/// holds one object per vendor; a provider ignores those of other vendors and the message keeps them.
///
/// ```json
/// {"notification": {"title": "Shop", "body": "Order shipped", "ios": {"badge": "+1"}},
///  "timeToLive": 3600, "environment": "production", "options": {"acme": {"number": 4711}}}
/// ```
public struct Message: Sendable, Hashable {
    /// The notification that the system shows.
    public var notification: Notification?
    /// The message that the app receives.
    public var custom: CustomMessage?
    /// An update of an iOS Live Activity, in Apple's format.
    public var liveActivity: JSONValue?
    /// The payload of a VoIP push.
    public var voip: JSONValue?
    /// The platforms to deliver to; nil is every platform the app has.
    public var platforms: Set<Platform>?
    /// Whole seconds for which the vendor keeps the message for a device that is offline; nil is the vendor's default.
    public var timeToLive: Duration?
    /// How soon a sleeping device gets the message; nil is the vendor's default.
    public var deliveryPriority: DeliveryPriority?
    /// The APNs environment that the app's tokens belong to.
    public var environment: APNsEnvironment
    /// Vendor options by provider.
    public private(set) var options: [ProviderID: JSONValue]
    private var readOptions = ReadOptions()

    /// A message with these contents and no vendor options; `set(_:)` adds those.
    public init(
        notification: Notification? = nil, custom: CustomMessage? = nil, liveActivity: JSONValue? = nil,
        voip: JSONValue? = nil, platforms: Set<Platform>? = nil, timeToLive: Duration? = nil,
        deliveryPriority: DeliveryPriority? = nil, environment: APNsEnvironment = .production
    ) {
        self.notification = notification
        self.custom = custom
        self.liveActivity = liveActivity
        self.voip = voip
        self.platforms = platforms
        self.timeToLive = timeToLive
        self.deliveryPriority = deliveryPriority
        self.environment = environment
        options = [:]
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
    /// Sets the options of one vendor, replacing earlier ones of the same vendor.
    public mutating func set<Options: ProviderOptions>(_ value: Options) throws(PushError) {
        do {
            let bytes = try JSONEncoder().encode(value)
            options[Options.provider] = try JSONValue(parsing: Array(bytes))
        } catch {
            throw PushError(
                .invalidArgument, "the \(Options.provider) options cannot be written: \(JSONValue.reason(for: error))")
        }
        // `options(_:)` refuses what cannot be read.
        readOptions.values[Options.provider] = nil
        readOptions.values[Options.provider] = try? self.options(Options.self)
    }

    /// The options of one vendor, nil when none were set.
    ///
    /// Refuses options with an unknown or ill-typed key, with `invalidArgument`; the message names the first such key.
    public func options<Options: ProviderOptions>(_ type: Options.Type) throws(PushError) -> Options? {
        guard let value = options[Options.provider] else { return nil }
        if let read = readOptions.values[Options.provider] as? Options { return read }
        do {
            let options = try JSONDecoder().decode(
                StrictOptions<Options>.self, from: Data(JSONWriter.bytes(of: value))
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

extension Message: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case notification, custom, liveActivity, voip, platforms, timeToLive, deliveryPriority, environment
        case options
    }

    public init(from decoder: any Decoder) throws {
        try StrictKeys.check(decoder, CodingKeys.allCases.map(\.rawValue))
        let container = try decoder.container(keyedBy: CodingKeys.self)
        notification = try container.decodeIfPresent(Notification.self, forKey: .notification)
        custom = try container.decodeIfPresent(CustomMessage.self, forKey: .custom)
        liveActivity = try container.decodeIfPresent(JSONValue.self, forKey: .liveActivity)
        voip = try container.decodeIfPresent(JSONValue.self, forKey: .voip)
        platforms = try container.decodeIfPresent([Platform].self, forKey: .platforms).map(Set.init)
        timeToLive = try container.decodeIfPresent(Int.self, forKey: .timeToLive).map { .seconds($0) }
        deliveryPriority = try container.decodeIfPresent(DeliveryPriority.self, forKey: .deliveryPriority)
        environment = try container.decodeIfPresent(APNsEnvironment.self, forKey: .environment) ?? .production
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
        try container.encode(environment, forKey: .environment)
        if !options.isEmpty {
            let named = options.map { ($0.key.rawValue, $0.value) }
            try container.encode(Dictionary(uniqueKeysWithValues: named), forKey: .options)
        }
    }
}
