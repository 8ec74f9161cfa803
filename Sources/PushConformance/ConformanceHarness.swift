public import PushCore
public import PushSimulation

/// What the kit has to know of an adapter: how to make it and its simulator, and what its documents say.
///
/// ```swift
/// @Test(arguments: ConformanceCheck.all)
/// func conformance(check: ConformanceCheck) async throws { try await check.run(on: PigeonHarness()) }
/// ```
public protocol ConformanceHarness: Sendable {
    /// The adapter, for a vendor at this origin: `https://localhost:8443`.
    func makeProvider(at origin: String) throws(PushError) -> any PushProvider
    /// A new vendor that accepts the adapter's credentials and knows these devices.
    func makeSimulator(devices: [VirtualDevice]) -> any ObservableSimulator
    /// The device of a number from 0, with an id as the vendor writes them. Two of the first three are an iOS and an
    /// Android device, where the adapter's app can have both.
    func device(_ number: Int) -> VirtualDevice
    /// Every secret that the adapter was made with, as text: the kit looks for them where they must not be.
    var secrets: [String] { get }
    /// The error codes of the vendor's documents that the adapter's calls can meet.
    var documentedErrors: [DocumentedError] { get }
    /// An error as the vendor writes it, also one with a code or a status that it does not document.
    func answer(_ error: DocumentedError) -> SimulatedResponse
    /// Names that only this vendor can give.
    var samples: ConformanceSamples { get }
}

extension ConformanceHarness {
    /// No audiences, messages and options: for a vendor that has none of its own.
    public var samples: ConformanceSamples { ConformanceSamples() }
}

/// An error code of a vendor's documents.
public struct DocumentedError: Sendable, Hashable {
    /// The vendor's number.
    public var code: Int
    /// The HTTP status that it comes with; nil where the documents do not say.
    public var status: Int?
    /// A call that can meet it.
    public var operation: Feature
    /// Whether the documents say that the same call can succeed later; nil where they say nothing.
    public var isPassing: Bool?
    /// Whether the documents say that what was asked for had been done before.
    public var isDone: Bool
    /// The vendor's sentence.
    public var message: String

    /// A code that a call can meet, with what the documents say about it.
    public init(
        code: Int, status: Int?, operation: Feature, isPassing: Bool? = nil, isDone: Bool = false,
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

/// What the kit cannot invent for a vendor.
public struct ConformanceSamples: Sendable {
    /// Audiences that reach the first device and no other, for what no call of the model can set up: accounts,
    /// segments, live activities, uploaded files; and under `contentLiveActivity` and `contentVoIP` one that reaches
    /// the first iOS device, where a list of devices does not.
    public var audiences: [Feature: Audience] = [:]
    /// Messages with the contents that have rules of the vendor's own: live activities, VoIP pushes.
    public var messages: [Feature: Message] = [:]
    /// Three accounts that the vendor takes, each of a type of its own where it keeps one account of a type.
    public var accounts = (11...13).map { Account(name: "account_\($0)") }
    /// Three attributes that the vendor's app has.
    public var attributeNames = ["nickname", "tier", "city"]
    /// An attribute that the vendor's app does not have; nil where a device can have any.
    public var unknownAttribute: String?
    /// A well-formed message id that the vendor never gave.
    public var unknownMessage: MessageID = "1"
    /// A well-formed schedule id that the vendor never gave.
    public var unknownSchedule: ScheduleID = "0f8fad5b-d9cb-469f-a165-70867728950e"
    /// Options of this vendor that a message can have; nil where it has none.
    public var options: JSONValue?
    /// The kinds of credentials that the adapter was made with.
    public var scopes: Set<CredentialScope> = [.app]
    /// Whether the vendor names the devices of a list that it does not know.
    public var namesUnknownDevices = true
    /// For how long the vendor remembers an idempotency key that it made; nil where it does not say.
    public var keyLifetime: Duration?

    /// No audiences, messages and options; ids that fit most vendors, and the credentials of an app.
    public init() {}
}
