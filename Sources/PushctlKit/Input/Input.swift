import Glibc
import PushAdapter
import PushBridge

/// Reads a person's input: messages, audiences, lists.
enum Input {
    /// A path for a message, whole, because a person looks for it.
    static func quoted(_ path: String) -> String { Redaction.quoted(path, atMost: 4096) }

    private static let longestFile = 1 << 20

    /// Whether a text is a connection string, which may hold a password, and not the path of a file. As in libpq, a `=`
    /// makes it one. A path with a `=` or `://` starts with `/` or `.`.
    static func isConnectionString(_ text: String) -> Bool {
        !text.hasPrefix("/") && !text.hasPrefix(".") && (text.contains("=") || text.contains("://"))
    }

    /// Reads a whole file; `-` is standard input. A byte-order mark is not part of the text. Refuses a file that is
    /// missing, too long or not UTF-8.
    static func text(ofFile path: String) throws(PushError) -> String {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY)
        guard file >= 0 else {
            throw PushError(.invalidArgument, "the file \(Input.quoted(path)) cannot be read; is the name right?")
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count >= 0 else {
                throw PushError(.invalidArgument, "\(Input.quoted(path)) cannot be read; is it a file?")
            }
            guard count > 0 else { break }
            bytes += buffer[..<count]
            guard bytes.count <= longestFile else {
                throw PushError(.tooLong, "the file \(Input.quoted(path)) is longer than \(longestFile) bytes")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let form = ByteOrderMark.isUTF16(bytes) ? "UTF-16; save it as UTF-8" : "not UTF-8"
            throw PushError(.invalidArgument, "the file \(Input.quoted(path)) is \(form)")
        }
        return ByteOrderMark.begins(bytes) ? String(text.unicodeScalars.dropFirst()) : text
    }

    static func message(ofFile path: String) throws(PushError) -> Message {
        try decode(Message.self, try text(ofFile: path), "the message in \(Input.quoted(path))")
    }

    /// `everyone`, `devices:ID,ID`, `aliases:NAME,NAME`, `accounts:NAME,TYPE:NAME`, `tags:TAG,TAG` for devices with any
    /// of them, or JSON.
    static func audience(_ text: String) throws(PushError) -> Audience {
        if text == "everyone" { return .everyone }
        if text.hasPrefix("{") || text.hasPrefix("\"") { return try decode(Audience.self, text, "the audience") }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let names =
            parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init) : []
        switch (parts[0], parts.count) {
        case ("device", 2), ("devices", 2): return .devices(names.map { DeviceID($0) })
        case ("alias", 2), ("aliases", 2): return .aliases(names.map { Alias($0) })
        case ("account", 2), ("accounts", 2): return .accounts(names.map { Account(written: $0) })
        case ("tag", 2), ("tags", 2): return .tagged(anyOf: Set(names.map { Tag($0) }))
        default:
            throw PushError(
                .invalidArgument,
                "--to \(Redaction.quoted(text)) is not an audience; write everyone, devices:ID,ID, devices:@FILE, "
                    + "aliases:NAME,NAME, accounts:TYPE:NAME,TYPE:NAME, tags:TAG,TAG or JSON such as {\"tagged\":{\"allOf\":[\"a\",\"b\"]}}"
            )
        }
    }

    /// The file of `devices:@FILE`.
    static func deviceFile(_ text: String) -> String? {
        ["devices:@", "device:@"].first(where: text.hasPrefix).map { String(text.dropFirst($0.count)) }
    }

    /// Reads JSON. An error names the line and the column.
    static func json(_ text: String) throws(PushError) -> JSONValue {
        do throws(PushError) { return try JSONValue(parsing: Array(text.utf8)) } catch {
            guard let found = error.message.firstMatch(of: #/(.*) at byte ([0-9]+)/#), let byte = Int(found.output.2)
            else { throw error }
            let before = text.utf8.prefix(byte)
            let line = before.count { $0 == 0x0A } + 1
            let column = (before.lastIndex(of: 0x0A).map { before[before.index(after: $0)...].count } ?? byte) + 1
            throw PushError(.invalidArgument, "\(found.output.1) at line \(line), column \(column)")
        }
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ text: String, _ name: String
    ) throws(PushError) -> Value {
        do throws(PushError) {
            _ = try json(text)
            return try WireResponse(status: 200, body: Array(text.utf8)).json(type)
        } catch {
            let reason = error.message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? error.message
            let line = line(of: reason, in: text).map { ", line \($0)" } ?? ""
            throw PushError(.invalidArgument, "\(name)\(line): \(reason)")
        }
    }

    /// The line of the place that an error names: an unknown key, or the path of a value.
    private static func line(of reason: String, in text: String) -> Int? {
        let key = reason.firstMatch(of: #/^unknown key "([^"]+)"/#).map { [String($0.output.1)] } ?? []
        let path = reason.firstMatch(of: #/ at ([^ ;]+)(?:;|$)/#)?.output.1.split(separator: ".").map(String.init) ?? []
        return JSONLines(text).line(of: path + key)
    }
}

/// The lines of a file, `-` for standard input, read on demand; empty lines are ignored.
struct LineFile: AsyncSequence, Sendable {
    typealias Element = DeviceID

    let path: String

    init(_ path: String) throws(PushError) {
        guard path == "-" || access(path, R_OK) == 0 else {
            throw PushError(.invalidArgument, "the file \(Input.quoted(path)) cannot be read; is the name right?")
        }
        self.path = path
    }

    func makeAsyncIterator() -> Iterator { Iterator(path) }

    /// The number of lines, for a progress bar; nil for a file that can be read only once.
    func lineCount() -> Int? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "r")
        else {
            return nil
        }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count = 0
        while case let size = fread(&buffer, 1, buffer.count, file), size > 0 {
            count += buffer[..<size].count { $0 == 0x0A }
        }
        return count
    }

    struct Iterator: AsyncIteratorProtocol {
        private let path: String
        private var lines: LineReader?

        init(_ path: String) { self.path = path }

        mutating func next() async throws -> DeviceID? {
            // Opened here, so that the reader of the first line gets the error.
            let reader = try lines ?? LineReader(path)
            lines = reader
            guard let line = try reader.next() else { return nil }
            guard let text = line.text else {
                throw PushError(.invalidArgument, "line \(line.number) of \(Input.quoted(path)) is not UTF-8")
            }
            guard !line.isCut else {
                throw PushError(
                    .tooLong,
                    "line \(line.number) of \(Input.quoted(path)) is longer than \(LineReader.longest) bytes")
            }
            return DeviceID(text)
        }
    }
}

