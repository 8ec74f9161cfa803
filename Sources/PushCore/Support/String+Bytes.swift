extension String {
    /// The longest start of the text that fits `most` bytes without splitting a Unicode scalar. Foreign texts are cut
    /// by bytes, because one visible character can have a million.
    package func prefix(bytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = unicodeScalars.startIndex
        var size = 0
        for index in unicodeScalars.indices {
            size += UTF8.width(unicodeScalars[index])
            guard size <= most else { break }
            end = unicodeScalars.index(after: index)
        }
        return String(unicodeScalars[..<end])
    }

    /// Lends the UTF-8 bytes for the duration of the call.
    ///
    /// Unlike `withUTF8`, which mutates a text that it may have to copy, it needs no copy: reference counting for the
    /// copy takes longer than reading a short text.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
