public import FoundationEssentials
public import PushAdapter
public import PushDevice

/// Local notifications, with JPush's oldest calls. A notification has a key, which several may share. Without a phone
/// as the session's host, nothing is registered, removed or found.
extension SequencedPushService {
    /// The guide says "less than 64".
    private static let mostRegistered = 63
    /// Where a notification carries its key.
    private static let keyName = "identifierKey"

    /// Registers a local notification. Refuses a date that is not later than now, and the 64th notification: the
    /// refusal is logged, and the result is nil.
    /// - Parameters:
    ///   - fireDate: when it is shown.
    ///   - alertBody: its text.
    ///   - badge: the number that it puts on the icon; -1 leaves the icon unchanged.
    ///   - alertAction: ignored; phones have no such button any more.
    ///   - notificationKey: the app's name for it.
    ///   - userInfo: the data that the app attaches to it.
    ///   - soundName: the sound that it plays; nil and empty play the usual one.
    @discardableResult
    public func setLocalNotification(
        _ fireDate: Date?, alertBody: String?, badge: Int, alertAction: String?, identifierKey notificationKey: String?,
        userInfo: [String: JSONValue]?, soundName: String?
    ) -> PhoneNotification.Request? {
        let content = Self.content(alertBody, badge, notificationKey, userInfo, soundName, category: nil)
        return register(content, notificationKey) { (_) throws(PushError) in try moment(fireDate) }
    }

    /// The same since iOS 8: a region may take the place of the date, and a category offers actions.
    @discardableResult
    public func setLocalNotification(
        _ fireDate: Date?, alertBody: String?, badge: Int, alertAction: String?, identifierKey notificationKey: String?,
        userInfo: [String: JSONValue]?, soundName: String?, region: PhoneRegion?, regionTriggersOnce: Bool,
        category: String?
    ) -> PhoneNotification.Request? {
        let content = Self.content(alertBody, badge, notificationKey, userInfo, soundName, category: category)
        return register(content, notificationKey) { (phone) throws(PushError) in
            guard phone.systemVersion >= 8 else {
                throw PushError(.unsupported, "regions and categories need iOS 8")
            }
            guard let region else { return try moment(fireDate) }
            guard fireDate == nil else {
                throw PushError(.invalidArgument, "there are a date and a region; pass one of them")
            }
            return .region(region, repeats: !regionTriggersOnce)
        }
    }

    /// Shows a notification in the app, as an alert: `showLocalNotificationAtFront:identifierKey:`. Call it in
    /// `application(_:didReceive:)`. With a key, shows only a notification with this key; nil shows every one.
    public func showLocalNotification(
        atFront notification: PhoneNotification?, identifierKey notificationKey: String?
    ) {
        guard let notification else { return }
        if let notificationKey, Self.key(of: notification.request) != notificationKey { return }
        session.phone?.showAlert(notification)
    }

    /// The local notifications with a key that were not shown yet; empty if there is none.
    public func findLocalNotification(withIdentifier notificationKey: String?) -> [PhoneNotification.Request] {
        session.phone?.pendingNotifications.filter { Self.key(of: $0) == notificationKey } ?? []
    }

    /// Removes a local notification that was not shown yet: `deleteLocalNotification:`. Nil is refused, and the refusal
    /// is logged.
    public func delete(_ localNotification: PhoneNotification.Request?) {
        guard let localNotification else { return log.write("deleteLocalNotification: there is no notification") }
        session.phone?.removePending([localNotification.identifier])
    }

    /// Removes the local notifications with a key that were not shown yet. Nil is refused, and the refusal is logged.
    public func deleteLocalNotification(withIdentifierKey notificationKey: String?) {
        guard let notificationKey else {
            return log.write("deleteLocalNotificationWithIdentifierKey: there is no key")
        }
        let found = findLocalNotification(withIdentifier: notificationKey)
        if !found.isEmpty { session.phone?.removePending(Set(found.map(\.identifier))) }
    }

    /// Removes all local notifications that were not shown yet.
    public func clearAllLocalNotifications() { session.phone?.removePending(nil) }

    // MARK: Steps

    private func register(
        _ content: PhoneNotification.Content, _ key: String?,
        _ trigger: (any Phone) throws(PushError) -> PhoneNotification.Trigger
    ) -> PhoneNotification.Request? {
        guard let phone = session.phone, has(.oldLocalNotifications, "setLocalNotification") else { return nil }
        let name = reserveName(for: key ?? "", on: phone)
        defer { state.localNames.withLock { _ = $0.remove(name) } }
        do throws(PushError) {
            let condition = try trigger(phone)
            // Counts the reserved names first: a call that adds its notification in between then counts in one of the
            // numbers.
            let reserved = state.localNames.withLock { $0.count }
            guard phone.pendingNotifications.count + reserved <= Self.mostRegistered else {
                throw PushError(
                    .limitExceeded, "\(Self.mostRegistered) notifications are registered, the maximum; remove some")
            }
            let request = PhoneNotification.Request(identifier: name, content: content, trigger: condition)
            try phone.add(request)
            return request
        } catch {
            log.write("setLocalNotification: \(error.message)")
            return nil
        }
    }

    /// A name that no notification has, and no other call takes. A key may be used again, but a name would replace a
    /// notification.
    private func reserveName(for key: String, on phone: any Phone) -> String {
        let base = key.isEmpty ? "local" : key
        var (name, copy) = (base, 1)
        while true {
            if state.localNames.withLock({ $0.insert(name).inserted }) {
                let isTaken =
                    phone.pendingNotifications.contains { $0.identifier == name }
                    || phone.deliveredNotifications.contains { $0.id == name }
                if !isTaken { return name }
                state.localNames.withLock { _ = $0.remove(name) }
            }
            copy += 1
            name = "\(base).\(copy)"
        }
    }

    private func moment(_ date: Date?) throws(PushError) -> PhoneNotification.Trigger {
        guard let date else { throw PushError(.invalidArgument, "there is no date") }
        guard date > clock.date else { throw PushError(.invalidArgument, "the date must be later than now") }
        return .date(date)
    }

    private static func content(
        _ body: String?, _ badge: Int, _ key: String?, _ userInfo: [String: JSONValue]?, _ sound: String?,
        category: String?
    ) -> PhoneNotification.Content {
        var content = PhoneNotification.Content()
        content.body = body ?? ""
        content.badge = badge < 0 ? nil : badge
        content.categoryIdentifier = category ?? ""
        content.sound = sound.flatMap { $0.isEmpty ? nil : $0 } ?? "default"
        content.userInfo = userInfo ?? [:]
        if let key { content.userInfo[keyName] = .string(key) }
        return content
    }

    /// The key of a notification, or the name of one that was registered without a key.
    private static func key(of request: PhoneNotification.Request) -> String {
        request.content.userInfo[keyName]?.stringValue ?? request.identifier
    }
}
