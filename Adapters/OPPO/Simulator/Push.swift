import FoundationEssentials
import PushAdapter
import PushSimulation

/// A message on its way.
struct Push: Sendable {
    let messageID: String
    /// A message that is sent twice has a task for each.
    let taskID: String
    /// The key of the app.
    let app: String
    let message: OPPOMessage
    let lane: Lane
    /// Receipts come for messages to registration ids only.
    var receipts: ReceiptOrder?

    /// The class of a message, and what a phone shows of it.
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

/// The messages with ids of the caller that the vendor remembers.
struct Memory: Sendable {
    private struct Key: Hashable {
        let app: String
        let target: Target?
        let ownID: String
    }

    private var firsts: [Key: (id: String, date: Date)] = [:]

    /// The id of an earlier message with the same id to the same target; nil for a new one. A stored message has no
    /// target.
    func first(_ ownID: String?, _ target: Target?, of app: String, since date: Date) -> String? {
        guard let ownID, let first = firsts[Key(app: app, target: target, ownID: ownID)] else { return nil }
        return first.date > date ? first.id : nil
    }

    mutating func keep(_ id: String, for ownID: String?, _ target: Target?, of app: String, _ now: Date) {
        if let ownID { firsts[Key(app: app, target: target, ownID: ownID)] = (id, now) }
    }
}
