public import PushAdapter

/// Answers to questions that the vendor's documents leave open, and numbers on which they disagree.
public struct VivoSimulatorSettings: Sendable {
    // Points on which the documents disagree.

    /// The most of a title, in units.
    public var titleLength = 40
    /// The most of a text, in units.
    public var contentLength = 100
    /// Whether a Chinese character is two units; newer documents count characters.
    public var countsWideTwice = true
    /// The longest life in seconds; older documents say seven days.
    public var longestLife = 86_400
    /// Bytes of a link, a page or custom content; newer documents say 2,048.
    public var skipLength = 1024
    /// Characters of `callback.param`; newer documents say 192.
    public var callbackParamLength = 64
    /// The class of a message without `classification`: 0, or 1 in a public client.
    public var defaultClassification = 0
    /// The days after which a device counts as inactive; older documents say 90.
    public var inactiveDays = 14.0

    // Undocumented points, with the assumed behavior.

    /// The days of quotas and hours: China's.
    public var day = CalendarDay.china
    /// Operational tests a day. A third party has this number of 2023 and the next.
    public var operationalTestsPerDay = 100
    /// System tests a day.
    public var systemTestsPerDay = 10_000
    /// The fewest devices that count for a day's quota.
    public var leastDevices = 10_000
    /// Whether texts that look like a test are refused. The vendor does this to live messages.
    public var refusesTestTexts = true
    /// Whether a single send to a device that cannot be pushed now is refused with its status. If not, with a code of
    /// its own, 10311.
    public var tellsStatus = true
    /// Whether the refused targets of a list are in `data`, as in the vendor's SDK. If not, in `invalidUsers`.
    public var listsInData = false
    /// Whether a request with the `requestId` of an earlier one is dropped. One sentence of the vendor says so.
    public var dropsRepeats = false
    /// Whether calls with a tag that does not exist are refused.
    public var demandsTags = true
    /// The `type` of regIds in a change of a tag's members; the other of 1 and 2 is the type of aliases.
    public var regIDType = 1
    /// The messages that an app may store for lists in a day.
    public var listsPerDay = 10_000
    /// The share of a quota that is left on the day after a call that came again after its quota was used.
    public var loweredShare = 0.5

    /// Creates settings with the stricter numbers and the assumed behavior.
    public init() {}
}
