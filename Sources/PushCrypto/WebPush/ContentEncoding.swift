package import PushAdapter

/// The content encoding `aes128gcm` (RFC 8188): a header, then records that AES-128-GCM encrypts one by one.
package enum ContentEncoding {
    /// The bytes of a record that are neither text nor padding: the delimiter and the tag.
    package static let recordOverhead = 1 + AES128GCM.tagSize

    /// Encrypts a text. Every record but the last is full. Padding goes into the first records, and leaves room for one
    /// byte of text in each of them, until the text ends.
    ///
    /// Refuses with `invalidArgument` a padding below zero or above 2 GiB.
    /// - Parameters:
    ///   - text: the bytes to encrypt; may be empty.
    ///   - header: the header of the body, with a salt that no other body of this key material has.
    ///   - material: the input key material that the header's `keyID` stands for.
    ///   - padding: the number of zero bytes that hide the length of the text.
    package static func encrypt(
        _ text: [UInt8], header: Header, by material: Secret, padding: Int = 0
    ) throws(PushError) -> [UInt8] {
        guard 0...Int(Int32.max) ~= padding else {
            throw PushError(.invalidArgument, "padding must be from 0 to \(Int32.max) bytes; it is \(padding)")
        }
        let keys = try ContentKeys(from: material, salt: header.salt)
        let cipher = try AES128GCM(key: keys.key)
        let room = header.recordSize - recordOverhead
        let size = text.count + padding
        var body = header.bytes
        body.reserveCapacity(body.count + size + (size / room + 1) * recordOverhead)
        var (rest, padding, number) = (text[...], padding, 0 as UInt64)
        repeat {
            let zeros = min(padding, rest.isEmpty ? room : room - 1)
            let start = body.count
            body += rest.prefix(room - zeros)
            rest = rest.dropFirst(room - zeros)
            padding -= zeros
            body.append(rest.isEmpty && padding == 0 ? Delimiter.last : Delimiter.inner)
            body.append(contentsOf: repeatElement(0, count: zeros))
            try cipher.seal(&body, from: start, nonce: keys.nonce(of: number))
            number += 1
        } while !rest.isEmpty || padding > 0
        return body
    }

    /// Decrypts a body, all of it or nothing.
    ///
    /// Refuses with `invalidArgument` a header that cannot be read, a body without records, a record that is too short,
    /// that another key encrypted or that was changed, and a wrong delimiter.
    /// - Parameter material: finds the input key material for a header, by its `keyID`.
    package static func decrypt(
        _ body: [UInt8], by material: (Header) throws(PushError) -> Secret
    ) throws(PushError) -> [UInt8] {
        let header = try Header(of: body)
        let keys = try ContentKeys(from: try material(header), salt: header.salt)
        let cipher = try AES128GCM(key: keys.key)
        var (text, rest, number) = ([] as [UInt8], body.dropFirst(header.count), 0 as UInt64)
        repeat {
            let record = rest.prefix(header.recordSize)
            rest = rest.dropFirst(header.recordSize)
            guard record.count >= recordOverhead else {
                throw refusal(number, "has \(record.count) bytes; the minimum is \(recordOverhead)")
            }
            guard let opened = try cipher.open(record, nonce: keys.nonce(of: number)) else {
                throw refusal(number, "was encrypted with another key, or it was changed")
            }
            text += try unpadded(opened, number, isLast: rest.isEmpty)
            number += 1
        } while !rest.isEmpty
        return text
    }

    /// The text of a record: the bytes before the delimiter, which is the last byte that is not zero.
    private static func unpadded(
        _ record: [UInt8], _ number: UInt64, isLast: Bool
    ) throws(PushError) -> ArraySlice<UInt8> {
        guard let end = record.lastIndex(where: { $0 != 0 }) else { throw refusal(number, "has no delimiter") }
        guard record[end] == (isLast ? Delimiter.last : Delimiter.inner) else {
            throw refusal(
                number,
                isLast
                    ? "is the last one, but its delimiter is not 2" : "is not the last one, but its delimiter is not 1")
        }
        return record[..<end]
    }

    private static func refusal(_ number: UInt64, _ words: String) -> PushError {
        PushError(.invalidArgument, "the body cannot be decrypted (RFC 8188): record \(number + 1) \(words)")
    }

    private enum Delimiter {
        static let inner: UInt8 = 1
        static let last: UInt8 = 2
    }
}
