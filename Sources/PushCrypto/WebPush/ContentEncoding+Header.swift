package import PushAdapter

extension ContentEncoding {
    /// The header of an encrypted body (RFC 8188, section 2.1).
    package struct Header: Sendable, Hashable {
        /// 16 bytes, never the same for two bodies of one key material.
        package let salt: [UInt8]
        /// The size of each encrypted record but the last, at least 18 bytes.
        package let recordSize: Int
        /// Names the key material; at most 255 bytes.
        package let keyID: [UInt8]

        /// Refuses with `invalidArgument` a salt of another length, a record size below 18 or above 32 bits, and a key id
        /// above 255 bytes.
        package init(salt: [UInt8], recordSize: Int, keyID: [UInt8]) throws(PushError) {
            guard salt.count == Self.saltSize else {
                throw Self.refusal("the salt has \(salt.count) bytes, not \(Self.saltSize)")
            }
            guard ContentEncoding.recordOverhead + 1...Int(UInt32.max) ~= recordSize else {
                throw Self.refusal("the record size is \(recordSize); the minimum is \(recordOverhead + 1)")
            }
            guard keyID.count <= UInt8.max else {
                throw Self.refusal("the key id has \(keyID.count) bytes, more than 255")
            }
            (self.salt, self.recordSize, self.keyID) = (salt, recordSize, keyID)
        }

        /// The header at the start of a body. Refuses with `invalidArgument` a body that ends in its header, and a record
        /// size below 18.
        package init(of body: [UInt8]) throws(PushError) {
            guard body.count >= Self.fixedSize, body.count >= Self.fixedSize + Int(body[Self.fixedSize - 1]) else {
                throw Self.refusal("the body ends in it, after \(body.count) bytes")
            }
            let size = body[Self.saltSize..<Self.fixedSize - 1].reduce(0) { $0 << 8 | Int($1) }
            let keyID = body[Self.fixedSize...].prefix(Int(body[Self.fixedSize - 1]))
            try self.init(salt: Array(body.prefix(Self.saltSize)), recordSize: size, keyID: Array(keyID))
        }

        package static let saltSize = 16
        /// Salt, record size, length of the key id.
        private static let fixedSize = saltSize + 4 + 1

        /// The number of bytes.
        package var count: Int { Self.fixedSize + keyID.count }

        /// The header as it stands in a body.
        package var bytes: [UInt8] {
            salt + withUnsafeBytes(of: UInt32(recordSize).bigEndian, Array.init) + [UInt8(keyID.count)] + keyID
        }

        private static func refusal(_ words: String) -> PushError {
            PushError(.invalidArgument, "the header of the encrypted body is wrong (RFC 8188, section 2.1): \(words)")
        }
    }
}
