import PushAdapter

/// A message on the wire without its targets: the same for every slice of a list.
struct OPPOMessage: Sendable {
    let message: Message
    /// The vendor's `notification`.
    var fields: [String: JSONValue] = [:]
    /// The inputs that the client checks against the limits.
    var amounts: [Input] = []
    /// The vendor's word for the class.
    var category: String?

    /// The notification of a request. The key names the message, and is the same in all of its rows and requests.
    func notification(_ key: IdempotencyKey?, _ callback: OPPOCallback?) -> [String: JSONValue] {
        var fields = fields
        if let key { fields["app_message_id"] = .string(key.value) }
        if let callback { fields.merge(callback.fields) { $1 } }
        return fields
    }

    private static let marketing: Set<String> = ["NEWS", "CONTENT", "MARKETING", "SOCIAL"]

    /// Whether the vendor counts the message as marketing, as it does without a category and a channel.
    var isMarketing: Bool {
        category.map(Self.marketing.contains) ?? (fields["channel_id"] == nil)
    }

    /// The quota of the day that the message counts in.
    var day: QuotaBucket {
        isMarketing ? .oppoMarketing : category == nil ? .oppoChannel : .oppoService
    }
}
