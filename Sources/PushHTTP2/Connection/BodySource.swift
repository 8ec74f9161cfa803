import Glibc
import PushAdapter
import PushCrypto

/// The bytes of a request's body, read piece by piece.
struct BodySource {
    private enum Piece {
        case bytes([UInt8])
        case file(OpenFile)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(let file): file.count
            }
        }
    }

    let contentType: String
    /// Nil for no body at all.
    let count: Int?
    private var pieces: [Piece] = []
    private var current = 0
    private var offset = 0

    /// Throws `invalidArgument` for a file that cannot be read.
    init(_ body: WireBody) throws(PushError) {
        switch body {
        case .none: (contentType, count) = ("", nil)
        case .bytes(let bytes, let type):
            (contentType, count) = (type, bytes.count)
            pieces = bytes.isEmpty ? [] : [.bytes(bytes)]
        case .multipart(let parts):
            let boundary = Digests.hex(try SecureRandom.bytes(16))
            contentType = "multipart/form-data; boundary=\(boundary)"
            pieces = try Self.pieces(parts, boundary).filter { $0.count > 0 }
            count = pieces.reduce(0) { $0 + $1.count }
        }
    }

    /// Whether every byte was read.
    var isAtEnd: Bool { current == pieces.count }

    /// Reads into a buffer; -1 if a file has become shorter, or cannot be read any more.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < buffer.count, current < pieces.count {
            let wanted = min(buffer.count - filled, pieces[current].count - offset)
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + wanted])
            switch pieces[current] {
            case .bytes(let bytes):
                bytes.withUnsafeBytes {
                    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + wanted]))
                }
            case .file(let file):
                guard pread(file.descriptor, target.baseAddress, wanted, offset) == wanted else { return -1 }
            }
            filled += wanted
            offset += wanted
            if offset == pieces[current].count { (current, offset) = (current + 1, 0) }
        }
        return filled
    }

    private static func pieces(_ parts: [WirePart], _ boundary: String) throws(PushError) -> [Piece] {
        var pieces: [Piece] = []
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(escaped(part.name))\""
            let content: Piece
            var (fileName, type) = (part.fileName, part.contentType)
            switch part.content {
            case .bytes(let bytes): content = .bytes(bytes)
            case .file(let path):
                content = .file(try OpenFile(path))
                fileName = fileName ?? path.split(separator: "/").last.map(String.init)
                type = type ?? "application/octet-stream"
            }
            if let fileName { head += "; filename=\"\(escaped(fileName))\"" }
            if let type { head += "\r\nContent-Type: \(type)" }
            pieces += [.bytes(Array("\(head)\r\n\r\n".utf8)), content, .bytes([0x0D, 0x0A])]
        }
        return pieces + [.bytes(Array("--\(boundary)--\r\n".utf8))]
    }

    /// As browsers write names; line breaks were refused before.
    private static func escaped(_ name: String) -> String {
        name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "%22")
    }
}

/// A file that is read while its request leaves.
private final class OpenFile {
    let descriptor: Int32
    let count: Int

    /// Opens a regular file: a pipe could block the I/O thread.
    init(_ path: String) throws(PushError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var facts = stat()
        let isUsable = descriptor >= 0 && fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
        count = Int(facts.st_size)
        guard isUsable else {
            throw PushError(.invalidArgument, "the file \(Redaction.quoted(path)) cannot be read")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
