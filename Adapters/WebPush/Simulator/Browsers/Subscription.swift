import FoundationEssentials
import PushSimulation

/// A subscription as the service knows it.
struct Subscription: Sendable {
    /// Who receives its pushes.
    enum Holder: Sendable, Hashable {
        /// A device of the simulator, whose keys the simulator knows.
        case device(String)
        /// A channel of a real browser, over a session. Only the browser knows the keys.
        case channel(String, of: String)
    }

    let holder: Holder
    /// The origin of its endpoint, if it exists from the start; nil for the simulator's.
    var origin: String?
    /// Nil for any server.
    let serverKey: [UInt8]?
    /// Nil for one that exists from the start.
    let created: Date?
    /// Nil if only the browser knows them.
    var keys: BrowserKeys?
    var isGone = false
    /// The waiting messages, oldest first.
    var stored: [StoredMessage] = []
    var rate = RateWindow(seconds: 60)

    /// Adds a message in the place of one with its topic, and returns the id of that.
    mutating func store(_ message: StoredMessage) -> String? {
        let old = message.topic.flatMap { topic in stored.firstIndex { $0.topic == topic } }
        let replaced = old.map { stored.remove(at: $0).id }
        stored.append(message)
        return replaced
    }

    mutating func end() { (isGone, stored) = (true, []) }
}

/// A message that the service accepted.
struct StoredMessage: Sendable {
    let id: String
    let topic: String?
    let until: Date
    let body: [UInt8]
    /// Nil without a body.
    let encoding: String?
    /// The header fields of the older encoding.
    let oldFields: [String: String]
}

/// A browser's report on a message. No service passes it on to senders.
public struct BrowserReport: Sendable, Hashable {
    /// The code of an acknowledgment, as Firefox counts. Any other number may come over a session.
    public enum Code {
        /// The page's worker has it.
        public static let delivered = 100
        /// It could not be decrypted.
        public static let undecryptable = 101
        /// There was nothing to pass on: an unknown channel, or a message seen before.
        public static let undelivered = 102
    }

    /// The service's id of the message.
    public var messageID: String
    /// The address to which it was sent; empty for an unknown channel.
    public var endpoint: String
    /// An acknowledgment of the browser, or from 301 on an error of the page's worker.
    public var code: Int
}
