import PushCrypto
import PushSimulation

/// Numbers and formats from Apple's documents. Times are in seconds.
enum Rules {
    static let tokenLife = 3600.0
    static let tokenInterval = 1200.0
    static let payloadBytes = 4096
    static let callBytes = 5120
    static let broadcastBytes = 5120
    static let collapseIDBytes = 64
    static let deviceTokenDigits = 200
    static let priorities: Set<String> = ["1", "5", "10"]
    static let urgentPriority = "10"
    static let storagePolicies = 0...1
    static let longestStorage = 30 * 86_400.0
    static let channelStorage = 8 * 3600.0

    /// Whether a text is a UUID in its canonical form, in upper or lower case.
    static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.utf8.allSatisfy(isHexDigit) }
    }

    /// Whether a text could be a topic.
    static func isTopic(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E }
    }

    /// Whether a text could be a device token.
    static func isDeviceToken(_ text: String, acceptsCapitals: Bool) -> Bool {
        let count = text.utf8.count
        guard count > 0, count.isMultiple(of: 2), count <= deviceTokenDigits else { return false }
        return text.utf8.allSatisfy { isHexDigit($0) && (acceptsCapitals || !(0x41...0x46).contains($0)) }
    }

    /// A whole number without a sign; nil for any other text.
    static func count(_ text: String) -> Int? { text.utf8.allSatisfy(isDigit) ? Int(text) : nil }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// An id like Apple's: in capitals, and not of a version that RFC 4122 defines.
    static func newID() -> String { id(of: SimulatorRandom.bytes(16)) }

    /// The id made from 16 bytes or more.
    static func id(of bytes: [UInt8]) -> String {
        var bytes = bytes
        bytes[8] &= 0x7F
        let digits = Array(Digests.hex(bytes).uppercased())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
