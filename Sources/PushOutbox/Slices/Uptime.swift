import FoundationEssentials
import PushAdapter

extension SliceRow {
    /// A moment on a machine, as the time since its start. That clock cannot be set, and it runs while the machine sleeps.
    public struct Uptime: RawRepresentable, Sendable, Hashable {
        /// What the kernel calls this start of the machine.
        public var boot: String
        /// The time since then.
        public var elapsed: Duration

        /// A moment after this start.
        public init(boot: String, elapsed: Duration) { (self.boot, self.elapsed) = (boot, elapsed) }

        /// Reads `rawValue`; nil for anything else.
        public init?(rawValue: String) {
            let words = rawValue.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2, let milliseconds = Int64(words[1]) else { return nil }
            self.init(boot: String(words[0]), elapsed: .milliseconds(milliseconds))
        }

        /// The start, a space, and milliseconds, as a store keeps it.
        public var rawValue: String { "\(boot) \(Int64(elapsed / .milliseconds(1)))" }

        /// This start of this machine. A process that cannot know it counts as a start of its own.
        static let thisBoot: String = {
            let kernel = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            return kernel.map { String($0.prefix { !$0.isWhitespace }) } ?? UUID().uuidString
        }()
    }
}

/// A moment, as a worker knows it.
struct Moment {
    /// How far two clocks may drift apart until one of them counts as set.
    private static let drift: TimeInterval = 60

    var date: Date
    var uptime: SliceRow.Uptime
    /// Whether the date is by the clock of the store's server, which goes on when this machine is started anew.
    var isByServer: Bool
}

extension Moment {
    /// Whether the vendor still knows a key that a request carried before. Not if a clock was set since: then it is unknown how
    /// old it is.
    func remembers(keyOf slice: SliceRow) -> Bool {
        guard let key = slice.idempotencyKey, key.isRemembered(at: date) else { return false }
        guard let usedAt = slice.keyUsedAt else { return true }
        guard let start = slice.keyUptime, start.boot == uptime.boot else { return isByServer }
        let age = (uptime.elapsed - start.elapsed).seconds
        return abs(age - date.timeIntervalSince(usedAt)) <= Self.drift
    }

    /// Whether the clock was set after an earlier moment of this process.
    func isAfterSetting(since earlier: Moment) -> Bool {
        abs((uptime.elapsed - earlier.uptime.elapsed).seconds - date.timeIntervalSince(earlier.date)) > Self.drift
    }
}
