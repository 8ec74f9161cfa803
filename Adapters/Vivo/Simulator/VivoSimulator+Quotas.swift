import FoundationEssentials
import PushAdapter
import PushSimulation

/// The daily quotas of an app.
enum Quota: String, CaseIterable {
    case operational, system, operationalTests, systemTests, lists, broadcasts

    init(_ lane: Lane, isTest: Bool) {
        switch lane {
        case .operational: self = isTest ? .operationalTests : .operational
        case .system: self = isTest ? .systemTests : .system
        }
    }

    var refusal: Refusal {
        switch self {
        case .operational, .operationalTests: .operationalUsed
        case .system, .systemTests: .systemUsed
        case .lists: .listsUsed
        case .broadcasts: .broadcastsUsed
        }
    }

    func used(_ app: Int) -> String { "\(app) \(self)" }
    func refused(_ app: Int) -> String { "\(app) \(self) refused" }
}

/// A call that comes again after its quota was used lowers the quota of the next day.
extension VivoSimulator {
    /// Refuses a call whose quota of the day is used. Those of messages count arrivals.
    func check(_ quota: Quota, _ app: VivoApp, _ now: Date) throws(Refusal) {
        guard left(quota, app, now) == 0 else { return }
        if counts.add(quota.refused(app.appID), now) > 1 {
            loweredDays[quota.used(app.appID)] = settings.day.number(of: now) + 1
        }
        throw quota.refusal
    }

    /// Counts one call against a quota of calls.
    func spend(_ quota: Quota, _ app: VivoApp, _ now: Date) throws(Refusal) {
        try check(quota, app, now)
        counts.add(quota.used(app.appID), now)
    }

    /// The unused part of a quota today.
    func left(_ quota: Quota, _ app: VivoApp, _ now: Date) -> Int {
        let isLowered = loweredDays[quota.used(app.appID)] == settings.day.number(of: now)
        let share = isLowered ? settings.loweredShare : 1
        return max(0, Int(Double(most(quota, app)) * share) - counts.count(of: quota.used(app.appID), now))
    }

    func most(_ quota: Quota, _ app: VivoApp) -> Int {
        switch quota {
        case .operational: app.quota(of: .operational, least: settings.leastDevices)
        case .system: app.quota(of: .system, least: settings.leastDevices)
        case .operationalTests: settings.operationalTestsPerDay
        case .systemTests: settings.systemTestsPerDay
        case .lists: settings.listsPerDay
        case .broadcasts: app.broadcastsPerDay
        }
    }
}
