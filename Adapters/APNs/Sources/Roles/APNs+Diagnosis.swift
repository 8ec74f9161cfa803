import FoundationEssentials
public import PushAdapter

extension APNs {
    /// Reads `{"reason": "…", "timestamp": …}`, whatever the content type. Without a reason, the status decides.
    public func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        if response.isSuccess, !response.mayHave("reason") { return nil }
        let operation = call.operation
        guard let reply = Self.reason(in: response) else {
            return response.isSuccess ? nil : Self.unexplained(response, operation)
        }
        let isPush = operation == .send || operation == .probeCredentials
        let surface: APNsErrors.Surface = isPush ? .push : .broadcast
        // One page writes a reason with a space.
        let code = VendorCode(reply.reason.filter { $0 != " " })
        var detail = VendorDetail(code: code, httpStatus: response.status, body: response.body)
        if operation == .send { detail.verdict = Self.verdict(reply, response) }
        var error = PushError(Self.row(code, on: surface), detail, of: "APNs", in: response)
        if code == "BadPath", operation == .apnsReadChannel || operation == .apnsDeleteChannel {
            error.kind = .noTarget
        }
        // A refusal with the status of a success contradicts itself if it also names the push.
        let names: [HTTPField.Name] = [.apnsID, .apnsRequestID, .apnsChannelID]
        if response.isSuccess, names.contains(where: { response.headers[$0] != nil }) { error.effect = .unknown }
        return error
    }

    /// The error of a response without a reason. A 410 for a single push does not end the whole list.
    private static func unexplained(_ response: WireResponse, _ operation: Feature) -> PushError {
        var error = PushError(unexplained: response)
        guard operation == .send, response.status == 410 else { return error }
        error.vendor?.verdict = .isolated
        return error
    }

    /// The id of a push in the vendor's console (development environment only), or the id of a call about channels.
    public func facts(in response: WireResponse) -> ResponseFacts {
        let id = response.headers[.apnsUniqueID] ?? response.headers[.apnsRequestID]
        // The vendor's ids have no other form.
        let digits = id?.utf8.count { ($0 >= 0x30 && $0 <= 0x39) || (($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x66) }
        return ResponseFacts(requestID: id?.utf8.count == 36 && digits == 32 ? id : nil)
    }

    /// The body of a refusal.
    struct Reply: Decodable {
        var reason: String
        /// Milliseconds since 1970.
        var timestamp: Lenient<Double>?
    }

    /// The body, if it is a refusal in the vendor's form; nil otherwise.
    static func reason(in response: WireResponse) -> Reply? { try? response.json(Reply.self) }

    private static let rows: [APNsErrors.Surface: [VendorCode: VendorErrorRow]] = Dictionary(
        uniqueKeysWithValues: APNsErrors.Surface.allCases.map { surface in
            let rows = APNsErrors.rows.filter { $0.surface == surface.rawValue }
            return (surface, Dictionary(rows.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first }))
        })

    private static func row(_ code: VendorCode, on surface: APNsErrors.Surface) -> VendorErrorRow? {
        rows[surface]?[code]
    }

    /// The verdict on a token after the vendor refused its push. The token is dead only if the status says so too: a
    /// token of the wrong environment looks like a malformed one.
    private static func verdict(_ reply: Reply, _ response: WireResponse) -> TargetVerdict? {
        switch reply.reason {
        case "Unregistered", "ExpiredToken": response.status == 410 ? .dead(since: since(reply, response)) : .suspect
        case "BadDeviceToken", "DeviceTokenNotForTopic": .suspect
        case "TooManyRequests": .isolated
        default: response.status == 410 && reply.timestamp != nil ? .dead(since: since(reply, response)) : nil
        }
    }

    /// The date of a token's end. Nil for a date before the service existed or after the response: the vendor cannot
    /// mean it.
    private static func since(_ reply: Reply, _ response: WireResponse) -> Date? {
        guard let milliseconds = reply.timestamp?.value else { return nil }
        let date = Date(timeIntervalSince1970: milliseconds / 1000)
        let first = Date(timeIntervalSince1970: 1_230_768_000)
        let last =
            response.receivedAt == .distantPast ? Date.distantFuture : response.receivedAt.addingTimeInterval(86_400)
        return (first...max(first, last)).contains(date) ? date : nil
    }
}
