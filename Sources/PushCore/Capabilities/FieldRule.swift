/// The form and the range of a message field's values, the same at every vendor; a vendor's limits only narrow it.
struct FieldRule<Value: Sendable>: Sendable {
    /// The rule in words, for people: "1 to 64 bytes".
    let summary: String
    /// Values that break the rule, at least one for each part of it.
    let violations: [Value]
    /// The fault of a value, without the value itself; nil for a good one.
    let fault: @Sendable (Value) -> (kind: PushError.Kind, text: String)?

    init(
        _ summary: String, violations: [Value],
        fault: @escaping @Sendable (Value) -> (kind: PushError.Kind, text: String)?
    ) {
        self.summary = summary
        self.violations = violations
        self.fault = fault
    }
}

extension FieldRule where Value == String {
    /// A name that the app defines: a channel, a sound, a category.
    static var name: FieldRule {
        FieldRule("a text without control characters, not empty", violations: ["", "a\u{1}b"]) { text in
            if text.isEmpty { return (.invalidArgument, "is empty") }
            return text.hasControls ? (.invalidArgument, "has a control character") : nil
        }
    }

    /// An id that vendors put into a header field.
    static func id(bytes most: Int) -> FieldRule {
        FieldRule(
            "1 to \(most) bytes without control characters, and without a blank at an end",
            violations: ["", "a\u{1}b", " a", "a ", String(repeating: "a", count: most + 1)]
        ) { text in
            if let fault = FieldRule.name.fault(text) { return fault }
            if text.first == " " || text.last == " " { return (.invalidArgument, "has a blank at an end") }
            return text.utf8.count > most ? (.tooLong, "has \(text.utf8.count) bytes") : nil
        }
    }

    /// An address on the web.
    static var address: FieldRule {
        FieldRule("an http or https address", violations: ["", "picture", "ftp://example.com/a", "https://"]) { text in
            isAddress(text) ? nil : (.invalidArgument, text.isEmpty ? "is empty" : "is no such address")
        }
    }

    /// Whether a text is an http or https address: the scheme, a host, and no blanks.
    fileprivate static func isAddress(_ text: String) -> Bool {
        guard let scheme = scheme(of: text), ["http", "https"].contains(scheme.lowercased()) else { return false }
        let rest = text.dropFirst(scheme.count)
        return rest.hasPrefix("://") && rest.dropFirst(3).first.map { !"/?#".contains($0) } ?? false
    }

    /// The scheme of a URI; nil if the text is not a URI.
    fileprivate static func scheme(of text: String) -> Substring? {
        let scheme = text.prefix { $0 != ":" }
        let isScheme = !scheme.isEmpty && scheme.utf8.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
        return isScheme && scheme.endIndex != text.endIndex && !text.hasBlanks ? scheme : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

extension FieldRule where Value == Int {
    static func number(_ range: ClosedRange<Int>) -> FieldRule {
        FieldRule(
            "\(range.lowerBound) to \(range.upperBound)", violations: [range.lowerBound - 1, range.upperBound + 1]
        ) { range.contains($0) ? nil : (.invalidArgument, "is \($0)") }
    }
}

extension FieldRule where Value == Duration {
    /// Whole seconds.
    static var seconds: FieldRule {
        FieldRule("whole seconds, 0 or more", violations: [.seconds(-1), .milliseconds(1500)]) { life in
            life >= .zero && life == .seconds(life.components.seconds) ? nil : (.invalidArgument, "is \(life)")
        }
    }
}

extension FieldRule where Value == Text {
    static var key: FieldRule {
        FieldRule("a key that is not empty", violations: [.localized(key: "")]) { text in
            if case .localized(key: "", _) = text { (.invalidArgument, "has an empty key") } else { nil }
        }
    }
}

extension FieldRule where Value == [String: JSONValue] {
    /// Data for the app. Vendors write it beside Apple's `aps`.
    static var extras: FieldRule {
        FieldRule("JSON without NaN, and without the key aps, which is Apple's", violations: [["aps": 1]]) { extras in
            if extras["aps"] != nil { return (.invalidArgument, "has the key aps, which is Apple's") }
            return JSONValue.object(extras).isWritable
                ? nil : (.invalidArgument, "has NaN, which JSON cannot represent")
        }
    }
}

extension FieldRule where Value == Badge {
    /// The largest number that every vendor's field holds.
    private static let most = Int(Int32.max)

    static var appleBadge: FieldRule {
        FieldRule(
            "0 to \(most), or a change by at most \(most)",
            violations: [.set(-1), .set(most + 1), .change(by: most + 1), .change(by: -most - 1)]
        ) { badge in
            switch badge {
            case .set(let number): (0...most).contains(number) ? nil : (.invalidArgument, "is \(number)")
            case .change(let number):
                (-most...most).contains(number) ? nil : (.invalidArgument, "is a change by \(number)")
            }
        }
    }

    /// The number on an icon of Android or HarmonyOS.
    static var makerBadge: FieldRule {
        FieldRule("0 to \(most)", violations: [.set(-1), .set(most + 1)]) { badge in
            if case .set(let number) = badge, !(0...most).contains(number) {
                (.invalidArgument, "is \(number)")
            } else {
                nil
            }
        }
    }

    /// The change that phone makers allow: they add 1 to 99 to the number.
    static var makerIncrement: FieldRule {
        FieldRule("1 to 99", violations: [.change(by: 0), .change(by: 100), .change(by: -5)]) { badge in
            if case .change(let number) = badge, !(1...99).contains(number) {
                (.invalidArgument, "is \(number)")
            } else {
                nil
            }
        }
    }
}

extension FieldRule where Value == TapAction {
    static var link: FieldRule {
        FieldRule("an http or https address", violations: [.link("myapp://order/7"), .link("")]) {
            FieldRule<String>.isAddress($0.value) ? nil : (.invalidArgument, "is no such address")
        }
    }

    static var uri: FieldRule {
        FieldRule("a URI with a scheme", violations: [.intentURI("order 7"), .intentURI("order"), .intentURI(":7")]) {
            FieldRule<String>.scheme(of: $0.value) == nil ? (.invalidArgument, "has no scheme, or a blank") : nil
        }
    }

    /// The name of an action or of a class; neither has a colon, so it is never taken for a URI.
    static func name(_ make: (String) -> TapAction) -> FieldRule {
        FieldRule("a name without blanks and colons", violations: ["", "a b", "myapp://order"].map(make)) { tap in
            let isName = !tap.value.isEmpty && !tap.value.hasBlanks && !tap.value.contains(":")
            return isName ? nil : (.invalidArgument, "is no such name")
        }
    }
}

extension String {
    /// Whether it has a control character, which a header field or a line cannot hold.
    var hasControls: Bool { unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }

    /// Whether it has a blank or a control character.
    fileprivate var hasBlanks: Bool { unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7F } }
}
