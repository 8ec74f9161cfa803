import Glibc
import PushBridge

/// Reads what a person wrote: messages, audiences, lists.
enum Input {
    /// A whole file, `-` for standard input. Refuses what is missing, too long or no UTF-8.
    static func text(ofFile path: String, atMost limit: Int = 1 << 20) throws(PushError) -> String {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY)
        guard file >= 0 else {
            throw PushError(.invalidArgument, "the file \(Redaction.quoted(path)) cannot be read; is the name right?")
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count >= 0 else {
                throw PushError(.invalidArgument, "\(Redaction.quoted(path)) cannot be read; is it a file?")
            }
            guard count > 0 else { break }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw PushError(.tooLong, "the file \(Redaction.quoted(path)) is longer than \(limit) bytes")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PushError(.invalidArgument, "the file \(Redaction.quoted(path)) is not UTF-8")
        }
        return text
    }

    static func message(ofFile path: String) throws(PushError) -> Message {
        try decode(Message.self, try text(ofFile: path), "the message in \(Redaction.quoted(path))")
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
                "--to \(Redaction.quoted(text)) is no audience; write everyone, devices:ID,ID, devices:@FILE, "
                    + "aliases:NAME,NAME, accounts:TYPE:NAME,TYPE:NAME, tags:TAG,TAG or JSON such as {\"tagged\":{\"allOf\":[\"a\",\"b\"]}}"
            )
        }
    }

    /// The file of `devices:@FILE`.
    static func deviceFile(_ text: String) -> String? {
        ["devices:@", "device:@"].first(where: text.hasPrefix).map { String(text.dropFirst($0.count)) }
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ text: String, _ name: String
    ) throws(PushError) -> Value {
        do throws(PushError) {
            return try WireResponse(status: 200, body: Array(text.utf8)).json(type)
        } catch {
            let reason = error.message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? error.message
            throw PushError(.invalidArgument, "\(name): \(reason)")
        }
    }
}

/// The lines of a file, read as they are asked for; empty lines are passed over.
struct LineFile: AsyncSequence, Sendable {
    typealias Element = DeviceID

    let path: String

    init(_ path: String) throws(PushError) {
        guard access(path, R_OK) == 0 else {
            throw PushError(.invalidArgument, "the file \(Redaction.quoted(path)) cannot be read; is the name right?")
        }
        self.path = path
    }

    func makeAsyncIterator() -> Iterator { Iterator(path) }

    /// The number of lines, for a progress bar; nil for what can be read only once.
    func lineCount() -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "r") else {
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
            // Opened here, so what cannot be opened is said where somebody waits for it.
            let reader = try lines ?? LineReader(path)
            lines = reader
            guard let line = try reader.next() else { return nil }
            guard let text = String(validating: line.bytes, as: UTF8.self) else {
                throw PushError(.invalidArgument, "line \(line.number) of \(Redaction.quoted(path)) is not UTF-8")
            }
            return DeviceID(text)
        }
    }
}

/// The lines of a file and their numbers, one in memory at a time; empty lines are passed over.
final class LineReader {
    private let file: UnsafeMutablePointer<FILE>
    private let path: String
    private var number = 0
    private var line: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    /// Opens a file, `-` for standard input.
    init(_ path: String) throws(PushError) {
        guard let file = fopen(path == "-" ? "/dev/stdin" : path, "r") else { throw Self.unreadable(path) }
        self.file = file
        self.path = path
    }

    deinit {
        fclose(file)
        free(line)
    }

    /// The next line without its end; the bytes are there until the next call.
    func next() throws(PushError) -> (number: Int, bytes: Slice<UnsafeRawBufferPointer>)? {
        while true {
            let count = getline(&line, &capacity, file)
            guard count > 0, let line else {
                if ferror(file) != 0 { throw Self.unreadable(path) }
                return nil
            }
            number += 1
            var bytes = UnsafeRawBufferPointer(start: line, count: count)[...]
            while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
            if !bytes.isEmpty { return (number, bytes) }
        }
    }

    private static func unreadable(_ path: String) -> PushError {
        PushError(.invalidArgument, "the file \(Redaction.quoted(path)) cannot be read; is it a file?")
    }
}
