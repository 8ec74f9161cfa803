public import PushSimulation

/// The permissions of a TPNS app, and answers to questions that the vendor's documents leave open.
public struct TPNSSimulatorSettings: Sendable {
    // The settings of the console.

    /// Values of the vendor's own kinds of tags, such as `xg_auto_province`, by device and kind.
    public var presetTags: [String: [String: Set<String>]] = [:]
    /// Pushes per second to everyone, tags and packages together.
    public var broadPushesPerSecond = 1
    /// Statistics calls per hour, for each app.
    public var statisticsPerHour = 200
    /// Plans per day, for each app.
    public var plansPerDay = 200
    /// Tags that an app can have.
    public var tagsPerApp = 10_000
    /// Tags that a device can have.
    public var tagsPerDevice = 100

    // How the app reads pushes on the devices.

    /// The keys that carry a custom message in the payload of a silent push.
    public var customKeys = CustomMessageKeys()

    // Undocumented points, with our assumptions.

    /// Seconds until the vendor applies an asynchronous write.
    public var delay = 0.3
    /// The tolerance for a signature's time, in seconds.
    public var clockSkew = 600.0
    /// Whether wrong credentials are answered with HTTP 403 instead of code 1008003.
    public var refusesWithStatus403 = false
    /// How many hours the clock of `send_time` and loops is ahead of UTC: it is China's clock.
    public var clockOffset = 8
    /// Whether binding an account removes the device's accounts of other types.
    public var bindingClearsOtherTypes = false
    /// Whether a call for several devices ignores invalid tokens instead of failing.
    public var skipsBadTokens = false
    /// Pairs in a call of tag operators 9 and 10. One sentence says 20, the table 500.
    public var pairsPerCall = 20
    /// Tags in a call of tag operators 3, 4 and 6. One page says 100, the table 500.
    public var tagsPerCall = 100
    /// Whether an attribute's name and value are limited to 50 bytes, as the server API's page says, instead of 50
    /// characters, as the client SDK's guide says.
    public var countsAttributeBytes = false
    /// Elements of account operators 4 and 5 and of a query. No number is documented for these.
    public var elementsPerBatch = 20
    /// Whether a push for a past time is sent at once, however late. Another page says ten minutes.
    public var sendsLatePushesAtOnce = false
    /// Whether the same push to the same tags within an hour is refused, like a push to everyone.
    public var refusesRepeatedTagPushes = false
    /// Whether a query with only unknown elements gets code 1008027 and a code for each, instead of 10110008.
    public var namesUnknownElements = false
    /// Whether calls that end pushes answer with `retCode` and `errMsg` instead of `ret_code` and `err_msg`.
    public var endsInCamelCase = false
    /// Whether the response to a plan has `errMsg` and a textual code, as in the table, instead of the sample's `ErrMsg`
    /// and number.
    public var answersPlansByTheTable = false
    /// Whether an iOS notification needs `ios` with `aps` and an `alert` in it, as the table of fields says. The
    /// vendor's own libraries leave them out.
    public var needsIOSObject = false
    /// Whether recall works. The vendor's page says that it is not available.
    public var recalls = false

    /// Creates settings with the documented numbers and the assumptions above.
    public init() {}
}
