/// The details of a vendor's refusal or failure, as far as the library could read them.
public struct VendorDetail: Sendable {
    /// The vendor's own error code, even if the library does not know it; `…` if the text may not be a code.
    public package(set) var code: VendorCode?
    /// The vendor's message, with everything that looks like an identifier replaced by `…`.
    public private(set) var message: String?
    /// The vendor's id of the request, for its support team; nil if it has more than 256 bytes.
    public var requestID: String? {
        didSet { requestID = requestID.flatMap { $0.isShortEnough ? $0 : nil } }
    }
    /// The id of the message, if the vendor allocated one although the call failed; nil if it has more than 256 bytes.
    public var messageID: MessageID? {
        didSet { messageID = messageID.flatMap { $0.rawValue.isShortEnough ? $0 : nil } }
    }
    /// The HTTP status of the response.
    public var httpStatus: Int?
    /// The first 512 bytes of the body, for a debugger. It may hold device ids, so this library never prints it.
    public private(set) var body: [UInt8]
    /// When the vendor refuses a request for several targets: the statuses of single targets, by their texts, as in a
    /// receipt. The refusal says nothing about the other targets, so the client may send to them again without these.
    public var targets: [String: TargetStatus]
    /// When the vendor refuses a request for one target: the verdict on that target. Nil if it would refuse other
    /// targets as well.
    public var verdict: TargetVerdict?
    /// When the vendor says that a quota is used up: which one. Nil if it is the first that the call is charged to.
    public var usedUp: QuotaBucket?
    /// Whether the vendor accepts nothing more over the connection of the response. The client then sends no further
    /// requests over it.
    public var endsConnection = false
    /// Whether the vendor documents this response as a refusal, although its status says that the server failed.
    /// Otherwise, the effect of any status from 500 is unknown.
    public var isCertain = false

    /// The readable parts of a response. Keeps the first 300 characters of the message, masked and in at most 1,200
    /// bytes, and the first 512 bytes of the body.
    public init(
        code: VendorCode? = nil, message: String? = nil, requestID: String? = nil, messageID: MessageID? = nil,
        httpStatus: Int? = nil, body: [UInt8] = [], targets: [String: TargetStatus] = [:]
    ) {
        self.code = code.map { $0.isPlausible ? $0 : "…" }
        self.message = message.map { message in
            Redaction.masked(String(message.prefix(bytes: 1200).prefix(300))).prefix(bytes: 1200)
        }
        self.requestID = requestID.flatMap { $0.isShortEnough ? $0 : nil }
        self.messageID = messageID.flatMap { $0.rawValue.isShortEnough ? $0 : nil }
        self.httpStatus = httpStatus
        self.body = Array(body.prefix(512))
        self.targets = targets
    }
}

extension String {
    /// Whether it is short enough for a vendor's id. Real ids have less than a hundred bytes, and the client keeps one
    /// for each target.
    package var isShortEnough: Bool { utf8.count <= 256 }
}

extension VendorDetail {
    /// A copy without the body, which may hold a secret.
    package var withoutBody: VendorDetail {
        var detail = self
        detail.body = []
        return detail
    }
}

extension VendorDetail: CustomStringConvertible, CustomReflectable {
    public var description: String {
        "code \(code?.rawValue ?? "-"), HTTP \(httpStatus.map(String.init) ?? "-"), \(message ?? "no message")"
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
