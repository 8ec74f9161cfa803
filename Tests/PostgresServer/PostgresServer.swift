import Foundation

/// The tests' own server, in a temporary folder, behind a socket in it. A shell runs it and ends it when this process
/// ends in any way, because the shell's input then ends.
public final class PostgresServer: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        /// The failure, as a text for people.
        public let description: String

        /// A failure with this description.
        public init(description: String) { self.description = description }
    }

    private static let common = Task { try await PostgresServer() }
    /// A server shared by all tests that do not change it.
    public static func shared() async throws -> PostgresServer { try await common.value }

    /// The folder of its socket.
    public let folder: String
    private let (input, output) = (Pipe(), Pipe())
    private let shell: ChildProcess

    private static let script = """
        trap '' INT TERM HUP
        run() {
            if [ "$(id -u)" = 0 ]; then
                setpriv --reuid postgres --regid postgres --clear-groups "$@" </dev/null >>"$folder/log" 2>&1
            else
                "$@" </dev/null >>"$folder/log" 2>&1
            fi
        }
        chmod 711 "$parent"
        mkdir -m 700 "$folder" && : >"$folder/log"
        if [ "$(id -u)" = 0 ]; then chown -R postgres:postgres "$folder"; fi
        cd "$folder"
        bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
        data="$folder/data"
        run "$bin/initdb" -D "$data" -U push --auth=trust --encoding=UTF8 --locale=C --no-sync &&
            printf 'local all locked scram-sha-256\\nlocal all all trust\\n' >"$data/pg_hba.conf" &&
            run "$bin/pg_ctl" -D "$data" -w -t 30 -o "-c listen_addresses= -c unix_socket_directories=$folder \
        -c shared_buffers=16MB -c max_connections=300 -c restore_command=false $options" start && echo ready || { tail -n 20 "$folder/log"; echo failed; }
        while read -r command; do
            if [ "$command" = recover ]; then run touch "$data/recovery.signal"; fi
            run "$bin/pg_ctl" -D "$data" -w -t 30 -m immediate restart && echo ready || echo failed
        done
        run "$bin/pg_ctl" -D "$data" -m immediate stop
        rm -rf "$parent"
        """

    /// Starts a server with these options and waits until it responds.
    public init(options: String = "") async throws {
        // The path is short, because a socket's path is limited to 107 bytes.
        let parent = "/tmp/pushbridge-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: false)
        folder = parent + "/pg"
        shell = try ChildProcess(
            "/bin/sh", ["-c", Self.script], environment: ["parent": parent, "folder": folder, "options": options],
            input: input.fileHandleForReading, output: output.fileHandleForWriting)
        // Otherwise the output would stay open after the shell ends.
        try output.fileHandleForWriting.close()
        try input.fileHandleForReading.close()
        try await answer()
    }

    deinit { try? input.fileHandleForWriting.close() }

    /// Ends the server at once, like a power cut, and restarts it.
    /// - Parameter recovers: restarts it like a server restored from a backup: the log gets another timeline.
    public func restart(recovers: Bool = false) async throws {
        try input.fileHandleForWriting.write(contentsOf: Data((recovers ? "recover\n" : "restart\n").utf8))
        try await answer()
    }

    private func answer() async throws {
        let text = await withCheckedContinuation { place in
            Thread.detachNewThread { [output] in
                var text = ""
                while !text.hasSuffix("ready\n"), !text.hasSuffix("failed\n"),
                    case let data = output.fileHandleForReading.availableData, !data.isEmpty
                { text += String(decoding: data, as: UTF8.self) }
                place.resume(returning: text)
            }
        }
        guard text.hasSuffix("ready\n") else {
            throw Failure(description: "no server of PostgreSQL: install the package postgresql. \(text)")
        }
    }
}
