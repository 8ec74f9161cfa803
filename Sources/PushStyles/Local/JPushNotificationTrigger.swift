public import FoundationEssentials
import PushAdapter
public import PushDevice

/// EngageLab's name for it.
public typealias MTPushNotificationTrigger = JPushNotificationTrigger

/// When a local notification is shown: one condition that the phone's system has. A value here and an object in the
/// SDK: declare it with `var`.
public struct JPushNotificationTrigger: Sendable, Hashable {
    /// After this many seconds, since iOS 10. 0 means unset.
    public var timeInterval: Double = 0
    /// Whether it is shown each time; not for ``fireDate``.
    public var `repeat` = false
    /// When the date has these components, since iOS 10.
    public var dateComponents: DateComponents?
    /// When the phone enters a region, since iOS 8.
    public var region: PhoneRegion?
    /// At a moment, before iOS 10.
    public var fireDate: Date?

    /// No condition: the notification is shown at once.
    public init() {}

    /// The condition that a system has. The others are ignored, so that code can set one for each system. Refuses two
    /// conditions that the system has, and a trigger whose conditions it does not have.
    func condition(on systemVersion: Int) throws(PushError) -> PhoneNotification.Trigger? {
        guard timeInterval.isFinite, abs(timeInterval) < 1e9 else {
            throw PushError(.invalidArgument, "the interval must be a finite number of seconds, below 1e9")
        }
        let hasCenter = systemVersion >= 10
        var conditions: [PhoneNotification.Trigger] = []
        if hasCenter, timeInterval != 0 {
            conditions.append(.timeInterval(.seconds(timeInterval), repeats: `repeat`))
        }
        if hasCenter, let dateComponents { conditions.append(.calendar(dateComponents, repeats: `repeat`)) }
        if systemVersion >= 8, let region { conditions.append(.region(region, repeats: `repeat`)) }
        if !hasCenter, let fireDate { conditions.append(.date(fireDate)) }
        guard conditions.count <= 1 else {
            throw PushError(.invalidArgument, "the trigger has several conditions; set one")
        }
        let isSet = timeInterval != 0 || dateComponents != nil || region != nil || fireDate != nil
        guard !conditions.isEmpty || !isSet else {
            throw PushError(.unsupported, "iOS \(systemVersion) does not have the condition of the trigger")
        }
        return conditions.first
    }
}
