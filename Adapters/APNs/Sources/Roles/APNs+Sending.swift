import FoundationEssentials
public import PushAdapter

extension APNs {
    /// `POST /3/device/{token}`, in the environment that the message names.
    ///
    /// Refuses with `tooLong` a payload over 4,096 bytes, or 5,120 for a call. Refuses with `invalidArgument` a
    /// priority, life or contents that do not fit the push type.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let push = try APNsEncoder(message: message, apns: self, now: now).push()
        return { (audience, context) throws(PushError) in
            guard context.key == nil else {
                throw PushError(.unsupported, "APNs takes no idempotency keys; leave the key out", operation: .send)
            }
            return try send(push, to: audience, as: context.uuid, in: message.environment)
        }
    }

    private func send(
        _ push: APNsEncoder.Push, to audience: Audience, as id: String, in environment: AppEnvironment
    ) throws(PushError) -> Exchange<SendReceipt> {
        guard case .devices(let devices) = audience else {
            throw PushError(.unsupported, "APNs sends to devices only", operation: .send)
        }
        guard let device = devices.first, devices.count == 1 else {
            throw PushError(.limitExceeded, "an APNs push has one device; send one for each")
        }
        var inputs = push.inputs
        inputs.append(.audience(audience))
        var exchange = Exchange(
            .send, request(push.body, push.headers, to: device.rawValue, id, in: environment), inputs: inputs,
            idempotency: acceptsDuplicates ? .idempotent : .unkeyed
        ) { (response) throws(PushError) in try Self.receipt(response, sentAs: id) }
        // The body holds only a reason and a time.
        exchange.longestResponse = 4 << 10
        return exchange
    }

    /// Pushes to a token that no device has, so nothing is delivered. The vendor checks the credentials before the
    /// token: if it refuses the token, the credentials are good. This proves nothing about the topic.
    public func probe() throws(PushError) -> Exchange<Void> {
        var message = Message(notification: Notification(body: "probe"))
        if topic.hasPrefix("com.apple.mgmt.") {
            message = Message(custom: CustomMessage(content: "probe"))
            try message.set(APNsOptions(pushType: .mdm))
        }
        let push = try APNsEncoder(message: message, apns: self, now: .distantPast).push()
        let nobody = String(repeating: "0", count: 64)
        let id = "00000000-0000-0000-0000-000000000000"
        var exchange = Exchange<Void>(
            .probeCredentials,
            request(push.body, push.headers, to: nobody, id, in: environment), idempotency: .idempotent
        ) { (response) throws(PushError) in
            guard response.status == 400, Self.reason(in: response)?.reason == "BadDeviceToken" else {
                throw PushError(unreadable: "the vendor accepted a token that no device has")
            }
        }
        exchange.statusesInPlace = [400]
        return exchange
    }

    private func request(
        _ body: [UInt8], _ headers: HTTPFields, to token: String, _ id: String, in environment: AppEnvironment
    ) -> WireRequest {
        var headers = headers
        headers.append(HTTPField(name: .apnsID, value: id))
        return WireRequest(
            .post, environment.service(.apns, .apnsSandbox), path: ["3", "device", .value(token.lowercasedHex)],
            headers: headers, body: .json(body))
    }

    /// The vendor repeats the id of the push and returns nothing else.
    private static func receipt(_ response: WireResponse, sentAs id: String) throws(PushError) -> SendReceipt {
        guard response.status == 200, response.body.isEmpty, let answered = response.headers[.apnsID],
            answered == id || answered.lowercased() == id
        else { throw PushError(unreadable: "the answer is not the vendor's for this push: it does not repeat its id") }
        return SendReceipt(messageID: MessageID(id))
    }
}

extension AppEnvironment {
    /// The service of this environment, of two.
    func service(_ production: ServiceName, _ development: ServiceName) -> ServiceName {
        self == .production ? production : development
    }
}

extension String {
    /// The same digits in lower case, as in all of the vendor's samples.
    fileprivate var lowercasedHex: String { utf8.contains { (0x41...0x46).contains($0) } ? lowercased() : self }
}
