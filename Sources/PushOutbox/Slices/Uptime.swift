import FoundationEssentials
import PushAdapter

extension SliceRow {
    /// A moment on a machine, as the time since its boot. This clock cannot be set, and it runs while the machine
    /// sleeps.
    public struct Uptime: RawRepresentable, Sendable, Hashable {
        /// The kernel's id of the boot.
        public var boot: String
        /// The time since the boot.
        public var elapsed: Duration

        /// A moment after this boot.
        public init(boot: String, elapsed: Duration) { (self.boot, self.elapsed) = (boot, elapsed) }

        /// Reads `rawValue`; nil for anything else.
        public init?(rawValue: String) {
            let words = rawValue.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2, let milliseconds = Int64(words[1]) else { return nil }
            self.init(boot: String(words[0]), elapsed: .milliseconds(milliseconds))
        }

        /// The form in a store: the boot, a space, and milliseconds.
        public var rawValue: String { "\(boot) \(Int64(elapsed / .milliseconds(1)))" }

        /// The id of this machine's boot. A process that cannot read it gets an id of its own.
        static let thisBoot: String = {
            let kernel = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            return kernel.map { String($0.prefix { !$0.isWhitespace }) } ?? UUID().uuidString
        }()
    }
}

/// A worker's moment on both clocks.
struct Moment {
    /// Clocks that drift further apart than this count as set.
    private static let drift: TimeInterval = 60

    var date: Date
    var uptime: SliceRow.Uptime
    /// Whether the date comes from the store's server, whose clock continues when this machine reboots.
    var isByServer: Bool
}

extension Moment {
    /// Whether the vendor still knows a key that a request carried before. False if a clock was set since, because the
    /// key's age is unknown then.
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

    /// A date that was derived from the clock at an earlier moment of this process, on the clock as it is now. It is as
    /// far ahead as it would be if the clock had not been set.
    func moved(_ other: Date, from earlier: Moment) -> Date {
        let passed = (uptime.elapsed - earlier.uptime.elapsed).seconds
        return date.addingTimeInterval(other.timeIntervalSince(earlier.date) - passed)
    }
}
