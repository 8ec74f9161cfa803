import Foundation

/// What is going on, for who waits.
enum Progress {
    static func say(_ text: String) { FileHandle.standardError.write(Data("bench: \(text)\n".utf8)) }
}
