import Foundation

/// Runs programs to their end.
enum Command {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs a program and returns its output; throws if it fails.
    static func run(_ path: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(path) ended with status \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The first line that a program on the PATH prints; empty if there is none.
    static func firstLine(_ name: String, _ arguments: [String]) -> String {
        let text = (try? run("/usr/bin/env", [name] + arguments)) ?? ""
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }
}
