import FoundationEssentials
public import PushAdapter

extension OPPO {
    /// `POST /message/notification/unicast` to one device or alias, `/message/notification/unicast_batch` to several.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let encoded = try OPPOEncoder(oppo: self).encode(message)
        return { (audience, context) throws(PushError) in
            guard context.key?.kind != .schedule else {
                throw PushError(.invalidArgument, "the key is for a schedule; a send needs one of its own")
            }
            return try exchange(encoded, OPPOTargets(audience), context.key)
        }
    }

    private func exchange(
        _ encoded: OPPOMessage, _ targets: OPPOTargets, _ key: IdempotencyKey?
    ) throws(PushError) -> Exchange<SendReceipt> {
        let list = targets.list
        let fields = encoded.notification(key, targets.areDevices ? callback : nil)
        let call: PathSegment = list.count == 1 ? "unicast" : "unicast_batch"
        // Without a key, the vendor has nothing to recognize a message by.
        let duplicates: TargetStatus = trustsDuplicates && key != nil ? .accepted : .unknown
        // The vendor stops one class when it is used up, so its quota comes first.
        let charges = [QuotaCharge(encoded.day, cost: list.count), QuotaCharge(.oppoTargets, cost: list.count)]
        var exchange = Exchange(
            .send,
            WireRequest(
                .post, .oppo, path: ["message", "notification", call], body: targets.body(with: fields)),
            inputs: [.message(encoded.message), .audience(targets.audience)] + encoded.amounts,
            idempotency: key.map(Idempotency.keyed) ?? .unkeyed, charges: charges
        ) { (response) throws(PushError) in
            try OPPOReply.receipt(response, for: list, duplicates: duplicates)
        }
        // An answer has a row for each of a thousand devices.
        exchange.longestResponse = 1 << 20
        return exchange
    }

    /// A remark for a dry run, on a notification that the vendor may count as marketing because it has no category.
    func remarks(on message: Message) -> [String] {
        guard let encoded = try? OPPOEncoder(oppo: self).encode(message), encoded.category == nil else { return [] }
        let unknown = MakerWords.remarks(on: message, capabilities)
        return unknown.isEmpty ? [encoded.isMarketing ? Self.noClass : Self.onlyChannel] : unknown
    }

    private static let remedy = "give the message a class, or set defaultClass"
    private static let noClass =
        "oppo counts a notification without a class as marketing, and shows few a day on a device; " + remedy
    private static let onlyChannel =
        "oppo counts a notification without a class as marketing, unless its channel is an old private one; " + remedy

    /// `GET /feedback/fetch_push_permit`: the day's quota, which needs a token and changes nothing.
    public func probe() throws(PushError) -> Exchange<Void> {
        Exchange(
            .probeCredentials, WireRequest(.get, .oppoFeedback, path: ["feedback", "fetch_push_permit"]),
            idempotency: .idempotent
        ) { (response) throws(PushError) in _ = try OPPOReply.accepted(response) }
    }
}
