public import FoundationEssentials

/// Reads the calls that a vendor makes to a backend: delivery receipts, clicks.
///
/// It has no server inside: hand it what your web server received, answer with what it returns, and answer a refusal
/// with the HTTP status of ``WebhookRefusal``. It compares secrets in constant time.
public protocol WebhookReceiver: Sendable {
    /// Checks who is calling, then reads the events.
    func receive(_ call: WebhookCall, at now: Date) async throws(WebhookRefusal) -> WebhookAnswer
}

/// A vendor's call as the web server received it.
public struct WebhookCall: Sendable {
    /// The HTTP method as received; vendors use `POST`.
    public var method: HTTPRequest.Method
    /// All header fields as received; a signature may be among them.
    public var headers: HTTPFields
    /// The bytes as received, not yet read.
    public var body: [UInt8]

    /// A call as the web server received it, a `POST` unless told otherwise.
    public init(method: HTTPRequest.Method = .post, headers: HTTPFields, body: [UInt8]) {
        self.method = method
        self.headers = headers
        self.body = body
    }
}

extension WebhookCall: CustomStringConvertible, CustomReflectable {
    /// Method and length: the fields hold credentials, the body device ids.
    public var description: String { "\(method.rawValue), \(body.count) bytes" }
    /// The description alone, also for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// What a call brought, and what the vendor wants to read.
public struct WebhookAnswer: Sendable {
    /// What the call reports, in the vendor's order.
    public var events: [WebhookEvent]
    /// The body of the answer, which has the status 200.
    public var body: [UInt8]
    /// What the receiver remembers the call by, so that it is not believed again; nil where it remembers nothing.
    public var nonce: String?

    /// The events of a call, with the body to answer, empty unless given.
    public init(_ events: [WebhookEvent], body: [UInt8] = [], nonce: String? = nil) {
        self.events = events
        self.body = body
        self.nonce = nonce
    }
}

/// Why a call is not believed or cannot be read.
public struct WebhookRefusal: Error, Sendable, Hashable {
    /// The HTTP status to answer with.
    public var status: Int
    /// For people; holds nothing of the call.
    public var message: String

    /// A refusal to be answered with this HTTP status.
    public init(status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The caller does not prove who it is.
    public static func unauthorized(_ message: String) -> WebhookRefusal { WebhookRefusal(status: 401, message) }
    /// The call was believed before: somebody repeats it, or the vendor did not get the answer. Answer with this
    /// status, or with 200 to end the vendor's tries; its events were handed out already.
    public static let replayed = WebhookRefusal(status: 409, "the call was received before")
    /// The call cannot be read.
    public static func malformed(_ message: String) -> WebhookRefusal { WebhookRefusal(status: 400, message) }
}

/// Something that happened to a message on one device.
public struct WebhookEvent: Sendable, Hashable {
    /// What happened. Open: vendors have more.
    public struct Kind: TextIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The vendor took the push.
        public static let accepted: Kind = "accepted"
        /// It arrived at the device.
        public static let delivered: Kind = "delivered"
        /// It will not arrive.
        public static let notDelivered: Kind = "notDelivered"
        /// Somebody opened it.
        public static let clicked: Kind = "clicked"
    }

    /// What happened to the message.
    public var kind: Kind
    /// Where it happened; nil where the vendor does not say.
    public var device: DeviceID?
    /// Which message it happened to; nil where the vendor does not say.
    public var message: MessageID?
    /// When it happened; nil where the vendor does not say.
    public var date: Date?
    /// Everything the vendor said about it, in the vendor's words. It may hold device ids: do not log it.
    public var fields: [String: JSONValue]

    /// Something that happened, with what the vendor says about it.
    public init(
        _ kind: Kind, device: DeviceID? = nil, message: MessageID? = nil, date: Date? = nil,
        fields: [String: JSONValue] = [:]
    ) {
        self.kind = kind
        self.device = device
        self.message = message
        self.date = date
        self.fields = fields
    }
}

extension WebhookEvent: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(kind) on \(device.map(String.init(describing:)) ?? "a device")" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
