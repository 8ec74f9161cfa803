public import PushAdapter

extension TPNS {
    /// The account type of a phone number in E.164 form, with a leading `+`: 1002.
    ///
    /// In the older Xinge service, type 1 was the phone and 1002 was Sina Weibo. Do not carry its numbers over.
    public static let phoneAccountType = 1002

    /// The account of a phone number.
    public static func account(phone: PhoneNumber) -> Account {
        Account(name: phone.rawValue, type: phoneAccountType)
    }
}

/// The formats of accounts by type, if the vendor documents one.
enum AccountFormats {
    static let table: [Int: TextFormat] = [
        991: format("a QQ number of 5 to 12 digits") {
            (5...12).contains($0.utf8.count) && isDigits($0)
        },
        992: format("an MD5 of 32 hex digits") { $0.utf8.count == 32 && $0.utf8.allSatisfy(isHex) },
        993: format("an IDFA in capitals") { fits($0, "00000000-0000-0000-0000-000000000000") },
        994: digest, 996: digest, 998: digest, 1001: digest,
        995: format("a MAC address in capitals with colons") { fits($0, "00:00:00:00:00:00") },
        1000: format("an IMEI: 14 or 15 digits, or lower-case letters and digits") { text in
            let isLowerWord = text.utf8.allSatisfy { (0x30...0x39).contains($0) || isLower($0) }
            return isDigits(text) ? [14, 15].contains(text.utf8.count) : isLowerWord
        },
        1002: format("a phone number such as +8613711112222") { text in
            text.hasPrefix("+") && isDigits(String(text.dropFirst())) && (2...16).contains(text.utf8.count)
                && !text.hasPrefix("+0")
        },
    ]

    private static func format(_ summary: String, _ allows: @escaping @Sendable (String) -> Bool) -> TextFormat {
        TextFormat(summary, source: "Account Type Value Table, 1024/40598, 2021 and 2022", allows: allows)
    }

    private static let digest = format("a digest of 32 characters") { $0.unicodeScalars.count == 32 }

    /// Whether a text matches a pattern in which 0 stands for an upper-case hex digit.
    private static func fits(_ text: String, _ form: String) -> Bool {
        TPNSClock.fits(
            String(decoding: text.utf8.map { isHex($0) && !isLower($0) ? 0x30 : $0 }, as: UTF8.self), form)
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
