import PushCore

/// Looks at the arguments as the bytes they are: Swift's own list repairs broken ones silently.
enum ArgumentCheck {
    static func checkUTF8() throws(PushError) {
        for index in 0..<Int(CommandLine.argc) {
            guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else { continue }
            throw PushError(.invalidArgument, "argument \(index) is not UTF-8; check the terminal's encoding")
        }
    }
}
