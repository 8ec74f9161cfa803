import ArgumentParser
import PushAdapter

/// Checks of the arguments that the parser does not make.
enum ArgumentCheck {
    /// Refuses standard input for two files: the second would be empty.
    static func checkFiles(_ files: String?...) throws {
        guard files.count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("standard input can be only one file; give the others by name")
        }
    }

    /// Checks the raw bytes, because Swift silently repairs broken UTF-8.
    static func checkUTF8() throws(PushError) {
        for index in 0..<Int(CommandLine.argc) {
            guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else { continue }
            throw PushError(.invalidArgument, "argument \(index) is not UTF-8; check the terminal's encoding")
        }
    }
}
