import FoundationEssentials
import PushAdapter
import PushClient
import Testing

@testable import PushOutbox

@Suite("Times that a vendor names")
struct SettlingTests {
    private static let hints: [(time: Duration, seconds: Double)] = [
        (.seconds(10_000_000_000_000), 1_000_000), (.seconds(90), 90), (.seconds(-10_000_000_000_000), 0),
    ]

    /// The slice and the effect on its part after a refusal of its only target.
    private func settled(
        _ kind: PushError.Kind, _ time: Duration, at now: Date
    ) -> (slice: SliceRow, effect: SliceRow.PartEffect?) {
        var slice = SliceRow(
            id: .init(campaign: 1, part: 0, number: 0), notBefore: .distantPast, outcomes: [.open])
        (slice.state, slice.marked) = (.sending, 1)
        let error = PushError(kind, "refused", retry: .after(time), effect: .notApplied, vendor: .init(code: "1"))
        let report = SliceReport(
            index: 0, targetCount: 1, keying: .unkeyed("none"), error: error,
            exceptions: SendPlan.Slice(index: 0, targets: [.alias("a")], positions: [0]).statuses(after: error))
        let moment = Moment(date: now, uptime: .init(boot: "a", elapsed: .zero), isByServer: false)
        let effect = slice.settle(
            report, of: .init(indices: [0], isList: true) { _, _ in false }, .init(isAllowed: false, now: moment),
            random: 0)
        return (slice, effect)
    }

    @Test("a used up quota delays its part for eleven days at most", arguments: hints)
    func part(_ time: Duration, _ seconds: Double) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(settled(.quotaExhausted, time, at: now).effect == .delay(now.addingTimeInterval(seconds)))
    }

    @Test("a throttle delays its slice for eleven days at most", arguments: hints)
    func slice(_ time: Duration, _ seconds: Double) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let slice = settled(.rateLimited, time, at: now).slice
        #expect(slice.state == .ready && slice.notBefore == now.addingTimeInterval(seconds))
    }
}
