/// Keeps identifiers of people and devices out of texts that end up in logs.
public enum Redaction {
    /// The last four characters of a long identifier, nothing of a short one.
    public static func shortened(_ text: String) -> String {
        text.count >= 12 ? "…" + text.suffix(4) : "…"
    }

    /// A vendor's sentence with everything that looks like an identifier replaced by `…`.
    ///
    /// A word is masked when it holds a digit and has at least 8 characters, or holds an `@`. Short numbers such as
    /// codes and limits stay.
    public static func masked(_ sentence: String) -> String {
        var result = ""
        var word = ""
        func close() {
            let identifying = word.contains("@") || (word.utf8.count >= 8 && word.contains(where: \.isNumber))
            result += identifying ? "…" : word
            word = ""
        }
        for character in sentence {
            if character.isLetter || character.isNumber || "_-@.+=".contains(character) {
                word.append(character)
            } else {
                close()
                result.append(character)
            }
        }
        close()
        return result
    }

    /// A text in quotes for an error message: at most 40 characters, and what cannot be seen shown as escapes.
    public static func quoted(_ text: String) -> String {
        let unseen: Set<Unicode.GeneralCategory> = [.format, .lineSeparator, .paragraphSeparator, .privateUse]
        let shown = text.prefix(40).unicodeScalars.map { scalar in
            scalar.escaped(asASCII: unseen.contains(scalar.properties.generalCategory))
        }.joined()
        return "\"\(shown)\(text.count > 40 ? "…" : "")\""
    }
}
