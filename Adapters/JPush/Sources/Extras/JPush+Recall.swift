import JiguangDialect
public import PushAdapter

/// An app's quotas at the phone makers, and their use. A total of -1 means unlimited.
public struct JPushVendorQuota: Sendable, Hashable, Decodable {
    /// A quota and its use.
    public struct Use: Sendable, Hashable, Decodable {
        /// The size of the quota; -1 means unlimited.
        public let total: Int
        /// The used part of the quota.
        public let used: Int
    }

    /// The quota of system messages (classification 1); nil if the vendor names none.
    public let system: Use?
    /// The quota of operational messages (classification 0); nil if the vendor names none.
    public let operation: Use?
}

extension JPush {
    /// `DELETE /v3/push/{msg_id}`: stops a message in flight, and removes it from screens if it is not opened yet.
    ///
    /// The vendor documents neither a deadline nor the response for an unknown message.
    public func recall(_ message: MessageID) throws(PushError) -> Exchange<Void> {
        try checkMessageID(message)
        return api.call(
            .jpushRecall, WireRequest(.delete, .jpushPush, path: [.value(message.rawValue)]), .unkeyed,
            decode: api.done)
    }

    /// `GET /v3/push/quota`: reads the quotas by phone maker: `xiaomi`, `oppo`, `vivo`.
    public func readVendorQuota() -> Exchange<[String: JPushVendorQuota]> {
        api.call(.jpushReadVendorQuota, WireRequest(.get, .jpushPush, path: ["quota"])) {
            (response) throws(PushError) in
            struct Reply: Decodable {
                var data: [String: Lenient<JPushVendorQuota>]
            }
            let suffix = "_quota"
            return try response.json(Reply.self).data.reduce(into: [:]) { quotas, row in
                let name = row.key.hasSuffix(suffix) ? String(row.key.dropLast(suffix.count)) : row.key
                quotas[name] = row.value.value
            }
        }
    }

    func checkMessageID(_ message: MessageID) throws(PushError) {
        guard !message.rawValue.isEmpty, message.rawValue.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw PushError(
                .invalidArgument, "\(Redaction.quoted(message.rawValue)) is not a JPush message id; give digits only")
        }
    }
}
