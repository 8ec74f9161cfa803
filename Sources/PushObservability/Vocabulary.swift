import PushAdapter
import PushClient

/// Every name that logs, metrics and traces use. Labels have few values: provider, operation, outcome, cause; never a
/// tag, a token, a device or a text.
public enum Vocabulary {
    // Metrics.

    /// Counter of finished calls, by provider, operation, outcome and the vendor's code.
    public static let calls = "push.calls"
    /// Timer of calls, with retries and waiting, by provider and operation.
    public static let callDuration = "push.call.duration"
    /// Counter of attempts, by provider and operation.
    public static let attempts = "push.attempts"
    /// Counter of retries, by provider, operation and cause.
    public static let retries = "push.retries"
    /// Timer of waits for quotas and minimum intervals, by provider and operation.
    public static let waits = "push.wait.duration"
    /// Counter of sends without an idempotency key, by provider.
    public static let unkeyed = "push.unkeyed"

    // Metrics of an outbox.

    /// Counter of targets after each of their attempts, by outcome and route.
    public static let outboxTargets = "push.outbox.targets"
    /// Timer of attempts of slices, by route.
    public static let outboxDuration = "push.outbox.attempt.duration"
    /// Counter of leased slices, by route.
    public static let outboxLeases = "push.outbox.leases"
    /// Counter of campaigns that were enqueued or refused, or ended, by state.
    public static let outboxCampaigns = "push.outbox.campaigns"
    /// Counter of stops, by cause, and by route if there is one: `delayed`, `left`, `resting`, `paused`, `quarantined`,
    /// `unreadable`.
    public static let outboxStops = "push.outbox.stops"
    /// Counter of slices whose worker had ended.
    public static let outboxRecovered = "push.outbox.recovered"
    /// Counter of answers that came after other workers had taken their slice, and settled it.
    public static let outboxSettledLate = "push.outbox.settled_late"
    /// Counter of failures of the store.
    public static let outboxStoreFailures = "push.outbox.store.failures"
    /// Gauge of targets that wait for their outcome.
    public static let outboxWaiting = "push.outbox.waiting"
    /// Gauge of unknown targets in campaigns that have not ended.
    public static let outboxUnknown = "push.outbox.unknown"
    /// Gauge of campaigns that wait for a person.
    public static let outboxNeedy = "push.outbox.needs_person"
    /// Gauge of the age of the oldest campaign that has not ended, in seconds.
    public static let outboxAge = "push.outbox.oldest.seconds"

    // Labels, log metadata and span attributes.

    /// The name of a client in an outbox or a router.
    public static let route = "push.route"
    /// The number of a campaign in its store.
    public static let campaign = "push.outbox.campaign"
    /// The part of a campaign, from 0.
    public static let part = "push.outbox.part"
    /// The slice of a part, from 0.
    public static let slice = "push.outbox.slice"
    /// The state of a campaign: `enqueued`, `refused`, or its state at the end.
    public static let state = "push.state"

    /// The adapter's name: `jpush`.
    public static let provider = "push.provider"
    /// The feature that the call uses: `tags.add`.
    public static let operation = "push.operation"
    /// `ok`, or the kind of the error.
    public static let outcome = "push.outcome"
    /// Whether the vendor acted on a failed call: `notApplied`, `unknown` or `applied`.
    public static let effect = "push.effect"
    /// Why a call waits or retries: `quota`, `minimum_interval`, `write_delay`, or the kind of the error.
    public static let cause = "push.cause"
    /// The number of an attempt, from 1.
    public static let attempt = "push.attempt"
    /// How long a call waits, in milliseconds.
    public static let delay = "push.delay_ms"
    /// How long a call took, in milliseconds.
    public static let duration = "push.duration_ms"
    /// The vendor's own error code, `none` where there is none.
    public static let vendorCode = "push.vendor.code"
    /// The vendor's id of the request.
    public static let requestID = "push.vendor.request_id"
    /// Why a call failed on the way to the vendor, in this library's words.
    public static let reason = "push.reason"
    /// The vendor's ids of the messages of a send.
    public static let messageIDs = "push.message_ids"
    /// Host and port of the last request, under OpenTelemetry's name.
    public static let host = "server.address"
    /// The number of attempts that a call made.
    public static let attemptCount = "push.attempts"
    /// The HTTP status of the vendor's response, under OpenTelemetry's name.
    public static let httpStatus = "http.response.status_code"

    // Events of a span.

    static let attemptEvent = "push.attempt"
    static let answerEvent = "push.answer"
    static let retryEvent = "push.retry"
    static let waitEvent = "push.wait"
    static let unkeyedEvent = "push.unkeyed"

    static let ok = "ok"
    static let other = "other"
    static let noCode = "none"

    /// Kinds and operations are open, so a label keeps only texts of the library's form: at most 40 letters, digits,
    /// dots, underscores and hyphens.
    package static func label(_ text: String) -> String { plain(text, besides: [0x2D, 0x2E, 0x5F]) }

    /// A vendor's id of a message is a number or a short text, at FCM with colons and percent signs. Anything else, such as
    /// a token in its place, is not logged.
    static func messageID(_ text: String) -> String { plain(text, besides: [0x25, 0x2D, 0x2E, 0x3A, 0x5F]) }

    private static func plain(_ text: String, besides others: Set<UInt8>) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || others.contains(byte)
        }
        return isPlain && text.utf8.count <= 40 ? text : other
    }
}

extension PushEvent.Wait {
    var label: String {
        switch self {
        case .quota: "quota"
        case .minimumInterval: "minimum_interval"
        case .writeDelay: "write_delay"
        case .retry: "retry"
        }
    }
}

extension Duration {
    var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
