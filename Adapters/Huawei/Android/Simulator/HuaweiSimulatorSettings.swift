import HuaweiSimulation
public import PushAdapter
package import PushSimulation

/// Receipts, and answers to questions that the vendor's documents leave open. Every default of the second group is
/// assumed.
public struct HuaweiSimulatorSettings: Sendable {
    /// Where receipts go, and in which form.
    public struct Receipts: Sendable {
        /// The form of receipts, chosen in the console.
        public enum Version: Sendable, Hashable {
            /// V1: flat rows with `status`.
            case first
            /// V2: rows with `deliveryStatus`.
            case second
        }

        /// The backend's address.
        public var url: String
        /// The form of receipts.
        public var version: Version
        /// The name in the signature. If it is empty, the simulator sends no header.
        public var user: String
        /// The key of the signature, decoded.
        public var key: Secret
        /// Receipts per call; an older page says 1,000.
        public var most = 100
        // Assumed.
        /// Whether the time in the header counts seconds, as two clients read it. Today's pages say milliseconds.
        public var countsSeconds = false
        /// The seconds before each retry after any response except 200. The pages promise no retry.
        public var retries: [Double] = [60, 600]
        /// Whether each call comes a second time.
        public var isRepeated = false

        /// Sends receipts to an address, signed with this name and key.
        public init(url: String, version: Version = .second, user: String, key: Secret) {
            (self.url, self.version, self.user, self.key) = (url, version, user, key)
        }
    }

    /// Where receipts go; nil for nowhere.
    public var receipts: Receipts?
    /// Access tokens per five minutes.
    public var tokensPerFiveMinutes = 1000
    /// Messages that wait for a device.
    public var storedMessages = 120
    /// Sends to topics at once.
    public var topicTasks = 100
    /// Topics of one installation.
    public var topicsPerDevice = 2000
    /// Words that the vendor refuses with 80100016.
    public var sensitiveWords: Set<String> = []
    /// Whether the signature of an outside review of the content is right. If not, 80100018.
    public var trustsReviews = true

    // Questions that the documents leave open.
    /// Seconds by which the clock of a caller may be ahead or behind.
    public var clockSkew = 0.0
    /// Hours from UTC to the vendor's midnight: China.
    public var hoursAhead = 8
    /// Whether errors have the status 200. Which status comes with which code is not tabulated.
    public var alwaysAnswers200 = false
    /// Seconds until an access token ends.
    public var accessTokenLife = 3600
    /// Whether a new access token ends the app's earlier ones.
    public var newTokenEndsOthers = false
    /// Whether a message without token, topic and condition is refused with 80300010, as the vendor's post on frequent
    /// errors says of a misspelled `token`. If not, 80100001.
    public var countsMissingTarget = false
    /// Whether an unknown category is taken, as marketing. If not, 80100003.
    public var acceptsUnknownCategories = false
    /// Whether `MISS_CALL` is a category, as on HarmonyOS.
    public var knowsMissedCalls = false
    /// Whether marketing comes without a sound.
    public var silencesMarketing = true
    /// Whether too many test messages are accepted, and receipts have 256. If not, 80100001.
    public var acceptsTestOverflow = true
    /// Whether the text of 80300007 is a sentence. If not, it is JSON with the tokens.
    public var refusesWithSentence = true
    /// Whether `&&` binds tighter than `||` in a condition. If not, both apply from left to right.
    public var bindsAndTighter = false
    /// Seconds for which a send to a topic counts as a task.
    public var topicTaskTime = 60.0
    /// The topics that a snapshot shows as tags begin with this, and show without it, percent-decoded.
    public var tagPrefix = ""
    /// Where the app finds the parts of a custom message in `data` that is a JSON object.
    package var customKeys = CustomMessageKeys()

    /// Creates settings without receipts.
    public init() {}

    var receiptLine: ReceiptLine {
        ReceiptLine(
            receipts.map { it in
                ReceiptTarget(
                    url: it.url, version: it.version == .first ? .first : .second, user: it.user, key: it.key,
                    countsSeconds: it.countsSeconds, most: it.most, retries: it.retries, isRepeated: it.isRepeated)
            })
    }
}
