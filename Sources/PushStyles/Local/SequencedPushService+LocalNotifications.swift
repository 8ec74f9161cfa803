import Dispatch
import PushAdapter
import PushDevice

/// Local notifications, with the calls for every system. Without a phone as the session's host, nothing is registered,
/// removed or found.
extension SequencedPushService {
    /// Registers a local notification, or replaces the one with its identifier. A refusal is logged, and the request's
    /// completion gets nil.
    public func addNotification(_ request: JPushNotificationRequest) {
        let (handler, queue) = (request.completionHandler, self.queue)
        @Sendable func finish(_ result: JPushNotificationResult?) { queue.async { handler?(result) } }
        guard let phone = session.phone, has(.localNotifications, "addNotification") else { return finish(nil) }
        do throws(PushError) {
            let added = try request.request(on: phone.systemVersion)
            try phone.add(added)
            finish(phone.systemVersion >= 10 ? .pending(added) : .local(added))
        } catch {
            log.write("addNotification: \(error.message)")
            finish(nil)
        }
    }

    /// Removes notifications: nil removes all, pending and shown. Before iOS 10, the selection applies to both kinds.
    public func removeNotification(_ identifier: JPushNotificationIdentifier?) {
        guard let phone = session.phone else { return }
        let names = identifier?.names(on: phone.systemVersion)
        let isEither = identifier == nil || phone.systemVersion < 10
        if isEither || identifier?.delivered == false { phone.removePending(names) }
        if isEither || identifier?.delivered == true { phone.removeDelivered(names) }
    }

    /// Finds notifications and passes them to the selection's `findCompletionHandler`. Without the handler, the call is
    /// refused, and the refusal is logged. Before iOS 10, it finds those that were not shown yet.
    public func findNotification(_ identifier: JPushNotificationIdentifier?) {
        guard let identifier, let handler = identifier.findCompletionHandler else {
            return log.write("findNotification: there is no findCompletionHandler; set it")
        }
        var results: [JPushNotificationResult] = []
        if let phone = session.phone {
            let names = identifier.names(on: phone.systemVersion)
            if phone.systemVersion < 10 {
                results = phone.pendingNotifications.map { .local($0) }
            } else if identifier.delivered {
                results = phone.deliveredNotifications.map { .delivered($0) }
            } else {
                results = phone.pendingNotifications.map { .pending($0) }
            }
            if let names { results.removeAll { !names.contains($0.identifier) } }
        }
        queue.async { [results] in handler(results) }
    }
}
