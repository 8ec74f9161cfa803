public import FoundationEssentials
public import PushAdapter

/// Answers to questions that the vendor's documents leave open, and numbers on which they disagree.
public struct XiaomiSimulatorSettings: Sendable {
    // Numbers on which the documents disagree.

    /// Days after which a device that was never online again loses its regid; the newest page says 30.
    public var regIDDays = 90.0
    /// The days within which a message can be scheduled; a third party says 30.
    public var scheduleDays = 7.0
    /// Characters of a job key; by age of the page 8, 12 or 20.
    public var jobKeyLength = 8
    /// Characters of all extras together, names and values: fewer than this.
    public var extraLength = 2048
    /// Characters of `extra.callback.param`; older pages say 64.
    public var callbackParamLength = 256

    // Undocumented points, with the assumed behavior.

    /// The HTTP status of refusals.
    public var errorStatus = 200
    /// The days of quotas: China's.
    public var day = CalendarDay.china
    /// The fewest devices that count for a day's quota.
    public var leastDevices = 10_000
    /// Whether responses name other hosts in a header field, as the vendor's SDK expects.
    public var namesHosts = true
    /// Bytes of the payload. The documents have a code for too many, but no number.
    public var payloadBytes = 4096
    /// Whether a notification without `extra.notify_effect` is refused. Since 2024 the vendor requires the field.
    public var demandsNotifyEffect = true
    /// Whether channels of the classes with templates refuse messages without one. Announced for all after 2026-12-31.
    public var demandsTemplates = true
    /// Whether a wrong template or value is refused. If not, the message is accepted, and no phone shows it.
    public var tellsTemplateFaults = true
    /// The code for a wrong template or value. The vendor's is unknown.
    public var templateFaultCode = 10_017
    /// Whether a `time_to_live` above the class's is cut. If not, it is refused.
    public var cutsLongLives = false
    /// The seconds for which a phone remembers job keys.
    public var jobKeyMemory = Double.infinity
    /// When the first and second versions of the recall end: 2026-12-01 in China.
    public var oldRecallEnds = Date(timeIntervalSince1970: 1_796_054_400)
    /// Statuses after which an address gets no more receipts. A receiver reported this of 406.
    public var endingStatuses: Set<Int> = [406]

    /// Creates settings with the documented numbers and the assumed behavior.
    public init() {}
}
