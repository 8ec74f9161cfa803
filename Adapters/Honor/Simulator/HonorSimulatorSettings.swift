package import PushSimulation

/// Answers to questions that are open because the vendor's own page was not read. Every default is assumed.
public struct HonorSimulatorSettings: Sendable {
    // Access tokens.

    /// Seconds until an access token ends.
    public var accessTokenLife = 3600
    /// Whether a new access token ends the earlier ones of its client.
    public var newTokenEndsOthers = false
    /// The status of a refusal by the token endpoint.
    public var exchangeStatus = 401
    /// The code for an access token that has ended: 401, or 80200003 as a gateway's list says.
    public var endedTokenCode = 401
    /// The seconds by which the header field `timestamp` may be ahead or behind; infinity compares nothing.
    public var clockTolerance = 3600.0

    // Responses.

    /// Whether 400, 401, 500 and 503 are HTTP statuses. If not, they are codes in responses with the status 200. The
    /// only table has them in one column with the codes.
    public var usesStatuses = true
    /// The HTTP status of all other refusals.
    public var errorStatus = 200
    /// The code of a success: 200, or 80000000 as one client expects.
    public var successCode = 200
    /// Whether codes are texts.
    public var writesCodesAsText = false
    /// `sendResult` of a message without an error; nil leaves it out. With false, no device gets the message.
    public var sendResult: Bool? = true
    /// Whether a message that only some tokens got has the code 80100000. If not, that of a success.
    public var marksPartialSuccess = false
    /// Whether a message that no token got has the code of a success. If not, 80300007 without the lists.
    public var listsAllRefused = false
    /// Whether tokens of other apps, and unknown ones, are among the dead tokens. If not, among the refused ones.
    public var foreignTokensExpire = false

    // Messages.

    /// Bytes of the body without its tokens.
    public var bodyBytes = 4096
    /// Words that the vendor refuses with 80200056.
    public var sensitiveWords: Set<String> = []
    /// Whether a notification without `importance` is a service message, in an app that may send them.
    public var isServiceByDefault = false
    /// Whether the rate counts devices. If not, requests.
    public var countsDevices = false
    /// Hours from UTC to the vendor's midnight: China.
    public var hoursAhead = 8
    /// Where the app finds the parts of a custom message in `data` that is a JSON object.
    package var customKeys = CustomMessageKeys()

    /// Creates settings with the assumed behavior.
    public init() {}
}
