/// The permissions of a JPush app, and answers to questions that the vendor's documents leave open.
public struct JPushSimulatorSettings: Sendable {
    // Documented numbers that depend on the contract.

    /// Requests per minute. Validations and keys count as pushes.
    public var pushQuota = 600
    /// Requests per minute about devices, tags, aliases and test devices.
    public var deviceQuota = 600
    /// Requests per minute for deliveries, statistics and users.
    public var reportQuota = 2400
    /// Requests per minute about schedules.
    public var scheduleQuota = 100
    /// Requests per minute about files, and pushes to files.
    public var fileQuota = 20
    /// Schedules that have not expired.
    public var schedulesPerApp = 100
    /// Uploaded files that have not expired.
    public var filesPerApp = 20
    /// Pushes to everyone per day.
    public var broadcastsPerDay = 10
    /// Devices that may share an alias. Code 7015 refuses one more.
    public var devicesPerAlias = 10
    /// How long a message may wait for a device, in seconds: ten days, the maximum of any contract.
    public var longestLife = 864_000
    /// Whether to send rate headers. Some responses of the real service lack them.
    public var sendsRateHeaders = true

    /// Segments of the console, with the devices in them.
    public var segments: [String: Set<String>] = [:]
    /// Live Activities with the devices that registered them at the start.
    public var liveActivities: [String: Set<String>] = [:]
    /// Files of registration ids that were uploaded before the start.
    public var files: [String: [String]] = [:]

    /// Templates of the console: a text with placeholders such as `{{name}}`.
    public var templates: [String: String] = [:]

    // Undocumented points, with the assumed behavior.

    /// Whether a push to some unknown devices reaches the others, and its response lists the unknown ones. If false,
    /// the push is refused.
    public var skipsUnknownDevices = false
    /// HTTP status of 1035.
    public var activePushStatus = 400
    /// How many hours before UTC's day a broadcast's day begins: it is China's day.
    public var dayOffset = 8
    /// HTTP status of 7015, too many devices for an alias.
    public var aliasOverflowStatus = 400
    /// HTTP status of 2008, too many pushes to everyone in a day.
    public var broadcastOverflowStatus = 403
    /// Code for a key that is foreign, expired or unknown.
    public var unknownKeyCode = 1003
    /// Code for more than 100 ids in a report. The documents have none, so the number is made up.
    public var reportOverflowCode = 3002
    /// How many hours the clock of schedules is ahead of UTC: it is China's clock.
    public var clockOffset = 8
    /// Code for a live activity, a schedule or a batch that breaks a documented rule for which no code is documented.
    public var brokenRuleCode = 1003
    /// Bytes of the `ios` object. Apple itself would take 4096.
    public var iosBytes = 2000

    /// Creates settings with the documented numbers, without segments, live activities, files and templates.
    public init() {}
}
