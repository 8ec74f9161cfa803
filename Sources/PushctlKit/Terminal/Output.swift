import Glibc
import PushAdapter
import PushBridge

/// Writes to the terminal or into a pipe.
enum Output {
    enum Color: String {
        case green = "32"
        case red = "31"
        case bold = "1"
    }

    /// Colors only at a terminal, unless the user turned them off.
    private static let usesColor =
        isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil && getenv("TERM").map { String(cString: $0) } != "dumb"

    /// The width of a line: `COLUMNS`, else the terminal's, else 80.
    static let columns: Int = {
        if let text = getenv("COLUMNS"), let number = Int(String(cString: text)), number > 0 { return number }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }()

    static func line(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    /// Such as `1 target` or `2 targets`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    static func complain(_ text: String) {
        write(text + "\n", to: STDERR_FILENO)
    }

    static func print(_ value: JSONValue) {
        line(String(decoding: JSONWriter.bytes(of: value), as: UTF8.self))
    }

    /// Prints names of one kind: an array under that name, or one name per line.
    static func list(_ names: [String], _ kind: String, asJSON: Bool) {
        if asJSON {
            print(.object([kind: .array(names.map(JSONValue.string))]))
        } else {
            line(names.isEmpty ? "no \(kind)" : names.joined(separator: "\n"))
        }
    }

    static func colored(_ text: String, _ color: Color) -> String {
        usesColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Unbuffered, so that the output is complete even if the process is killed.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if descriptor == STDOUT_FILENO { failure.withLock { $0 = $0 ?? errno } }
                return
            }
            bytes = bytes.dropFirst(count)
        }
    }

    /// The error of the first failed write to standard output.
    private static let failure = Locked<Int32?>(nil)

    /// Exits with status 74 if a write to standard output failed, regardless of the command's own result.
    static func check() {
        guard let code = failure.withLock({ $0 }) else { return }
        complain("error: the output could not be written: \(String(cString: strerror(code)))")
        exit(74)
    }
}
