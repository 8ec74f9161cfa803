import PushAdapter

/// Checks the raw bytes of the arguments, because Swift silently repairs broken UTF-8.
enum ArgumentCheck {
    static func checkUTF8() throws(PushError) {
        for index in 0..<Int(CommandLine.argc) {
            guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else { continue }
            throw PushError(.invalidArgument, "argument \(index) is not UTF-8; check the terminal's encoding")
        }
    }
}
