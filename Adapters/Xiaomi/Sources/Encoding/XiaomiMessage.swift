import PushAdapter

/// A message on the wire without its target: the same for every slice of a list.
struct XiaomiMessage: Sendable {
    let message: Message
    let options: XiaomiOptions
    var form = FormBody()
    /// The vendor's `extra`.
    var extra: [String: String] = [:]
    /// The inputs that the client checks against the limits.
    var amounts: [Input] = []
    /// The intent of the notification's class.
    var intent: MessageClass.Intent?

    /// The quota of the day that the message counts in.
    var day: QuotaBucket {
        guard message.notification != nil else { return .xiaomiCustom }
        guard extra["channel_id"] != nil else { return .xiaomiDefault }
        return intent.map { $0 == .service ? .xiaomiService : .xiaomiMarketing } ?? .xiaomiChannel
    }
}

/// One request with a message.
struct XiaomiDelivery {
    var target: XiaomiTarget
    /// Decides the number of a notification that has none of its own.
    var seed: String
    var key: IdempotencyKey?
    /// When the vendor sends the message, in milliseconds since 1970; nil for at once.
    var time: Int?
}

extension XiaomiMessage {
    /// The body of a request, and the inputs that its fields make.
    func body(_ delivery: XiaomiDelivery, _ callback: XiaomiCallback?) -> (form: FormBody, inputs: [Input]) {
        var form = form
        let made = message.notification.map { _ in Self.number(delivery.seed) }
        if let number = options.notifyID ?? made { form.add("notify_id", String(number)) }
        if let time = delivery.time { form.add("time_to_send", String(time)) }
        var extra = extra
        if delivery.target.isList, let callback { extra.merge(callback.fields) { $1 } }
        extra["jobkey"] = delivery.key?.value
        for (name, value) in extra.sorted(by: { $0.key < $1.key }) { form.add("extra." + name, value) }
        for (name, value) in delivery.target.fields { form.add(name, value) }
        let own = options.extra ?? [:]
        let inputs: [Input] = [
            .amount(own.count, .xiaomiExtraFields, "the fields of the option extra"),
            .amount(Self.characters(own), .xiaomiExtraCharacters, "the characters of the option extra"),
            .amount(Self.characters(extra), .xiaomiExtra, "the characters of all extra fields"),
        ]
        return (form, amounts + inputs)
    }

    private static func characters(_ fields: [String: String]) -> Int {
        fields.reduce(0) { $0 + $1.key.utf16.count + $1.value.utf16.count }
    }

    /// A number of 31 bits.
    private static func number(_ seed: String) -> Int {
        var digest = StableDigest()
        digest.add(seed)
        return Int(digest.mixed & UInt64(Int32.max))
    }
}
