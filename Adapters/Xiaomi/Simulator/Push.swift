import FoundationEssentials
import PushAdapter
import PushSimulation

/// The targets of a call.
enum Audience: Sendable {
    /// The field of a call that names them.
    enum Kind: String {
        case regIDs = "registration_id"
        case aliases = "alias"
        case accounts = "user_account"
        case topic, topics, everyone
    }

    /// How a call combines several topics.
    enum Operation: String {
        case union = "UNION"
        case intersection = "INTERSECTION"
        /// The first without the rest.
        case except = "EXCEPT"
    }

    case regIDs([String])
    case aliases([String])
    case accounts([String])
    case topics([String], Operation)
    case everyone

    init(_ form: Form, _ kind: Kind) throws(Refusal) {
        switch kind {
        case .regIDs: self = .regIDs(try form.list(kind.rawValue))
        case .aliases: self = .aliases(try form.list(kind.rawValue))
        case .accounts: self = .accounts(try form.list(kind.rawValue))
        case .topic:
            let topic = try form.need("topic")
            guard Self.isTopic(topic) else { throw .topic }
            self = .topics([topic], .union)
        case .topics:
            let topics = try form.need("topics").split(separator: Self.separator).map(String.init)
            guard topics.count <= 5 else { throw .topics }
            guard let operation = Operation(rawValue: form["topic_op"] ?? "UNION") else {
                throw .illegal("topic_op is unknown")
            }
            self = .topics(topics, operation)
        case .everyone: self = .everyone
        }
    }

    /// The targets by name; nil for topics and everyone, of which no receipts come.
    var names: [String]? {
        switch self {
        case .regIDs(let names), .aliases(let names), .accounts(let names): names
        case .topics, .everyone: nil
        }
    }

    private static let separator = ";$;"

    static func isTopic(_ name: String) -> Bool { !name.contains(separator) }

    /// Whether a device with these topics is a target.
    static func matches(_ topics: [String], _ operation: Operation, _ own: Set<String>) -> Bool {
        switch operation {
        case .union: topics.contains(where: own.contains)
        case .intersection: topics.allSatisfy(own.contains)
        case .except: topics.first.map(own.contains) ?? false && !topics.dropFirst().contains(where: own.contains)
        }
    }
}

/// A message on its way.
struct Push: Sendable {
    /// How the vendor treats a message.
    enum Lane {
        /// A class; nil for the default one.
        case inClass(XiaomiChannel.Kind?)
        /// None: it is data for the app. The documents do not say whether classes count data.
        case data
        /// No phone shows it.
        case hidden
    }

    let id: String
    /// The app.
    let package: String
    let message: XiaomiMessage
    let lane: Lane
    let audience: Audience
    let receipts: ReceiptOrder?
    /// Seconds for which it waits for a phone.
    let life: Double
}

/// The vendor's record of a device.
struct DeviceRecord: Sendable {
    /// The package of the app.
    var owner: String
    /// Oldest first.
    var aliases: [String] = []
    var isGone = false
    var isPushOff = false
    /// The channels to which the user subscribed.
    var consents: Set<String> = []
    /// By which messages filter.
    var traits: [String: String] = [:]
    /// When the phone first had a message with a job key.
    var jobKeys: [String: Date] = [:]
    /// The name by which a message addressed the device, if it is not the regid.
    var names: [String: String] = [:]
    /// The messages that the user tapped.
    var clicked: Set<String> = []
}
