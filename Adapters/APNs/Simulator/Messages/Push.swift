import FoundationEssentials
import PushSimulation

/// A push to one device token, with accepted headers and payload.
struct Push {
    let id: String
    let topic: Topic
    let collapseID: String?
    /// Seconds since 1970; nil if the client leaves it to Apple.
    let expiration: Int?
    let payload: Payload

    /// The time until which the push waits for an offline device; nil if it does not wait.
    func end(_ now: Date) -> Date? {
        Self.end(expiration, within: Rules.longestStorage, now)
    }

    /// The earlier of the expiration and the longest time. Nil if the expiration has passed, as 0 has.
    static func end(_ expiration: Int?, within longest: Double, _ now: Date) -> Date? {
        let last = now.addingTimeInterval(longest)
        guard let expiration else { return last }
        let end = min(last, Date(timeIntervalSince1970: Double(expiration)))
        return end > now ? end : nil
    }
}

/// A broadcast to a channel.
struct Broadcast {
    let id: String
    let number: Int
    let payload: Payload
    /// Nil if devices ignore the broadcast.
    let change: ActivityPayload?
}
