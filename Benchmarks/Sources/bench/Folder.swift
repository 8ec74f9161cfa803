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

    /// Writes a file with this many lines, a part at a time, and returns its path.
    func write(_ name: String, lines count: Int, _ line: (Int) -> String) throws -> String {
        let file = try write(name, "")
        guard let handle = FileHandle(forWritingAtPath: file) else {
            throw Command.Failure(description: "\(file) cannot be written")
        }
        for start in stride(from: 0, to: count, by: 10_000) {
            let part = (start..<Swift.min(start + 10_000, count)).map { line($0) + "\n" }.joined()
            try handle.write(contentsOf: Data(part.utf8))
        }
        try handle.close()
        return file
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
