import FoundationEssentials
import PushAdapter
import PushSimulation

/// The target of a message.
enum Recipient {
    case token(String)
    case fid(String)
    case topic(String)
    case condition(TopicCondition)

    var isBroad: Bool {
        switch self {
        case .topic, .condition: true
        case .token, .fid: false
        }
    }

    /// Reads the one target of a message.
    init(_ message: JSONValue, _ settings: FCMSimulatorSettings) throws(Refusal) {
        let given = MessageSchema.targets.filter { message[$0] != nil }
        if given.count > 1 { throw .secondTarget(given[1]) }
        guard let name = given.first, let text = message[name]?.stringValue else { throw .noTarget }
        switch name {
        case "token": self = .token(text)
        case "fid": self = .fid(text)
        case "topic":
            let prefix = "/topics/"
            let topic =
                settings.acceptsTopicPrefix && text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
            guard Rules.isTopic(topic) else { throw .badTopic }
            self = .topic(topic)
        default:
            guard let condition = TopicCondition(text, most: Rules.topicsPerCondition, isTopic: Rules.isTopic) else {
                throw .badCondition
            }
            self = .condition(condition)
        }
    }
}

/// A message that matches the schema.
struct OutgoingMessage {
    let recipient: Recipient
    /// The message's fields, in snake case.
    let fields: JSONValue

    /// Reads the body of a send request and whether it is a dry run.
    static func read(_ body: [UInt8]) throws(Refusal) -> (message: JSONValue, isDryRun: Bool) {
        let value = body.isEmpty ? [:] : try? JSONValue(parsing: body)
        guard let value, case .object = value else { throw .unreadable }
        let request = try MessageSchema.request.read(value, at: "")
        return (request["message"] ?? [:], request["validate_only"]?.boolValue ?? false)
    }

    /// The value of a field, by path.
    subscript(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(fields)) { $0?[String($1)] }
    }

    /// The settings for Android, in either form.
    var android: JSONValue? { fields["android"] ?? fields["android_v2"] }

    /// The only package that gets the message on Android; nil for any package.
    var package: String? { android?["restricted_package_name"]?.stringValue }

    // MARK: Contents

    /// Apple's token of a Live Activity; nil for any other message.
    var activity: String? { self["apns.live_activity_token"]?.stringValue }

    /// Whether the message shows something or changes the badge on Apple's devices.
    var isVisibleOnApple: Bool {
        let aps = self["apns.payload.aps"]
        return self["notification"] != nil || self["apns.live_activity_token"] != nil
            || ["alert", "badge", "sound"].contains { aps?[$0] != nil }
    }

    /// The data for a platform. Its own data replaces the common data.
    func data(for platform: Platform) -> [String: JSONValue] {
        let own =
            switch platform {
            case .ios: nil as JSONValue?
            case .web: self["webpush.data"]
            default: android?["data"]
            }
        return (own ?? fields["data"]).asObject
    }

    /// An HTTP header field for a platform. Its name may have any case.
    func header(_ name: String, of platform: String) -> (name: String, value: String)? {
        self["\(platform).headers"].asObject.first { $0.key.lowercased() == name }.map {
            ($0.key, $0.value.stringValue ?? "")
        }
    }

    // MARK: Waiting

    /// The time until which the message waits for an offline device; nil if it does not wait.
    func end(for platform: Platform, _ now: Date) -> Date? {
        switch platform {
        case .ios:
            guard let moment = header("apns-expiration", of: "apns").flatMap({ Int($0.value) }) else {
                return now.addingTimeInterval(Rules.appleLife)
            }
            return moment == 0 ? nil : Date(timeIntervalSince1970: Double(moment))
        case .web: return Self.end(after: header("ttl", of: "webpush").flatMap { Int($0.value) }, now)
        default: return Self.end(after: android?["ttl"]?.stringValue.flatMap(WireTime.seconds), now)
        }
    }

    private static func end(after seconds: Int?, _ now: Date) -> Date? {
        if seconds == 0 { return nil }
        return now.addingTimeInterval(seconds.map { Double($0) } ?? Rules.longestLife)
    }

    /// The key under which waiting messages replace each other; nil for none.
    func collapseKey(for registration: FCMRegistration, _ settings: FCMSimulatorSettings) -> String? {
        switch registration.device.platform {
        case .ios: return header("apns-collapse-id", of: "apns")?.value
        case .web: return header("topic", of: "webpush")?.value
        default:
            if let key = android?["collapse_key"]?.stringValue { return key }
            let collapses =
                switch settings.collapsedWithoutKey {
                case .never: false
                case .notifications: isVisibleOnAndroid
                case .all: true
                }
            return collapses ? registration.package : nil
        }
    }
}

extension JSONValue? {
    /// The fields of an object; empty for any other value.
    var asObject: [String: JSONValue] { if case .object(let fields) = self { fields } else { [:] } }
}

extension Platform {
    /// Browsers.
    static let web: Platform = "web"
}
