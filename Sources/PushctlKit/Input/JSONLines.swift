/// Finds lines in a JSON text that a parser has accepted.
struct JSONLines {
    /// An object or a list that is open.
    private struct Level {
        let isObject: Bool
        /// The name of the current item as the text spells it, or its index, such as `[0]`.
        var step = ""
        var index = 0
        /// The next byte that is no space begins an item, or ends the level.
        var isBeforeItem = true
    }

    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The line of the item at a path of names and of indices such as `[0]`; nil if there is none.
    func line(of path: [String]) -> Int? {
        var (levels, line, place): ([Level], Int, Int) = ([], 1, 0)
        while place < bytes.count {
            let (start, byte) = (place, bytes[place])
            if byte == UInt8(ascii: "\"") { place = endOfText(from: place) }
            if var level = levels.popLast() {
                if level.isBeforeItem, byte > UInt8(ascii: " ") {
                    level.isBeforeItem = false
                    level.step =
                        level.isObject && start < place
                        ? String(decoding: bytes[(start + 1)..<place], as: UTF8.self) : "[\(level.index)]"
                    if levels.map(\.step) + [level.step] == path { return line }
                }
                if byte == UInt8(ascii: ",") { (level.isBeforeItem, level.index) = (true, level.index + 1) }
                if byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") { levels.append(level) }
            }
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["): levels.append(Level(isObject: byte == UInt8(ascii: "{")))
            default: break
            }
            place += 1
        }
        return nil
    }

    /// The place of the quotation mark that ends a text.
    private func endOfText(from start: Int) -> Int {
        var place = start + 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place
    }
}
