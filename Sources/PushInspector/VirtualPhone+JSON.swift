import PushAdapter
import PushDevice
import PushPages
import PushPhone
import PushSimulation

extension VirtualPhone {
    /// The most entries of each list on the page.
    private static let mostShown = 20
    private static let mostNotifications = 50

    /// Whether the phone shows a message, or its app got it.
    func has(_ message: String) -> Bool {
        func isIt(_ id: String?) -> Bool { id?.split(separator: "/").last.map(String.init) == message }
        let state = self.state
        return state.center.contains { isIt($0.request.messageID) }
            || state.customMessages.contains { isIt($0["messageID"]?.stringValue) }
    }

    /// The phone as the page draws it.
    func json(_ hiding: InspectorRedaction) -> JSONValue {
        let state = self.state
        var fields: [String: JSONValue] = [
            "id": .string(hiding.id(id)), "platform": .string(device.platform.rawValue),
            "systemVersion": JSONValue(systemVersion), "isReachable": .bool(state.isReachable),
            "isRegistered": .bool(state.isRegistered), "appState": .string(state.appState.rawValue),
            "isNotificationAllowed": state.isNotificationAllowed.map(JSONValue.bool) ?? .null,
            "icon": JSONValue(state.icon), "centerCount": JSONValue(state.center.count),
            "pending": JSONValue(state.pending.count),
        ]
        fields["center"] = .array(
            state.center.prefix(Self.mostNotifications).map { Self.json($0, state.categories) })
        // A banner lies over the app until the user has done something with it.
        if state.appState == .foreground, let banner = state.banners.last,
            state.center.contains(where: { $0.id == banner.id })
        {
            fields["banner"] = Self.json(banner, state.categories)
        }
        fields["customMessages"] = Self.newest(state.customMessages) { Self.text(.object($0), hiding) }
        fields["calls"] = Self.newest(state.calls) { call in
            (call.isReported ? "" : "Not reported to the system: ") + Self.text(.object(call.payload), hiding)
        }
        fields["activities"] = Self.newest(state.activities.sorted { $0.key > $1.key }) { activity in
            "\(activity.key): \(Self.text(.object(activity.value), hiding))"
        }
        fields["inAppMessages"] = Self.newest(state.inAppMessages) { "\($0.title): \($0.body)" }
        fields["taps"] = Self.newest(state.taps) { "\($0.name) \($0.value)" }
        fields["sounds"] = Self.newest(state.sounds) { $0 }
        fields["records"] = Self.newest(state.records) { $0.words }
        return .object(fields)
    }

    private static func json(
        _ notification: PhoneNotification, _ categories: [String: NotificationCategory]
    ) -> JSONValue {
        let content = notification.content
        let actions = categories[content.categoryIdentifier]?.actions ?? []
        return [
            "id": .string(notification.id), "title": .string(content.title), "subtitle": .string(content.subtitle),
            "body": .string(content.body), "time": notification.date.json, "badge": JSONValue(content.badge),
            "sound": .init(text: content.sound), "thread": .string(content.threadIdentifier),
            "image": .init(text: content.image), "tap": .init(text: content.tap?.value),
            "level": .init(text: content.interruptionLevel), "isPush": .bool(notification.request.isPush),
            "actions": .array(
                actions.map { action in
                    [
                        "id": .string(action.identifier), "title": .string(action.title),
                        "isDestructive": .bool(action.options.contains(.destructive)),
                    ]
                }),
        ]
    }

    /// The number of a list's items, and the newest of them first.
    private static func newest<Item>(_ items: [Item], _ text: (Item) -> String) -> JSONValue {
        [
            "count": JSONValue(items.count),
            "items": .array(items.suffix(mostShown).reversed().map { .string(text($0)) }),
        ]
    }

    private static func text(_ value: JSONValue, _ hiding: InspectorRedaction) -> String {
        InspectorRedaction.pretty(hiding.value(value))
    }
}

extension PhoneRecord {
    /// For people.
    var words: String {
        switch self {
        case .log(let line): "log: \(line)"
        case .logLevel(let level): "log level \(level.rawValue)"
        case .logUpload: "log uploaded"
        case .crashLog: "crash logs on"
        case .page(let name, let seconds): "page \(name), \(seconds) s"
        case .location(let latitude, let longitude): "location \(latitude), \(longitude)"
        case .handled: "push handed to the SDK"
        case .encryption(let isOn): isOn ? "encrypted connection" : "connection without encryption"
        case .appGroup(let name): "app group \(name)"
        case .site(let name): "data center \(name)"
        }
    }
}
