import COpenSSL
import PushCore

enum PEM {
    /// What OpenSSL writes.
    static func text(_ write: (OpaquePointer) -> Int32) throws(PushError) -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { throw failure }
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { throw failure }
        var data: UnsafeMutablePointer<CChar>?
        let count = pb_memory_of(bio, &data)
        return String(decoding: UnsafeRawBufferPointer(start: data, count: count), as: UTF8.self)
    }

    private static var failure: PushError { PushError(.invalidState, "OpenSSL could not write PEM") }
}
