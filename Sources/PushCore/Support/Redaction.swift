/// Keeps identifiers of people and devices out of texts that end up in logs.
public enum Redaction {
    /// The last four characters of a long identifier, nothing of a short one. If the identifier contains an address, as
    /// a subscription of Web Push does, the address's origin: whoever knows the whole address may send to it.
    public static func shortened(_ text: String) -> String {
        if let origin = origin(in: text) { return origin + "/…" }
        return text.count >= 12 ? "…" + String(text.unicodeScalars.suffix(4)) : "…"
    }

    /// The origin of the address in a text; nil if there is none, or an unusual one.
    private static func origin(in text: String) -> String? {
        for scheme in ["https://", "http://"] {
            guard let start = text.firstRange(of: scheme)?.upperBound else { continue }
            let host = text[start...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:[]".contains($0)) }
            let next = text[host.endIndex...].first
            // After a user name comes an @.
            guard !host.isEmpty, host.utf8.count <= 80, next == nil || next == "/" || next == "\"" else { return nil }
            return scheme + host
        }
        return nil
    }

    /// A vendor's message with everything that looks like an identifier replaced by `…`.
    ///
    /// A word is masked when it holds a digit and has at least 8 characters, has at least 20 letters of both cases, or
    /// holds an `@`. Short numbers such as codes and limits stay. Invisible characters become escapes.
    public static func masked(_ sentence: String) -> String {
        var result = ""
        var word = ""
        func close() {
            let isMixed = word.contains(where: \.isLowercase) && word.contains(where: \.isUppercase)
            let identifying =
                word.contains("@") || (word.utf8.count >= 8 && word.contains(where: \.isNumber))
                || (word.utf8.count >= 20 && isMixed)
            result += identifying ? "…" : word
            word = ""
        }
        for character in sentence {
            if character.isLetter || character.isNumber || "_-@.+=".contains(character) {
                word.append(character)
            } else {
                close()
                for scalar in character.unicodeScalars { result += shown(scalar, besideQuotes: true) }
            }
        }
        close()
        return result
    }

    /// A text in quotes for an error message, with invisible characters as escapes.
    /// - Parameters:
    ///   - text: the text.
    ///   - most: how many of its characters are shown; an ellipsis stands for the rest.
    public static func quoted(_ text: String, atMost most: Int = 40) -> String {
        let shown = text.unicodeScalars.prefix(most)
        let isCut = shown.endIndex < text.unicodeScalars.endIndex
        return "\"\(shown.map { Self.shown($0) }.joined())\(isCut ? "…" : "")\""
    }

    private static func shown(_ scalar: Unicode.Scalar, besideQuotes: Bool = false) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: scalar.escaped(asASCII: true)
        case .spaceSeparator where scalar != " ": scalar.escaped(asASCII: true)
        default: besideQuotes ? String(scalar) : scalar.escaped(asASCII: false)
        }
    }
}
