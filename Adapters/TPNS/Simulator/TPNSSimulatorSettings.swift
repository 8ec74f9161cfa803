public import PushSimulation

/// What a TPNS app may do, and answers to questions that the vendor's documents leave open.
public struct TPNSSimulatorSettings: Sendable {
    // What the console would say.

    /// Values of the vendor's own kinds of tags, such as `xg_auto_province`, by device and kind.
    public var presetTags: [String: [String: Set<String>]] = [:]
    /// Pushes a second to everyone, tags and packages together.
    public var broadPushesPerSecond = 1
    /// Statistics calls an hour, for each app.
    public var statisticsPerHour = 200
    /// Plans a day, for each app.
    public var plansPerDay = 200
    /// Tags that an app can have.
    public var tagsPerApp = 10_000
    /// Tags that a device can have.
    public var tagsPerDevice = 100

    // How the app on the devices reads pushes.

    /// The keys under which the app finds a custom message in the payload of a silent push.
    public var customKeys = CustomMessageKeys()

    // Undocumented points, with our assumptions.

    /// Seconds until the vendor applies an asynchronous write.
    public var delay = 0.3
    /// Seconds by which a signature's time may differ.
    public var clockSkew = 600.0
    /// Whether wrong credentials are answered with HTTP 403 instead of code 1008003.
    public var refusesWithStatus403 = false
    /// Hours by which the clock of `send_time` and loops is ahead of UTC: China's.
    public var clockOffset = 8
    /// Whether binding an account removes accounts of other types from the device.
    public var bindingClearsOtherTypes = false
    /// Whether a call for several devices ignores invalid tokens, instead of failing.
    public var skipsBadTokens = false
    /// Pairs in a call of tag operators 9 and 10: one sentence says 20, the table 500.
    public var pairsPerCall = 20
    /// Tags in a call of tag operators 3, 4 and 6: one page says 100, the table 500.
    public var tagsPerCall = 100
    /// Whether an attribute's name and value have 50 bytes, as the page of the server API says, instead of 50 characters,
    /// as the client SDK's guide says.
    public var countsAttributeBytes = false
    /// Elements of account operators 4 and 5 and of a query, for which no number is stated.
    public var elementsPerBatch = 20
    /// Whether a push for a past time is sent at once, however late it is; another page says ten minutes.
    public var sendsLatePushesAtOnce = false
    /// Whether the same push to the same tags within an hour is refused, like one to everyone.
    public var refusesRepeatedTagPushes = false
    /// Whether a query whose elements are all unknown gets code 1008027 and a code for each, instead of 10110008.
    public var namesUnknownElements = false
    /// Whether calls that end pushes answer `retCode` and `errMsg` instead of `ret_code` and `err_msg`.
    public var endsInCamelCase = false
    /// Whether the response to a plan has `errMsg` and a code that is text, as in the table, instead of the sample's
    /// `ErrMsg` and number.
    public var answersPlansByTheTable = false
    /// Whether a notification for iOS needs `ios` with `aps` and an `alert` in it, as the table of fields says; the
    /// vendor's own libraries leave them out.
    public var needsIOSObject = false
    /// Whether recall works; the vendor's page says that it is not available.
    public var recalls = false

    /// An app with the documented numbers, and the assumptions above.
    public init() {}
}