/// The lines of a file and their numbers, one in memory at a time; empty lines are ignored. Lines end with CR, LF or
/// both. A byte-order mark at the start is not part of the first line.
final class LineReader {
    struct Line {
        var number: Int
        /// The start of the line, up to more bytes than any vendor accepts.
        var bytes: [UInt8]
        var isCut: Bool

        /// The text; nil if it is not UTF-8. A line that was cut has only its start.
        var text: String? {
            isCut ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
        }
    }

    /// The maximum number of bytes kept of a line.
    static let longest = 4096

    private let file: UnsafeMutablePointer<FILE>
    private let path: String
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var (position, count) = (0, 0)
    private var number = 0
    private var lastEnd: UInt8 = 0

    /// Opens a file, `-` for standard input.
    init(_ path: String) throws(PushError) {
        guard let file = fopen(path == "-" ? "/dev/stdin" : path, "r") else { throw Self.unreadable(path) }
        self.file = file
        self.path = path
    }

    deinit { fclose(file) }

    /// The next line that is not empty, without its line ending.
    func next() throws(PushError) -> Line? {
        while let line = try line() {
            if !line.bytes.isEmpty { return line }
        }
        return nil
    }

    private func line() throws(PushError) -> Line? {
        var line = Line(number: number + 1, bytes: [], isCut: false)
        var isThere = false
        while try fill() {
            let rest = buffer[position..<count]
            // The LF of a line ending CR LF.
            if lastEnd == 0x0D, rest.first == 0x0A, !isThere {
                lastEnd = 0
                position += 1
                continue
            }
            lastEnd = 0
            isThere = true
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D }
            let part = rest[..<(end ?? count)]
            let room = Self.longest - line.bytes.count
            line.bytes += part.prefix(room)
            line.isCut = line.isCut || part.count > room
            position = end.map { $0 + 1 } ?? count
            if let end {
                lastEnd = buffer[end]
                break
            }
        }
        guard isThere else { return nil }
        number += 1
        if number == 1, ByteOrderMark.begins(line.bytes) { line.bytes.removeFirst(ByteOrderMark.utf8.count) }
        return line
    }

    /// Whether there is another byte to read.
    private func fill() throws(PushError) -> Bool {
        guard position == count else { return true }
        count = fread(&buffer, 1, buffer.count, file)
        position = 0
        guard ferror(file) == 0 else { throw Self.unreadable(path) }
        return count > 0
    }

    private static func unreadable(_ path: String) -> PushError {
        PushError(.invalidArgument, "the file \(Input.quoted(path)) cannot be read; is it a file?")
    }
}
