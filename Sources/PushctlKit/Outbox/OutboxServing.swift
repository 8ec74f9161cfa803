import ArgumentParser
import Glibc
import PushAdapter
import PushBridge
import PushOutbox
import PushOutboxPage

extension OutboxCommand {
    struct Page: AsyncParsableCommand {
        private static let variable = "PUSHBRIDGE_OUTBOX_PAGE_TOKEN"

        static let configuration = CommandConfiguration(
            abstract: "Serves a page for operators on 127.0.0.1, until SIGINT or SIGTERM.",
            discussion: """
                The page asks for the token in the environment's \(variable). Without it, the command makes a token \
                and shows it on the terminal. The page does not know which routes rest in a worker's process.
                """)
        @Option(help: "The port; 0 for any free port.")
        var port = 0
        @Flag(help: "Let the page pause, resume and cancel campaigns. By default it only reads.")
        var allowChanges = false
        @OptionGroup var options: OutboxOptions

        func validate() throws {
            guard (0...65_535).contains(port) else { throw ValidationError("--port \(port) is not a port.") }
        }

        func run() async throws {
            let signal = StopSignal()
            let token = try token()
            let page = OutboxPage(try await options.outbox(), token: token, allowsChanges: allowChanges)
            let asJSON = options.json
            try await OutboxPage.withServer(page, port: port) { address in
                asJSON ? Output.print(["page": .string(address)]) : Output.line("the outbox's page: \(address)")
                await signal.wait()
            }
        }

        /// The environment's token, or a new one, shown to the person at the terminal.
        private func token() throws(PushError) -> Secret {
            if let token = getenv(Self.variable) { return Secret(String(cString: token)) }
            guard isatty(STDERR_FILENO) == 1 else {
                throw PushError(
                    .misconfigured,
                    "the page needs a token in \(Self.variable); a new one is shown on a terminal only, not in a log")
            }
            let token = RandomSource.system.hex(bits: 128)
            Output.complain("the page's token: \(token)")
            return Secret(token)
        }
    }
}
