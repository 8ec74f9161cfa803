import Foundation
import Glibc

/// A process that works on an outbox, with its output.
final class Worker {
    private var id: pid_t = 0
    private let output: URL
    /// The status in `waitpid`'s form; nil while the process runs.
    private var status: Int32?

    /// - Parameter folder: the folder for its output.
    init(_ plan: CampaignPlan, _ sites: [Site], _ world: World, store: String, in folder: URL, ahead: Int = 0) throws {
        output = folder.appending(path: "output-\(UUID().uuidString)")
        let arguments =
            [
                "survive", "work", world.caFile, world.keyFile, store, String(plan.first), String(plan.count),
                String(plan.resends), String(ahead), String(Int(SetClock.begin / .milliseconds(1))),
            ] + sites.flatMap { ["--place", Place($0).text] }
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.path(), O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var texts = [arguments, environment].map { list in list.map { strdup($0) } + [nil] }
        defer { for text in texts.joined() { free(text) } }
        let code = posix_spawn(&id, "/proc/self/exe", &actions, nil, &texts[0], &texts[1])
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EAGAIN) }
    }

    deinit { kill() }

    private var isRunning: Bool {
        guard status == nil else { return false }
        var found: Int32 = 0
        if waitpid(id, &found, WNOHANG) == id { status = found }
        return status == nil
    }

    /// Waits for the end. Returns false if that takes longer.
    func wait(_ time: Duration) async -> Bool {
        let end = ContinuousClock.now + time
        while isRunning, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(2)) }
        return !isRunning
    }

    /// Kills the process. Returns false if it had already ended.
    @discardableResult
    func kill() -> Bool {
        guard isRunning else { return false }
        Glibc.kill(id, SIGKILL)
        var found: Int32 = 0
        waitpid(id, &found, 0)
        status = found
        return signal == SIGKILL
    }

    /// The signal that ended the process; 0 if it ended by itself.
    private var signal: Int32 { (status ?? 0) & 0x7F }
    private var exitCode: Int32 { (status ?? 0) >> 8 & 0xFF }

    /// Whether the process has ended with an error.
    var hasFailed: Bool { signal == 0 && exitCode == Work.failed }

    /// The flaw in how the process ended; nil if there is none, or if it was killed.
    /// - Parameter mayFail: whether it may have ended with an error.
    func fault(mayFail: Bool) -> String? {
        if signal != 0 { return signal == SIGKILL ? nil : "crashed with signal \(signal): \(ending)" }
        return exitCode == 0 || mayFail && hasFailed ? nil : "ended with status \(exitCode): \(ending)"
    }

    /// The last part of its output.
    private var ending: String {
        let lines = said.split(separator: "\n")
        return String(lines.first { $0.contains("Fatal error") } ?? "") + said.suffix(300)
    }

    var said: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
}
