import HuaweiDialect
public import PushAdapter

extension Feature {
    static let harmonyRecall: Feature = "harmony.messages.revoke"
    static let harmonyForm: Feature = "harmony.forms.update"
}

extension Harmony {
    /// `POST /v1/{clientId}/messages:revoke`: takes back a notification that is not delivered yet, or shown and not
    /// tapped. The badge stays.
    ///
    /// Refuses with `misconfigured` an adapter without a client id.
    /// - Parameters:
    ///   - notifyID: `collapseID` of the `HarmonyNotification` that was sent, 0 or more.
    ///   - devices: at most 1,000.
    ///   - speaks: whether the notification was one that the app speaks.
    public func recall(
        notifyID: Int, on devices: [DeviceID], speaks: Bool = false
    ) throws(PushError) -> Exchange<SendReceipt> {
        guard let clientID else {
            throw PushError(
                .misconfigured, "a recall needs the app's client id; set clientID", operation: .harmonyRecall)
        }
        guard (0...2_147_483_647).contains(notifyID) else {
            throw PushError(.invalidArgument, "notifyID is \(notifyID); give the id that the notification had")
        }
        func body(_ devices: [DeviceID]) throws(PushError) -> [UInt8] {
            try JSONWriter.bytes { (json) throws(PushError) in
                try json.object { json in
                    json.field("notifyId", notifyID)
                    json.field("token", devices)
                }
            }
        }
        let request = request(
            ["v1", .literal(clientID), "messages:revoke"], speaks ? .voice : .alert, try body(devices))
        var exchange = Exchange(
            .harmonyRecall, request,
            inputs: [.devices(devices), .count(devices.count, .devicesPerSend, "the devices")],
            idempotency: .idempotent, decode: Self.recalled)
        exchange.longestResponse = 1 << 20
        return exchange
    }

    /// No page says that the answer to a recall names a message.
    private static func recalled(_ response: WireResponse) throws(PushError) -> SendReceipt {
        let reply = try HuaweiReply.accepted(response)
        return SendReceipt(
            messageIDs: reply.requestID.map { [MessageID($0)] } ?? [],
            exceptions: HarmonyReasons.tokens(in: reply).mapValues { HarmonyReasons.status(of: $0) })
    }
}
