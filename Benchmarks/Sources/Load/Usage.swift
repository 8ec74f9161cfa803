import FoundationEssentials
import Glibc

/// What this process has used so far.
public struct Usage: Sendable {
    /// Seconds of a monotonic clock.
    public var elapsed: Double
    /// Seconds of CPU of all threads, in user and kernel mode.
    public var cpu: Double
    /// The peak resident memory, in KiB.
    public var peakKB: Int

    /// Reads the usage now.
    public init() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        elapsed = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        cpu =
            Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(
                usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        peakKB = Self.peak
    }
    /// Not from getrusage: that also counts what the parent process held before this program began.
    private static var peak: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
