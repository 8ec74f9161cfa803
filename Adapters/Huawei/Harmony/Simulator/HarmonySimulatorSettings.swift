import HuaweiSimulation
public import PushAdapter
package import PushSimulation

/// Receipts, and answers to questions that the vendor's documents leave open. Every default of the second group is
/// assumed.
public struct HarmonySimulatorSettings: Sendable {
    /// Where receipts go, in their second version.
    public struct Receipts: Sendable {
        /// The backend's address.
        public var url: String
        /// The name in the signature. If it is empty, the simulator sends no header.
        public var user: String
        /// The key of the signature, decoded.
        public var key: Secret
        /// Receipts per call.
        public var most = 100
        // Assumed.
        /// Whether the time in the header counts seconds, as two clients read it. Today's pages say milliseconds.
        public var countsSeconds = false
        /// The seconds before each retry after any response except 200. The pages promise no retry.
        public var retries: [Double] = [60, 600]
        /// Whether each call comes a second time.
        public var isRepeated = false

        /// Sends receipts to an address, signed with this name and key.
        public init(url: String, user: String, key: Secret) { (self.url, self.user, self.key) = (url, user, key) }
    }

    /// Where receipts go; nil for nowhere.
    public var receipts: Receipts?
    /// Updates of a form a device and day: 2 for a published one, 5 for another.
    public var formUpdatesPerDay = 2
    /// Pictures that the vendor has not verified. It refuses them with 80100022.
    public var unverifiedImages: Set<String> = []

    // Questions that the documents leave open.
    /// Seconds by which the clock of a caller may be ahead or behind.
    public var clockSkew = 0.0
    /// Hours from UTC to the vendor's midnight: China.
    public var hoursAhead = 8
    /// Whether errors have the status 200. Which status comes with which code is not tabulated.
    public var alwaysAnswers200 = false
    /// Whether reasons have blanks around them, as in one of the vendor's samples.
    public var padsReasons = false
    /// Whether a token that a list names twice gets the message twice, as on Android.
    public var sendsTwice = true
    /// Whether an unknown category is taken, as marketing. If not, 80100003.
    public var acceptsUnknownCategories = false
    /// Whether `CUSTOMER_SERVICE` is a category, as a third party says.
    public var knowsCustomerService = true
    /// Whether too many test messages are accepted, and receipts have 256. If not, 80300029.
    public var acceptsTestOverflow = false
    /// Whether the category of voice in a notification refuses each token with `notSupportPlayVoice`. If not, 80100003.
    public var refusesVoiceByToken = false
    /// Whether a time to live out of range is refused with 80100003. If not, 80100004, as on Android.
    public var refusesLifeAsPayload = false
    /// The result in the receipt of a form that is not newer than the last; by default that of live views.
    public var olderFormResult = 156
    /// Whether the rates of live views count all views of a device together. If not, each view has its own.
    public var countsViewsTogether = false
    /// Messages of all kinds a device and day; nil for no limit. Receipts have 102.
    public var messagesPerDevice: Int?
    /// Devices whose system does not know `appMessageId`: they show every message.
    public var oldDevices: Set<String> = []
    /// The seconds for which a device remembers an `appMessageId`.
    public var uniqueFor = 86_400.0
    /// The result in the receipt of a message that a device has shown already.
    public var repeatResult = 0
    /// Where the app finds the parts of a custom message in `extraData` that is a JSON object.
    package var customKeys = CustomMessageKeys()

    /// Creates settings without receipts.
    public init() {}

    var receiptLine: ReceiptLine {
        ReceiptLine(
            receipts.map { it in
                ReceiptTarget(
                    url: it.url, version: .second, user: it.user, key: it.key, countsSeconds: it.countsSeconds,
                    most: it.most, retries: it.retries, isRepeated: it.isRepeated)
            })
    }
}
