import Glibc
import PushBridge

/// What goes to the terminal or into a pipe.
enum Output {
    enum Color: String {
        case green = "32"
        case red = "31"
        case dim = "2"
        case bold = "1"
    }

    /// Colors only for a person at a terminal who did not ask for none.
    private static let usesColor =
        isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil && getenv("TERM").map { String(cString: $0) } != "dumb"

    static func line(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    static func complain(_ text: String) {
        write(text + "\n", to: STDERR_FILENO)
    }

    static func print(_ value: JSONValue) {
        line(String(decoding: JSONWriter.bytes(of: value), as: UTF8.self))
    }

    /// Names of one kind: an array under that name, or a line each.
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

    /// Unbuffered, so that what was printed is seen also when the process is ended.
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

    /// Why something that was to be printed could not be.
    private static let failure = Locked<Int32?>(nil)

    /// Ends the process when something could not be printed: what nobody can read has not been said, whatever was done.
    static func check() {
        guard let code = failure.withLock({ $0 }) else { return }
        complain("the output could not be written: \(String(cString: strerror(code)))")
        exit(74)
    }
}
