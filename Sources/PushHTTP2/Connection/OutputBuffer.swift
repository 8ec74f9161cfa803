import COpenSSL
import Glibc

/// Encrypted bytes on their way to a socket. OpenSSL writes each record into it, so that all records of a turn leave with
/// one system call. Belongs to the I/O thread.
final class OutputBuffer {
    private var bytes: [UInt8] = []
    private(set) var sent = 0

    var isEmpty: Bool { bytes.isEmpty }

    /// Hands the bytes to the system, as many as it accepts; false if the connection is broken.
    func send(to socket: Int32) -> Bool {
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
            sent += count
        }
        bytes.removeAll(keepingCapacity: true)
        sent = 0
        return true
    }

    /// Lets OpenSSL write here. The buffer must outlive the connection.
    func attach(to ssl: OpaquePointer) -> Bool {
        guard let method = Self.method, let bio = BIO_new(method) else { return false }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        SSL_set0_wbio(ssl, bio)
        return true
    }

    /// The functions that OpenSSL calls. Made once and never freed.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "PushBridge output")
        BIO_meth_set_write(method) { bio, data, count in
            guard let context = BIO_get_data(bio), let data, count > 0 else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: data, count: Int(count))
            Unmanaged<OutputBuffer>.fromOpaque(context).takeUnretainedValue().bytes.append(contentsOf: bytes)
            return count
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()
}
