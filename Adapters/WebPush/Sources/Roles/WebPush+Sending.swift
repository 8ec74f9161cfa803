import FoundationEssentials
import PushAdapter
import PushCrypto

extension HTTPField.Name {
    static let timeToLive = webPush("TTL")
    static let urgency = webPush("Urgency")
    static let topic = webPush("Topic")
    static let cachePolicy = webPush("X-WNS-Cache-Policy")
    static let wnsStatus = webPush("X-WNS-Status")
    static let wnsDescription = webPush("X-WNS-Error-Description")
    static let wnsMessageID = webPush("X-WNS-Msg-ID")
    static let wnsContinueAfter = webPush("X-WNS-CONTINUE-AFTER")
    static let apnsID = webPush("apns-id")

    /// A field name from a literal that is a valid name.
    private static func webPush(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .contentType }
}

extension WebPush {
    /// `POST` to the endpoint of a subscription. The JSON is written once for all targets, and encrypted for each with
    /// fresh keys.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let push = try WebPushEncoder(settings: self).push(message)
        return { (audience, context) throws(PushError) in
            guard context.key == nil else {
                throw PushError(.unsupported, "Web Push takes no idempotency keys; leave the key out", operation: .send)
            }
            guard case .devices(let devices) = audience else {
                throw PushError(.unsupported, "Web Push sends to devices only", operation: .send)
            }
            guard let device = devices.first, devices.count == 1 else {
                throw PushError(.limitExceeded, "a Web Push message has one device; send one for each")
            }
            return try exchange(
                push, to: WebPushSubscription(device), [.message(message), .audience(audience)])
        }
    }

    private func exchange(
        _ push: WebPushEncoder.Push, to subscription: WebPushSubscription, _ inputs: [Input]
    ) throws(PushError) -> Exchange<SendReceipt> {
        let (address, service) = try place(of: subscription.endpoint)
        let key = try key(of: subscription)
        var encryption = subscription.encryption
        encryption.longestBody = service.longestBody
        let body = try encryption.encrypt(push.text, padding: push.padding(upTo: longestText(at: service)))
        var request = WireRequest(
            .post, .webPush, headers: headers(of: push, to: service),
            body: .bytes(body, contentType: "application/octet-stream"))
        request.address = try passing(address)
        return Exchange(
            .send, request, inputs: inputs + [.amount(push.text.count, .payloadBytes, "the message")],
            credential: .origin(address.origin, key: key.id),
            idempotency: acceptsDuplicates ? .idempotent : .unkeyed, charges: [QuotaCharge(.origin(of: address))]
        ) { (response) throws(PushError) in try receipt(response, from: address.origin) }
    }

    /// The most bytes of a text with its padding: as the service takes them, and as the limits allow.
    private func longestText(at service: Service) -> Int {
        let taken = WebPushEncryption.maximumSize(ofBody: service.longestBody)
        return min(taken, capabilities.limits[.payloadBytes]?.maximum ?? taken)
    }

    /// Where a request goes: to the subscription's address, or to the same path at a data center of yours.
    func passing(_ address: TargetAddress) throws(PushError) -> TargetAddress {
        guard isPassing else { return address }
        return try TargetAddress(dataCenter.address(of: .webPush) + address.pathAndQuery, mustBePublic: false)
    }

    private func headers(of push: WebPushEncoder.Push, to service: Service) -> HTTPFields {
        let life = min(push.life, service.longestLife)
        var headers: HTTPFields = [.contentEncoding: "aes128gcm", .timeToLive: String(life)]
        (headers[.urgency], headers[.topic]) = (push.urgency, push.topic)
        // Edge refuses a life of 0 without it.
        if service.hasCachePolicy { headers[.cachePolicy] = life == 0 ? "no-cache" : "cache" }
        return headers
    }

    /// Reads a success. Services answer 201, which is RFC 8030's, or name the message. A 200 that does neither may be a
    /// page of a proxy, so whether the service has the message is unknown.
    private func receipt(_ response: WireResponse, from origin: String) throws(PushError) -> SendReceipt {
        let id = messageID(in: response, from: origin)
        let isNamed = id != nil || response.headers[.wnsStatus] != nil
        guard response.isSuccess && response.status != 200 || isNamed else {
            throw PushError(
                .malformedResponse,
                "an answer with HTTP \(response.status) does not say that the service took the message",
                retry: .backoff, effect: .unknown,
                vendor: VendorDetail(httpStatus: response.status, body: response.body))
        }
        return SendReceipt(messageID: id)
    }

    /// The id in ntfy's description of the message.
    private static func describedID(_ response: WireResponse) -> String? {
        guard !response.body.isEmpty, let reply = try? response.json(), reply["event"] == "message" else { return nil }
        return reply["id"]?.stringValue
    }

    /// The service's id of the message. A `Location` is a secret, so only its digest is kept, unless it is wanted.
    private func messageID(in response: WireResponse, from origin: String) -> MessageID? {
        let id = response.headers[.apnsID] ?? response.headers[.wnsMessageID] ?? Self.describedID(response)
        if let id, id.isShortEnough, id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return MessageID(id) }
        guard let location = response.headers[.location], !location.isEmpty else { return nil }
        let whole = location.first == "/" ? origin + location : location
        // A service may not name an address of another one, which a recall would then delete.
        if keepsLocations, whole.isShortEnough, (try? place(of: whole))?.address.origin == origin {
            return MessageID(whole)
        }
        return MessageID(Digests.hex(Digests.sha256(Array(whole.utf8)).prefix(16)))
    }

    /// Warns of a message that is too long for some browsers.
    func remarks(on message: Message) -> [String] {
        guard let push = try? WebPushEncoder(settings: self).push(message) else { return [] }
        let size = push.text.count + push.padding(upTo: longestText(at: .mozilla))
        guard size > Self.adviceForAndroid else { return [] }
        return [
            "the message has \(size) bytes; Firefox on Android takes up to \(Self.adviceForAndroid), and Mozilla "
                + "refuses longer ones for it"
        ]
    }

    /// JSON around a base64 text of at most 4,096 bytes, in Mozilla's bridge to Android.
    private static let adviceForAndroid = 2912
}
