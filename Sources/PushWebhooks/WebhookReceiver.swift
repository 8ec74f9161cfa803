public import FoundationEssentials
public import PushAdapter

/// Verifies and reads a vendor's callbacks to a backend: delivery receipts, clicks.
///
/// It contains no server: pass it the call that your web server received, and respond with the answer that it returns.
/// Respond to a refusal with the HTTP status of ``WebhookRefusal``. It compares secrets in constant time.
public protocol WebhookReceiver: Sendable {
    /// Authenticates the caller, then reads the events.
    func receive(_ call: WebhookCall, at now: Date) async throws(WebhookRefusal) -> WebhookAnswer
}

/// A vendor's callback as the web server received it.
public struct WebhookCall: Sendable {
    /// The HTTP method as received; vendors use `POST`.
    public var method: HTTPRequest.Method
    /// All header fields as received; a signature may be among them.
    public var headers: HTTPFields
    /// The bytes as received, not yet read.
    public var body: [UInt8]

    /// A callback as the web server received it; a `POST` by default.
    public init(method: HTTPRequest.Method = .post, headers: HTTPFields, body: [UInt8]) {
        self.method = method
        self.headers = headers
        self.body = body
    }
}

extension WebhookCall: CustomStringConvertible, CustomReflectable {
    /// Method and length: the fields hold credentials, the body device ids.
    public var description: String { "\(method.rawValue), \(body.count) bytes" }
    /// Only the description, also for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// The events of a call, and the response that the vendor expects.
public struct WebhookAnswer: Sendable {
    /// The events that the call reports, in the vendor's order.
    public var events: [WebhookEvent]
    /// The body of the response, whose status is 200.
    public var body: [UInt8]
    /// The nonce that the receiver remembers to reject a replay of the call; nil where it remembers nothing.
    public var nonce: String?

    /// The events of a call, with the response body, empty by default.
    public init(_ events: [WebhookEvent], body: [UInt8] = [], nonce: String? = nil) {
        self.events = events
        self.body = body
        self.nonce = nonce
    }
}

/// Why the receiver rejects a call or cannot read it.
public struct WebhookRefusal: Error, Sendable, Hashable {
    /// The HTTP status to respond with.
    public var status: Int
    /// For people; holds nothing of the call.
    public var message: String

    /// A refusal with this HTTP status.
    public init(status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The call is not authenticated.
    public static func unauthorized(_ message: String) -> WebhookRefusal { WebhookRefusal(status: 401, message) }
    /// The call was accepted before: it is a replay, or the vendor did not get the response. Respond with this status,
    /// or with 200 to stop the vendor's retries; the receiver has already returned the events.
    public static let replayed = WebhookRefusal(status: 409, "the call was already received")
    /// The call cannot be read.
    public static func malformed(_ message: String) -> WebhookRefusal { WebhookRefusal(status: 400, message) }
}

/// An event of a message on one device.
public struct WebhookEvent: Sendable, Hashable {
    /// The kind of an event. Open: vendors have more.
    public struct Kind: TextIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The vendor accepted the push.
        public static let accepted: Kind = "accepted"
        /// The message arrived at the device.
        public static let delivered: Kind = "delivered"
        /// The message will not arrive.
        public static let notDelivered: Kind = "notDelivered"
        /// A user opened the message.
        public static let clicked: Kind = "clicked"
    }

    /// The kind of the event.
    public var kind: Kind
    /// The device it happened on; nil where the vendor does not say.
    public var device: DeviceID?
    /// The message it happened to; nil where the vendor does not say.
    public var message: MessageID?
    /// When it happened; nil where the vendor does not say, or names a time outside the years 1970 to 9999.
    public var date: Date?
    /// The vendor's verdict on the device itself; nil if it gives none. A device that is dead without a date is
    /// dead since the event's ``date``. A router removes the bindings of dead devices: `PushRouter.prune`.
    public var verdict: TargetVerdict?
    /// All the vendor's data about it, in the vendor's words. It may hold device ids: do not log it.
    public var fields: [String: JSONValue]

    /// An event, with the vendor's data about it.
    public init(
        _ kind: Kind, device: DeviceID? = nil, message: MessageID? = nil, date: Date? = nil,
        verdict: TargetVerdict? = nil, fields: [String: JSONValue] = [:]
    ) {
        self.kind = kind
        self.device = device
        self.message = message
        self.date = date.flatMap { (0..<253_402_300_800).contains($0.timeIntervalSince1970) ? $0 : nil }
        self.verdict = verdict
        self.fields = fields
    }
}

extension WebhookEvent: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(kind) on \(device.map(String.init(describing:)) ?? "a device")" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
