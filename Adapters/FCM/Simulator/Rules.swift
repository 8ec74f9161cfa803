import PushAdapter

/// Numbers and formats from the vendor's documents.
enum Rules {
    static let topicLength = 1...900
    static let topicsPerCondition = 5
    static let labelLength = 0...50
    static let lifetimes = 0...2_419_200
    static let longestLife = 2_419_200.0
    static let appleLife = 30 * 86_400.0
    static let androidIdleLife = 270 * 86_400.0
    static let silentPriority = 5
    static let collapseIDBytes = 64
    static let applePayloadBytes = 4096
    static let storedMessages = 100
    static let collapseKeys = 4
    static let tokensPerBatch = 1000
    static let topicsPerPage = (standard: 1000, most: 2000)
    static let rowsPerPage = (standard: 1000, most: 10_000)
    static let assertionLife = 3600.0

    static let messagingScope = "https://www.googleapis.com/auth/firebase.messaging"
    static let platformScope = "https://www.googleapis.com/auth/cloud-platform"
    static let scopePrefix = "https://www.googleapis.com/auth/"
    static let tokenAudience = "https://oauth2.googleapis.com/token"
    static let bearerAudience = "https://fcm.googleapis.com/"
    static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    static func isTopic(_ name: String) -> Bool {
        topicLength.contains(name.utf8.count) && name.utf8.allSatisfy { isLabelByte($0) }
    }

    static func isLabel(_ text: String) -> Bool {
        labelLength.contains(text.utf8.count) && text.utf8.allSatisfy { isLabelByte($0) }
    }

    /// Whether a text could be a token or an installation id. It may contain a colon.
    static func isRegistration(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isAlphanumeric($0) || "-_:".utf8.contains($0) }
    }

    /// Whether a text has the form of a token and at least this length.
    static func isToken(_ text: String, shortest: Int) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return isRegistration(text) && text.utf8.count >= shortest && parts.count == 2 && !parts.contains("")
    }

    static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.hasPrefix("#")
            && text.utf8.dropFirst().allSatisfy { byte in
                isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
            }
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// A number without a sign; nil for any other text.
    static func count(_ text: String) -> Int? { text.utf8.allSatisfy(isDigit) ? Int(text) : nil }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-_.~%".utf8.contains(byte) }
}
