import Glibc
package import PushAdapter

/// A file that belongs to this server, in the directory for temporary files.
package struct TemporaryFile: Sendable {
    package let path: String

    package init(_ text: String) throws(PushError) {
        let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(directory)/pushbridge-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else {
            throw PushError(.invalidState, "cannot create a temporary file in \(directory)")
        }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { close(descriptor) }
        guard
            text.utf8CString.withUnsafeBytes({ write(descriptor, $0.baseAddress, text.utf8.count) }) == text.utf8.count
        else {
            remove()
            throw PushError(.invalidState, "cannot write the temporary file; is the disk full?")
        }
    }

    package func remove() { unlink(path) }
}
