public import Foundation
import PostgresServer
import Synchronization

/// A program that runs beside the tests. Never blocks a thread, because a server in this process may need it.
public final class Program: Sendable {
    public struct Result: Sendable {
        public var status: Int32
        public var output: String
        public var errors: String
    }

    private let process: ChildProcess
    private let folder: URL
    private let watchdog: Task<Void, any Error>
    /// Whether it was told to end. Many programs end at once at a second signal, and leave their files.
    private let isEnding = Mutex(false)

    /// Starts a program. It is ended after fifteen minutes at the latest: the demo takes minutes on a busy machine.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String = "",
        workingFolder: URL? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = [("input", input), ("output", ""), ("errors", "")]
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        // Table rows stay on one line, unless a test is about their width.
        let process = try ChildProcess(
            path, arguments, environment: ["COLUMNS": "5000"].merging(environment) { $1 }, workingFolder: workingFolder,
            input: FileHandle(forReadingFrom: folder.appending(path: "input")),
            output: FileHandle(forWritingTo: folder.appending(path: "output")),
            errors: FileHandle(forWritingTo: folder.appending(path: "errors")))
        self.process = process
        watchdog = Task {
            try await Task.sleep(for: .seconds(900))
            process.send(SIGTERM)
        }
    }

    deinit {
        watchdog.cancel()
        if !isEnding.withLock({ $0 }) { process.send(SIGTERM) }
        // Without a wait it stays a zombie, and every exit test of this process then waits for the zombie instead.
        Task { [process] in await process.end() }
        try? FileManager.default.removeItem(at: folder)
    }

    public var isRunning: Bool { process.isRunning }
    public var number: Int32 { process.id }

    /// Waits for the first line of the output. Nil if the program ends without one.
    public func firstLine() async throws -> String? {
        while true {
            let isOver = !process.isRunning
            if let line = text("output").split(separator: "\n", omittingEmptySubsequences: false).dropLast().first {
                return String(line)
            }
            if isOver { return nil }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits for the first line of the output, or of standard error, that contains a text. Nil if the program ends
    /// without one.
    public func line(with text: String, inErrors: Bool = false) async throws -> String? {
        while true {
            let isOver = !process.isRunning
            let all = self.text(inErrors ? "errors" : "output")
            let lines = all.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.contains(text) }) { return String(line) }
            if isOver { return nil }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Sends a signal.
    public func send(signal: Int32) {
        if [SIGTERM, SIGINT].contains(signal) { isEnding.withLock { $0 = true } }
        process.send(signal)
    }

    /// Waits for the end of the program.
    public func result() async -> Result {
        let status = await process.end()
        watchdog.cancel()
        return Result(status: status, output: text("output"), errors: text("errors"))
    }

    private func text(_ name: String) -> String {
        String(decoding: (try? Data(contentsOf: folder.appending(path: name))) ?? Data(), as: UTF8.self)
    }

    /// Runs a program to its end.
    public static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String = "",
        workingFolder: URL? = nil
    ) async throws -> Result {
        try await Program(path, arguments, environment: environment, input: input, workingFolder: workingFolder)
            .result()
    }

    /// The folder of this package's programs and of the tests.
    public static var folder: URL {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(filePath: bundle).deletingLastPathComponent()
    }
}
