/// The byte-order mark that some editors write before a text. It is not part of the text.
package enum ByteOrderMark {
    /// The mark in UTF-8.
    package static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether a text begins with the mark of UTF-8.
    package static func begins(_ text: some Sequence<UInt8>) -> Bool { text.starts(with: utf8) }

    /// Whether a text begins with a mark of UTF-16.
    package static func isUTF16(_ text: some Sequence<UInt8>) -> Bool {
        text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
    }
}
