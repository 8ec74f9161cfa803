import FoundationEssentials
public import PushClient
import PushCore

/// A rule that every shared quota must follow. The quotas of the checks refill so slowly that the time of a check does
/// not matter.
public typealias SharedQuotaCheck = StoreCheck<any SharedQuota>

extension SharedQuotaCheck {
    /// Every check.
    public static var all: [SharedQuotaCheck] {
        [
            SharedQuotaCheck("a new quota is full, and every further unit waits for its turn") { store in
                try expect(try await store.take(24, from: "push", quota) == .zero, "all units are there")
                for hours in 1...3 {
                    let wait = try await store.take(1, from: "push", quota)
                    try expect(isAbout(hours, wait), "unit \(hours) waits \(wait)")
                }
            },
            SharedQuotaCheck("buckets have units of their own") { store in
                try expect(try await store.take(24, from: "push", quota) == .zero, "one is used up")
                try expect(try await store.take(24, from: "read", quota) == .zero, "the other is full")
            },
            SharedQuotaCheck("the vendor's number lowers a quota and never raises it") { store in
                for rest in [3, 20] { try await store.correct("push", quota, remaining: rest, pausedFor: .zero) }
                try expect(try await store.take(3, from: "push", quota) == .zero, "three units are left")
                try expect(try await store.take(1, from: "push", quota) > .zero, "not more")
            },
            SharedQuotaCheck("a pause delays units that are there") { store in
                try await store.correct("push", quota, remaining: 24, pausedFor: .hours(10))
                let wait = try await store.take(1, from: "push", quota)
                try expect(isAbout(10, wait), "it waits \(wait)")
            },
            SharedQuotaCheck("a quota of a calendar day gives all units or none") { store in
                let quota = dayQuota
                try expect(try await store.take(7, from: "push", quota) == .zero, "seven units are there")
                let wait = try await store.take(4, from: "push", quota)
                try expect(isAbout(12, wait), "four are not, until midnight: \(wait)")
                try expect(try await store.take(3, from: "push", quota) == .zero, "three are")
                try expect(try await store.take(1, from: "push", quota) > .hours(11), "then none")
            },
            SharedQuotaCheck("the vendor's number lowers a quota of a calendar day and never raises it") { store in
                let quota = dayQuota
                try expect(try await store.take(7, from: "push", quota) == .zero, "seven units are there")
                try await store.correct("push", quota, remaining: 9, pausedFor: .zero)
                try expect(try await store.take(4, from: "push", quota) > .hours(11), "three are left")
                try await store.correct("push", quota, remaining: 2, pausedFor: .zero)
                try expect(try await store.take(3, from: "push", quota) > .hours(11), "two are left")
                try expect(try await store.take(2, from: "push", quota) == .zero, "not fewer")
                try await store.correct("read", quota, remaining: 10, pausedFor: .hours(10))
                let wait = try await store.take(10, from: "read", quota)
                try expect(isAbout(10, wait), "a pause may end before midnight: \(wait)")
            },
        ]
    }

    /// A unit an hour.
    private static var quota: Quota { Quota(24, per: .hours(24), source: "a check") }

    /// Ten units a day. Midnight is twelve hours away.
    private static var dayQuota: Quota {
        let second = Int(Date().timeIntervalSince1970) % 86_400
        return Quota(10, a: CalendarDay(utcOffset: .seconds(43_200 - second)), source: "a check")
    }

    /// The check may have taken some of the time.
    private static func isAbout(_ hours: Int, _ wait: Duration) -> Bool {
        wait > .hours(hours - 1) && wait <= .hours(hours) + .seconds(1)
    }
}

extension Duration {
    fileprivate static func hours(_ count: Int) -> Duration { .seconds(3_600 * count) }
}
