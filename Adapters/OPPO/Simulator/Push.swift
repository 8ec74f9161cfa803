import FoundationEssentials
import PushAdapter
import PushSimulation

/// A message on its way.
struct Push: Sendable {
    let messageID: String
    /// A message that is sent twice has a task for each.
    let taskID: String
    let app: OPPOApp
    let message: OPPOMessage
    let lane: Lane
    /// Receipts come for messages to registration ids only.
    var receipts: ReceiptOrder?

    /// The class of a message, and how a phone shows it.
    struct Lane: Sendable {
        let isMarketing: Bool
        /// Whether no phone shows the message, because its channel or its template is wrong.
        var isHidden = false
        /// The texts of the template; nil for the message's own.
        var texts: (title: String, content: String)?
    }
}

/// The one target of a message.
enum Target: Hashable, Sendable {
    case id(String)
    case alias(String)

    /// Reads `target_type` and `target_value`.
    init(_ fields: Fields) throws(Refusal) {
        let type = try fields.need("target_type")
        let value = try fields.need("target_value")
        guard !value.contains(";") else { throw .illegal("target_value has several targets") }
        switch type {
        case "2" where !value.contains(","): self = .id(value)
        case "5": self = .alias(value)
        default: throw .illegal("target_type or target_value")
        }
    }
}

/// The vendor's record of a device.
struct DeviceRecord: Sendable {
    /// The key of the app.
    var owner: String
    var isGone = false
}

/// The fields by which the vendor recognizes a repeated message. A stored message has no target.
struct RepeatKey: Hashable, Sendable {
    let app: String
    let target: Target?
    /// The `app_message_id`.
    let ownID: String

    /// Nil for a message without an id of the caller.
    init?(_ app: OPPOApp, _ target: Target?, _ ownID: String?) {
        guard let ownID else { return nil }
        (self.app, self.target, self.ownID) = (app.key, target, ownID)
    }
}
