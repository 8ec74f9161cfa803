public import PushAdapter
public import PushSimulation
public import PushWebhooks

/// An adapter as the kit sees it: how to create it and its simulator, and the facts that the vendor documents.
///
/// ```swift
/// @Test(arguments: ConformanceCheck.all)
/// func conformance(check: ConformanceCheck) async throws { try await check.run(on: PigeonHarness()) }
/// ```
public protocol ConformanceHarness: Sendable {
    /// Creates the adapter for a vendor at this origin: `https://localhost:8443`.
    func makeProvider(at origin: String) throws(PushError) -> any PushProvider
    /// Creates a simulator that accepts the adapter's credentials and knows these devices.
    func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator
    /// The device with this number, from 0, with an id as the vendor writes it. If the adapter's app can have both
    /// platforms, two of the first three are an iOS and an Android device.
    func device(_ number: Int) -> VirtualDevice
    /// Every secret given to the adapter, as text. The kit searches for them where they must not appear.
    var secrets: [String] { get }
    /// The documented errors that the adapter's calls can return: codes, and responses that have none.
    var documentedErrors: [DocumentedError] { get }
    /// Returns an error with a code as the vendor writes it, even with a code or a status that the vendor does not
    /// document.
    func answer(_ error: DocumentedError) -> SimulatedResponse
    /// Names that only this vendor can supply.
    var samples: ConformanceSamples { get }
    /// Returns a request with the body that its recipient decrypts. The kit compares requests, and an adapter that
    /// encrypts never makes the same body twice. By default, the request itself.
    func opened(_ request: WireRequest) -> WireRequest
    /// Returns the id that a send report has for a message.
    /// - Parameter message: the simulator's id of the message. By default, the report has the same.
    func reportedID(of message: String) -> MessageID
    /// Creates the reader of the receipts about the adapter's messages, for a vendor that says only by them that an app
    /// was removed. Its simulator is a `ReceiptSimulator`. By default nil.
    func makeReceiver() throws(PushError) -> (any WebhookReceiver)?
}

extension ConformanceHarness {
    /// No audiences, messages or options, for a vendor without its own.
    public var samples: ConformanceSamples { ConformanceSamples() }
    /// The request itself.
    public func opened(_ request: WireRequest) -> WireRequest { request }
    /// The vendor's id.
    public func reportedID(of message: String) -> MessageID { MessageID(message) }
    /// Nil.
    public func makeReceiver() throws(PushError) -> (any WebhookReceiver)? { nil }
}

/// An error that a vendor documents: a code, or a response without one.
public struct DocumentedError: Sendable, Hashable {
    /// The vendor's code; `VendorCode.status(503)` for a response without one.
    public var code: VendorCode
    /// The HTTP status that comes with it; nil if the documents do not say.
    public var status: Int?
    /// A call that can return it.
    public var operation: Feature
    /// Whether the documents say that the same call can succeed later; nil if they say nothing.
    public var isPassing: Bool?
    /// Whether the documents say that the requested change was already in place.
    public var isDone: Bool
    /// Whether the documents say that nothing was done, although the status says that the server failed.
    public var isRefusal = false
    /// The vendor's message.
    public var message: String
    /// The whole body of a response without a code; nil for one that the harness writes.
    public private(set) var body: [UInt8]?

    /// Creates a response without a code that a call can return: a status and perhaps a body.
    public init(
        status: Int, body: [UInt8] = [], operation: Feature, isPassing: Bool? = nil, isRefusal: Bool = true
    ) {
        self.init(code: .status(status), status: status, operation: operation, isPassing: isPassing, message: "")
        self.isRefusal = isRefusal
        self.body = body
    }

    /// Creates a code that a call can return, with the documents' statements about it.
    public init(
        code: VendorCode, status: Int?, operation: Feature, isPassing: Bool? = nil, isDone: Bool = false,
        message: String = "refused"
    ) {
        self.code = code
        self.status = status
        self.operation = operation
        self.isPassing = isPassing
        self.isDone = isDone
        self.message = message
    }
}

/// Values that the kit cannot invent for a vendor.
public struct ConformanceSamples: Sendable {
    /// Audiences that reach only the first device, for kinds that no call of the model can set up: accounts, segments,
    /// live activities, uploaded files. Under `contentLiveActivity` and `contentVoIP`: one that reaches the first iOS
    /// device, if a list of devices does not.
    public var audiences: [Feature: Audience] = [:]
    /// Messages whose contents follow the vendor's own rules: live activities, VoIP pushes.
    public var messages: [Feature: Message] = [:]
    /// Three accounts that the vendor accepts, of three types if it keeps one account per type.
    public var accounts = (11...13).map { Account(name: "account_\($0)") }
    /// Three attributes that the vendor's app has.
    public var attributeNames = ["nickname", "tier", "city"]
    /// An attribute that the vendor's app does not have; nil if a device can have any.
    public var unknownAttribute: String?
    /// A well-formed message id that the vendor never issued.
    public var unknownMessage: MessageID = "1"
    /// A well-formed schedule id that the vendor never issued.
    public var unknownSchedule: ScheduleID = "0f8fad5b-d9cb-469f-a165-70867728950e"
    /// This vendor's options for a message; nil if it has none.
    public var options: JSONValue?
    /// Messages in their JSON form that together set every option that has a rule in `capabilities.optionRules` or a
    /// place in `capabilities.optionPlaces`, each with an audience if the option needs one. The vendor accepts them.
    public var optionMessages: [(message: JSONValue, audience: Audience?)] = []
    /// Messages that set a field to a value of the vendor's own, for a field whose usual example, such as the category
    /// "category", the vendor refuses.
    public var fields: [MessageField: Message] = [:]
    /// The kinds of credentials given to the adapter.
    public var scopes: Set<CredentialScope> = [.app]
    /// Whether the vendor names the devices in a list that it does not know.
    public var namesUnknownDevices = true
    /// Whether the vendor says of a device that it does not know that it may know it later.
    public var mayKnowDevicesLater = false
    /// How long the vendor remembers an idempotency key that it made; nil if it does not say.
    public var keyLifetime: Duration?

    /// Creates samples without audiences, messages or options, with ids that fit most vendors and an app's credentials.
    public init() {}
}
