/// The formats of the vendor's wall time.
enum TPNSClock {
    /// Whether a text has a digit wherever the pattern has `0`, and otherwise equals the pattern.
    static func fits(_ text: String, _ pattern: String) -> Bool {
        text.utf8.count == pattern.utf8.count
            && zip(text.utf8, pattern.utf8).allSatisfy { byte, expected in
                expected == 0x30 ? (0x30...0x39).contains(byte) : byte == expected
            }
    }

    static let day = "0000-00-00"
    static let plainDay = "00000000"
    static let time = "00:00:00"
    static let moment = "0000-00-00 00:00:00"
}
