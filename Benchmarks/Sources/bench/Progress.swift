import Foundation

/// Prints the progress.
enum Progress {
    static func say(_ text: String) { FileHandle.standardError.write(Data("bench: \(text)\n".utf8)) }
}
