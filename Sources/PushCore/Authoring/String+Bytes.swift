extension String {
    /// Lends the UTF-8 bytes for the time of the call.
    ///
    /// Unlike `withUTF8`, which changes a text that it may have to copy, it needs no copy to work on: counting the
    /// references to that copy takes longer than looking at a short text.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
