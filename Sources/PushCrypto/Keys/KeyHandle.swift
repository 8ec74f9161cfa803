import COpenSSL

/// A key in OpenSSL's memory. Freed with its last copy; OpenSSL then wipes the private half.
///
/// `@unchecked`: the key is complete before another thread sees it, and then only read. OpenSSL counts its references
/// and guards its caches in a key, so several threads may use one key at once (openssl-threads(7)).
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes the ownership of a key.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }
}
