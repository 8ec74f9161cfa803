extension String {
    /// Lends the UTF-8 bytes for the duration of the call.
    ///
    /// Unlike `withUTF8`, which mutates a text that it may have to copy, it needs no copy: reference counting for the
    /// copy takes longer than reading a short text.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
