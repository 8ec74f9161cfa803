public import PushCore

/// What is left of the quotas that phone makers give an app; a total of -1 is unlimited.
public struct JPushVendorQuota: Sendable, Hashable, Decodable {
    /// A quota and how much of it is gone.
    public struct Use: Sendable, Hashable, Decodable {
        /// The size of the quota; -1 is unlimited.
        public let total: Int
        /// How much of it is gone.
        public let used: Int
    }

    /// The quota of system messages, which have the classification 1; nil where the vendor names none.
    public let system: Use?
    /// The quota of operational messages, which have the classification 0; nil where the vendor names none.
    public let operation: Use?
}

extension JPush {
    /// `DELETE /v3/push/{msg_id}`: stops a message that is under way, and takes it off screens where it was not opened
    /// yet.
    ///
    /// The vendor does not say until when, nor what it answers for a message that it does not know.
    public func recall(_ message: MessageID) throws(PushError) -> Exchange<Void> {
        try checkMessageID(message)
        return call(
            .jpushRecall, WireRequest(.delete, .jpushPush, path: [.value(message.rawValue)]), .unkeyed,
            from: .jpushPush,
            decode: Self.expectNothing)
    }

    /// `GET /v3/push/quota`: by phone maker, `xiaomi`, `oppo`, `vivo`.
    public func readVendorQuota() -> Exchange<[String: JPushVendorQuota]> {
        call(.jpushReadVendorQuota, WireRequest(.get, .jpushPush, path: ["quota"]), .idempotent, from: .jpushPush) {
            (response) throws(PushError) in
            struct Reply: Decodable {
                var data: [String: Lossy<JPushVendorQuota>]
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
                .invalidArgument, "\(Redaction.quoted(message.rawValue)) is no JPush message id: digits only")
        }
    }
}
