#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A credential in memory: never printed, never part of an error, log, metric or dump.
///
/// It owns its buffer and overwrites it when the last copy is released. It cannot erase the bytes that the caller's
/// string leaves in memory.
public struct Secret: Sendable {
    private let storage: Storage

    /// A secret with a copy of the text's UTF-8 bytes.
    public init(_ text: String) { storage = Storage(text.utf8) }
    /// A secret with a copy of these bytes.
    public init(_ bytes: some Collection<UInt8>) { storage = Storage(bytes) }

    /// The number of bytes.
    public var count: Int { storage.buffer.count }
    /// Whether it has no bytes.
    public var isEmpty: Bool { count == 0 }

    /// Lends the bytes for the duration of the call; do not keep them.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(storage.buffer))
    }

    /// `@unchecked`: the buffer is written only in `init` and `deinit`.
    private final class Storage: @unchecked Sendable {
        let buffer: UnsafeMutableRawBufferPointer

        init(_ bytes: some Collection<UInt8>) {
            buffer = .allocate(byteCount: bytes.count, alignment: 1)
            buffer.copyBytes(from: bytes)
        }

        deinit {
            buffer.wipe()
            buffer.deallocate()
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Overwrites the bytes with zeros, by a call that a compiler may not leave out.
    func wipe() {
        guard let baseAddress else { return }
        #if canImport(Darwin)
            memset_s(baseAddress, count, 0, count)
        #else
            explicit_bzero(baseAddress, count)
        #endif
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<secret>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Equatable {
    /// Compares in time that depends only on the lengths.
    public static func == (left: Secret, right: Secret) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<left.count { difference |= left.storage.buffer[index] ^ right.storage.buffer[index] }
        return difference == 0
    }
}
