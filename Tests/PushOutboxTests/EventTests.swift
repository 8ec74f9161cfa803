import FoundationEssentials
import PushAdapter
import PushOutbox
import Testing

@Suite("events of an outbox as text")
struct EventTests {
    @Test(
        "each event is a sentence for a log",
        arguments: [
            (.enqueued("sale", slices: 1), "sale: enqueued, 1 slice"),
            (.leased("shop", slices: 3), "takes 3 slices of shop"),
            (.recovered(slices: 2, mayHaveBeenSent: 7), "found 2 slices of a worker that ended; 7 may have been sent"),
            (.started, "the worker starts"),
            (.standsBy, "another process works on this store; this one waits for its end"),
            (
                .attempted(
                    "sale", SliceRow.ID(campaign: 17, part: 1, number: 4), "shop",
                    [.unknown: 2, .accepted: 40, .invalid: 1], reason: "timeout: no answer", took: .milliseconds(1250)),
                "sale: part 1 at shop: slice 4 took 1250 ms: 40 accepted, 1 invalid, 2 unknown; timeout: no answer"
            ),
            (
                .attempted(
                    "sale", SliceRow.ID(campaign: 17, part: 0, number: 0), "shop", [.accepted: 1000], reason: nil,
                    took: .seconds(2)),
                "sale: part 0 at shop: slice 0 took 2000 ms: 1000 accepted"
            ),
            (.settledLate(SliceRow.ID(campaign: 17, part: 0, number: 3)), "slice 3 of part 0 was settled late"),
            (
                .partDelayed("sale", part: 0, "shop", reason: "no quota", until: Date(timeIntervalSince1970: 0)),
                "sale: part 0 at shop waits until 1970-01-01T00:00:00Z: no quota"
            ),
            (.routeLeft("shop", reason: "unauthorized"), "leaves shop to other workers for a while: unauthorized"),
            (
                .routeRests("shop", until: Date(timeIntervalSince1970: 60)),
                "shop gave no answers or failed, and rests until 1970-01-01T00:01:00Z"
            ),
            (.partPaused("sale", part: 2, "shop", reason: "no key"), "sale: part 2 at shop is paused: no key"),
            (
                .quarantined("sale", SliceRow.ID(campaign: 17, part: 0, number: 9)),
                "sale: slice 9 of part 0 is quarantined"
            ),
            (.refused("sale", reason: "no route"), "sale: refused, no route"),
            (.unreadable("sale", reason: "a newer version wrote it"), "sale: a newer version wrote it"),
            (.storeFailed(reason: "the disk is full"), "the store failed, the worker goes on: the disk is full"),
            (.ended("sale", .finished), "sale: finished"),
        ] as [(OutboxEvent, String)])
    func texts(event: OutboxEvent, text: String) { #expect("\(event)" == text) }
}
