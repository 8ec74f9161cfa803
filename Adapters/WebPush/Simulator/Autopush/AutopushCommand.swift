import FoundationEssentials
import PushAdapter

/// A command of a browser in a session: one frame of text.
enum AutopushCommand {
    case hello(agent: String?, broadcasts: [String: String])
    case register(channel: String, key: String?)
    case unregister(channel: String)
    case acknowledge([(channel: String, messageID: String, code: Int)])
    case report(messageID: String, code: Int)
    case subscribe(broadcasts: [String: String])
    case ping

    /// Nil for a frame that is no JSON object, or has an unknown type.
    init?(_ text: String) {
        guard case .object(let fields)? = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
        let channel = fields["channelID"]?.stringValue ?? ""
        switch fields["messageType"]?.stringValue {
        case "hello":
            self = .hello(agent: fields["uaid"]?.stringValue, broadcasts: Self.texts(fields["broadcasts"]))
        case "register": self = .register(channel: channel, key: fields["key"]?.stringValue)
        case "unregister": self = .unregister(channel: channel)
        case "ack": self = .acknowledge((fields["updates"]?.arrayValue ?? []).map(Self.update))
        case "nack":
            self = .report(
                messageID: fields["version"]?.stringValue ?? "", code: fields["code"]?.intValue ?? 0)
        case "broadcast_subscribe": self = .subscribe(broadcasts: Self.texts(fields["broadcasts"]))
        case "ping": self = .ping
        case nil where fields.isEmpty: self = .ping
        default: return nil
        }
    }

    private static func update(_ value: JSONValue) -> (channel: String, messageID: String, code: Int) {
        // A browser may leave the code out; the message is delivered then.
        (
            value["channelID"]?.stringValue ?? "", value["version"]?.stringValue ?? "",
            value["code"]?.intValue ?? BrowserReport.Code.delivered
        )
    }

    private static func texts(_ value: JSONValue?) -> [String: String] {
        guard case .object(let fields)? = value else { return [:] }
        return fields.compactMapValues(\.stringValue)
    }
}

/// The frames of the service in a session.
enum AutopushFrame {
    static func hello(_ agent: String, broadcasts: [String: String]) -> AutopushSession.Output {
        text([
            "messageType": "hello", "uaid": .string(agent), "status": 200, "use_webpush": true,
            "broadcasts": object(broadcasts),
        ])
    }

    static func registered(_ channel: String, _ result: Result<String, RegistrationRefusal>) -> AutopushSession.Output {
        var fields: [String: JSONValue] = ["messageType": "register", "channelID": .string(channel)]
        switch result {
        case .success(let endpoint): (fields["status"], fields["pushEndpoint"]) = (200, .string(endpoint))
        case .failure(let refusal): fields["status"] = JSONValue(refusal.status)
        }
        return text(fields)
    }

    static func unregistered(_ channel: String) -> AutopushSession.Output {
        text(["messageType": "unregister", "channelID": .string(channel), "status": 200])
    }

    static func notification(_ message: StoredMessage, _ channel: String) -> AutopushSession.Output {
        var fields: [String: JSONValue] = [
            "messageType": "notification", "channelID": .string(channel), "version": .string(message.id),
        ]
        if let encoding = message.encoding {
            var headers: [String: JSONValue] = ["encoding": .string(encoding)]
            for (name, value) in message.oldFields where encoding != "aes128gcm" {
                headers[name.replacing("-", with: "_")] = .string(value)
            }
            fields["headers"] = .object(headers)
            fields["data"] = .string(
                Data(message.body).base64EncodedString().replacing("+", with: "-")
                    .replacing("/", with: "_"))
        }
        return text(fields)
    }

    static func broadcast(_ broadcasts: [String: String]) -> AutopushSession.Output {
        text(["messageType": "broadcast", "broadcasts": object(broadcasts)])
    }

    static let pong = AutopushSession.Output.text("{}")

    private static func object(_ texts: [String: String]) -> JSONValue { .object(texts.mapValues { .string($0) }) }

    private static func text(_ fields: [String: JSONValue]) -> AutopushSession.Output {
        .text(String(decoding: JSONWriter.bytes(of: .object(fields)), as: UTF8.self))
    }
}

/// Why a channel is not registered.
struct RegistrationRefusal: Error {
    let status: Int
}
