import FoundationEssentials

/// A push to one device token, whose headers and payload were accepted.
struct Push {
    let id: String
    let topic: Topic
    let collapseID: String?
    /// Seconds since 1970; nil if the client leaves it to Apple.
    let expiration: Int?
    let payload: Payload

    /// Until when it waits for a device that is offline; nil if it does not wait.
    func end(_ now: Date) -> Date? {
        Self.end(expiration, within: Rules.longestStorage, now)
    }

    /// The earlier of an expiration and the longest time; nil for an expiration that has passed, such as 0.
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
    /// Nil for one that devices ignore.
    let change: ActivityPayload?
}
