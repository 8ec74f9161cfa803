import PushAdapter

/// A message on the wire without its target: the same for each device of a list.
struct VivoMessage: Sendable {
    let message: Message
    let options: VivoOptions
    /// The fields of every request, as JSON without braces.
    let fields: [UInt8]
    /// The inputs that the client checks against the limits.
    let amounts: [Input]
    let isService: Bool
    /// Whether it goes to test devices only.
    let isTest: Bool

    /// The quota of the day that the message counts in.
    var day: QuotaBucket { .vivoDay(isService: isService, isTest: isTest) }

    /// The body of one request. The vendor sends receipts only of live messages to one target.
    func body(to target: VivoTarget, id: String, _ callback: VivoCallback?) throws(PushError) -> WireBody {
        var own = target.fields
        own["requestId"] = .string(id)
        if target.isSingle, !isTest, let callback {
            own["extra"] = .object(callback.fields.mapValues(JSONValue.string))
        }
        let bytes = try JSONWriter.bytes(reserving: fields.count + 256) { (json) throws(PushError) in
            try json.object { (json) throws(PushError) in
                json.fields(encoded: fields)
                json.fields(of: .object(own))
            }
        }
        return .vivo(bytes)
    }
}

extension WireBody {
    /// JSON with the vendor's content type.
    static func vivo(_ json: [UInt8]) -> WireBody { .bytes(json, contentType: "application/json;charset=UTF-8") }
}
