public import PushAdapter

/// Answers to questions that the vendor's documents leave open, and numbers on which they disagree.
public struct OPPOSimulatorSettings: Sendable {
    /// The response to a message with the `app_message_id` of an earlier one to the same target.
    public enum RepeatAnswer: Sendable {
        /// Success, with the id of the first message.
        case firstID
        /// The error 32.
        case duplicate
    }

    // Numbers on which the documents disagree.

    /// Characters of `content` in the standard style; the vendor's SDK says 200.
    public var contentLength = 50
    /// The longest `off_line_ttl` in seconds; the SDK says 259,200.
    public var longestLife = 864_000
    /// Characters of `call_back_parameter`; the SDK says 50.
    public var callbackParameterLength = 100
    /// The code for too many targets in a second: 13, 55, or -2 for flow control.
    public var rateCode = 13

    // Undocumented points, with the assumed behavior.

    /// Whether the token may be in a header field. The newest pages name the form only, and clients use the header.
    public var takesHeaderTokens = true
    /// Whether a new token ends the app's earlier ones.
    public var newTokenEndsOthers = false
    /// The answer to a repeated message.
    public var repeatAnswer = RepeatAnswer.firstID
    /// The seconds for which the vendor remembers an `app_message_id`.
    public var memory = Double.infinity
    /// Whether the rows of a batch count as messages to one target, whose repetition is not sent.
    public var remembersRows = true
    /// Whether a service category without approval is refused. If not, the message is marketing.
    public var refusesUnapproved = true
    /// Whether an unknown channel is refused. If not, the message is accepted, and no phone shows it.
    public var tellsChannelFaults = false
    /// Whether a wrong template or value is refused. If not, the message is accepted, and no phone shows it.
    public var tellsTemplateFaults = true
    /// Whether the day's marketing messages are counted when phones get them. If not, when they are sent.
    public var countsDeliveries = false
    /// The code for an alias without a device.
    public var unknownAliasCode = 10_000
    /// The character between several tags of a device: that of the vendor's other lists.
    public var tagSeparator: Character = ";"
    /// The days of quotas: China's.
    public var day = CalendarDay.china
    /// Days without a connection after which a receipt calls a registration id invalid.
    public var offlineDays = 30.0

    /// Creates settings with the documented numbers and the assumed behavior.
    public init() {}
}
