import FoundationEssentials
import PushAdapter
import PushWebhooks

/// Counts the devices of a route that a vendor's events of the last day called dead, and those that they showed alive.
///
/// Counts devices, not events: a vendor repeats events, and a device gets several messages a day. The last event of a
/// device counts. Holds at most 16,384 devices, in less than 1 MB. If there are more, it holds every second one, or every
/// fourth and so on. A hash of the id chooses them, so about the same share of them is dead.
struct DeviceTally {
    private struct Word {
        let isDead: Bool
        let date: Date
    }

    private static let capacity = 1 << 14

    private var words: [Int: Word] = [:]
    /// One of `1 << halvings` devices is held.
    private var halvings = 0

    /// Counts the devices of these events.
    /// - Parameter now: when they are handled.
    mutating func note(_ events: [WebhookEvent], at now: Date) {
        for event in events {
            guard let hash = event.device?.hashValue, let isDead = event.isDead, isHeld(hash) else { continue }
            words[hash] = Word(isDead: isDead, date: now)
            guard words.count > Self.capacity else { continue }
            halvings += 1
            words = words.filter { isHeld($0.key) }
        }
    }

    /// The devices of the last day, dead or reached; estimates if not all devices are held.
    mutating func answers(at now: Date) -> RouteAnswers {
        let dayAgo = now.addingTimeInterval(-86_400)
        for hash in words.filter({ $0.value.date <= dayAgo }).keys { words[hash] = nil }
        if halvings > 0, words.count < Self.capacity / 8 { halvings -= 1 }
        var answers = RouteAnswers()
        answers.dead = words.values.count(where: \.isDead) << halvings
        answers.accepted = words.values.count { !$0.isDead } << halvings
        answers.isProven = answers.accepted > 0
        return answers
    }

    private func isHeld(_ hash: Int) -> Bool { hash & (1 << halvings - 1) == 0 }
}

extension WebhookEvent {
    /// Whether the vendor called the device dead; false if the event shows that it is alive, nil if it shows neither.
    fileprivate var isDead: Bool? {
        switch verdict {
        case .dead: true
        case nil where kind == .delivered || kind == .clicked: false
        default: nil
        }
    }
}
