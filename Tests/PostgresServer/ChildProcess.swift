public import Foundation

/// A program started by this process. Foundation's `Process` is not used: it walks through the open files at each
/// start, and has crashed while other tests opened and closed sockets.
public final class ChildProcess: Sendable {
    private let ended = Ended()
    /// The process id.
    public let id: pid_t

    /// Starts a program. It inherits standard output and error unless they are given, and no other open file.
    /// - Parameters:
    ///   - environment: Variables to add to the environment of this process.
    ///   - input: Its standard input; empty by default.
    public init(
        _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], workingFolder: URL? = nil,
        input: FileHandle = .nullDevice, output: FileHandle = .standardOutput, errors: FileHandle = .standardError
    ) throws {
        var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, file) in [input, output, errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, Int32(number))
        }
        _ = closeFrom(&actions, 3)
        if let workingFolder { _ = changeFolder(&actions, workingFolder.path) }
        // The threads of a pool block signals, and a child would inherit that.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        let (words, settings) = (([path] + arguments).map { strdup($0) }, variables.map { strdup($0) })
        defer { for text in words + settings { free(text) } }
        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, &attributes, words + [nil], settings + [nil])
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOEXEC) }
        self.id = id
    }

    /// Whether the program is still running.
    public var isRunning: Bool { status == nil }

    /// The exit status, or the number of the signal that ended the program; nil while it runs.
    public var status: Int32? { ended.withStatus(of: id) { $0 } }

    /// Sends a signal, if the program is still running.
    public func send(_ signal: Int32) { ended.withStatus(of: id) { if $0 == nil { kill(id, signal) } } }

    /// Waits for the end, even in a cancelled task, and returns the status.
    public func end() async -> Int32 {
        await Task {
            while true {
                if let status { return status }
                try? await Task.sleep(for: .milliseconds(5))
            }
        }.value
    }
}

/// The end of a process. `lock` protects the status. It also covers signals: until this process has waited for the
/// child, its id cannot be reused.
private final class Ended: @unchecked Sendable {
    private let lock = NSLock()
    private var status: Int32?

    func withStatus<Value>(of id: pid_t, _ body: (Int32?) -> Value) -> Value {
        lock.withLock {
            var word: Int32 = 0
            if status == nil, waitpid(id, &word, WNOHANG) == id {
                // As in <sys/wait.h>: the signal is in the low seven bits, the exit status in the next byte.
                status = word & 0x7f != 0 ? word & 0x7f : (word >> 8) & 0xff
            }
            return body(status)
        }
    }
}

// The C library has these two functions, but Swift's module for it hides them.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func closeFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32) -> Int32
@_silgen_name("posix_spawn_file_actions_addchdir_np")
private func changeFolder(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ path: UnsafePointer<CChar>
) -> Int32
