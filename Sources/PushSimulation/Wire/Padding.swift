extension String {
    /// The text, filled up in front to this number of characters.
    package func padded(to count: Int, with filler: Character = "0") -> String {
        String(repeating: String(filler), count: max(0, count - self.count)) + self
    }
}
