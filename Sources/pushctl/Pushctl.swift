import ArgumentParser
import PushAdapter

@main
struct Pushctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushctl",
        abstract: "Talks to push vendors, and to their simulators on this machine.",
        discussion: """
            Credentials of a real app come from the environment or from a file, never from arguments:
              PUSHBRIDGE_VENDOR              the name of a vendor; --vendor overrides it
              PUSHBRIDGE_JPUSH_APP_KEY, PUSHBRIDGE_JPUSH_MASTER_SECRET
              PUSHBRIDGE_ENGAGELAB_APP_KEY, PUSHBRIDGE_ENGAGELAB_MASTER_SECRET
              PUSHBRIDGE_TPNS_ACCESS_ID, PUSHBRIDGE_TPNS_SECRET_KEY, PUSHBRIDGE_TPNS_PLATFORM   ios or android
              PUSHBRIDGE_JPUSH_DATA_CENTER   a name such as beijing
              PUSHBRIDGE_JPUSH_ORIGIN        a simulator, such as https://localhost:8443
              PUSHBRIDGE_CA_FILE             certificates to trust instead of the system's
            or --config FILE with {"vendor": "jpush", "jpush": {"appKey": ..., "masterSecret": ...}}; the environment wins.
            pushctl vendors --settings and pushctl vendors NAME --settings list all settings.

            Exit status: 0 done; 1 partly done, see the report; 2 refused, nothing was done;
            3 the response was lost, it may have been done; 64 wrong arguments or input; 74 the output could not be
            written; 78 wrong configuration.
            """,
        version: "pushctl 2.0.0-dev",
        subcommands: [
            Demo.self, Send.self, Explain.self, RouteCommand.self, OutboxCommand.self, Tags.self, AliasCommand.self,
            AccountsCommand.self,
            AttributesCommand.self, DeviceCommand.self, Code.self, Styles.self,
            Simulate.self, Vendors.self, Choose.self, Diff.self, MigrateCheck.self, ScheduleCommand.self,
            ReportCommand.self, Conformance.self, NewAdapter.self,
        ])

    static func main() async {
        do {
            try ArgumentCheck.checkUTF8()
            var command = try parseAsRoot(nil)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            Output.check()
        } catch let error as PushError {
            Failure.report(error, asJSON: CommandLine.arguments.contains("--json"))
        } catch {
            Output.check()
            guard exitCode(for: error).isSuccess else { exit(withError: error) }
            // The request was for text, such as the help.
            Output.line(fullMessage(for: error))
            Output.check()
        }
    }
}
