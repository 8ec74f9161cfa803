import Foundation
import Load

/// A temporary folder for one run, and the folder of the measured programs.
struct Folder {
    let path: String
    private let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    init() throws {
        path = NSTemporaryDirectory() + "pushbridge-bench-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        return "\(path)/\(name)"
    }

    /// The path of a program that was built together with this one.
    func program(_ name: String) -> String { programs.appending(path: name).path }

    func output(_ program: String, _ arguments: [String]) throws -> String {
        try Command.run(self.program(program), arguments)
    }

    func measure(_ program: String, _ arguments: [String]) throws -> Measure {
        try JSONDecoder().decode(Measure.self, from: Data(try output(program, arguments).utf8))
    }
}
