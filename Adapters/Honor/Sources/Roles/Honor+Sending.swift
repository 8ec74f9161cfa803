import FoundationEssentials
import PushAdapter

extension Honor {
    /// `POST /api/v1/{appId}/sendMessage`, to at most 1,000 devices.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let encoded = try HonorEncoder(honor: self).encode(message)
        return { (audience, context) throws(PushError) in
            guard context.key == nil else {
                throw PushError(.unsupported, "Honor takes no idempotency keys; leave the key out", operation: .send)
            }
            guard case .devices(let devices) = audience else {
                throw PushError(.unsupported, "Honor sends to devices only", operation: .send)
            }
            return try sending(encoded, to: devices)
        }
    }

    private func sending(_ encoded: HonorMessage, to devices: [DeviceID]) throws(PushError) -> Exchange<SendReceipt> {
        var exchange = Exchange(
            .send,
            WireRequest(
                .post, .honor, path: ["api", "v1", .literal(appID), "sendMessage"],
                body: .json(try encoded.body(to: devices))),
            inputs: [
                .message(encoded.message), .audience(.devices(devices)),
                .amount(try encoded.body(to: []).count, .payloadBytes, "the message without its tokens"),
            ], idempotency: acceptsDuplicates ? .idempotent : .unkeyed, charges: charges(encoded, devices.count)
        ) { (response) throws(PushError) in
            try HonorReply.receipt(response, of: devices)
        }
        // An answer may list a thousand tokens.
        exchange.longestResponse = 1 << 20
        return exchange
    }

    /// The quota of test messages comes first, because a refusal may say that it is used up.
    private func charges(_ encoded: HonorMessage, _ devices: Int) -> [QuotaCharge] {
        // A slice that is larger than a second's rate takes all of it.
        let most = capabilities.quotas[.honorRequests]?.limit ?? devices
        let cost = countsDevices ? min(devices, most) : 1
        return (encoded.isTest ? [QuotaCharge(.honorTests)] : []) + [QuotaCharge(.honorRequests, cost: cost)]
    }
}
