import CNGHTTP2
import COpenSSL
import Glibc

/// An encrypted connection to a server. Belongs to one thread at a time.
///
/// `@unchecked`: the thread that opens it hands it to the I/O thread through a lock.
final class Link: @unchecked Sendable {
    let socket: Int32
    let ssl: OpaquePointer

    /// Owns both.
    init(socket: Int32, ssl: OpaquePointer) {
        self.socket = socket
        self.ssl = ssl
    }

    deinit {
        SSL_free(ssl)
        close(socket)
    }
}

/// A thread's sign that another one has work for it: a descriptor to poll.
final class Signal: Sendable {
    let descriptor = pb_signal()

    deinit { close(descriptor) }

    func raise() {
        var one: UInt64 = 1
        write(descriptor, &one, 8)
    }

    func clear() {
        var count: UInt64 = 0
        read(descriptor, &count, 8)
    }
}
