import FoundationEssentials
import PushAdapter
import PushSimulation

/// What an app may use on a day.
enum Quota: String, CaseIterable {
    case operational, system, stored, broadcasts

    var refusal: Refusal {
        switch self {
        case .operational: .operationalUsed
        case .system: .systemUsed
        case .stored: .storedUsed
        case .broadcasts: .broadcastsUsed
        }
    }

    func used(_ app: Int) -> String { "\(app) \(self)" }
    func refused(_ app: Int) -> String { "\(app) \(self) refused" }
}

extension Lane {
    var quota: Quota { self == .system ? .system : .operational }
}

/// A call that comes again after its quota was used lowers the quota of the next day.
extension VivoSimulator {
    /// Refuses a message whose class used the day's total. The total counts arrivals.
    func check(_ message: VivoMessage, _ app: VivoApp, _ now: Date) throws(Refusal) {
        guard !message.isTest else { return }
        let quota = message.lane.quota
        guard left(quota, app, app.quota(of: message.lane, least: settings.leastDevices), now) > 0 else {
            throw refuse(quota, app, now)
        }
    }

    /// Counts one call against a quota of calls.
    func spend(_ quota: Quota, _ app: VivoApp, _ most: Int, _ now: Date) throws(Refusal) {
        guard left(quota, app, most, now) > 0 else { throw refuse(quota, app, now) }
        counts.add(quota.used(app.appID), now)
    }

    /// What is left of a quota today.
    func left(_ quota: Quota, _ app: VivoApp, _ most: Int, _ now: Date) -> Int {
        let isLowered = loweredDays[quota.used(app.appID)] == settings.day.number(of: now)
        let share = isLowered ? settings.loweredShare : 1
        return max(0, Int(Double(most) * share) - counts.count(of: quota.used(app.appID), now))
    }

    private func refuse(_ quota: Quota, _ app: VivoApp, _ now: Date) -> Refusal {
        if counts.add(quota.refused(app.appID), now) > 1 {
            loweredDays[quota.used(app.appID)] = settings.day.number(of: now) + 1
        }
        return quota.refusal
    }
}
