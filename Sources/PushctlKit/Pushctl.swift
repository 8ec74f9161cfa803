import ArgumentParser
import PushAdapter
public import PushConformance

/// The command line `pushctl`, also for a program of your own that knows more vendors.
///
/// ```swift
/// import PushctlKit
///
/// await Pushctl.main(adding: [CourierHarness()])
/// ```
public enum Pushctl {
    /// Runs the command that the arguments name, and ends the process with a status if it fails.
    ///
    /// Ends it with 64 if two vendors have one name.
    /// - Parameter vendors: more vendors, with all that the commands need of them. They take part wherever the vendors of
    ///   this library do, except in `demo`.
    public static func main(adding vendors: [any RegisteredVendor] = []) async {
        do throws(PushError) { try Vendor.add(vendors) } catch { Failure.report(error, asJSON: false) }
        await PushctlCommand.main()
    }
}

struct PushctlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushctl",
        abstract: "Talks to push vendors, and to their simulators on this machine.",
        discussion: """
            Credentials of a real app come from the environment or from a file, never from
            arguments:

              PUSHBRIDGE_VENDOR        the name of a vendor; --vendor overrides it
            \(Vendor.all.map(\.requiredSettings).joined(separator: "\n"))
              PUSHBRIDGE_JPUSH_ORIGIN  a simulator, such as https://localhost:8443
              PUSHBRIDGE_CA_FILE       certificates to trust instead of the system's

            Or --config FILE with {"vendor": "jpush", "jpush": {"appKey": ...}}. The
            environment wins. All settings: pushctl vendors --settings, and
            pushctl vendors NAME --settings.

            Exit status:
               0  done
               1  partly done, see the report
               2  refused, nothing was done
               3  the response was lost, it may have been done
              64  wrong arguments or input
              74  the output could not be written
              78  wrong configuration
            """,
        version: "pushctl 2.0.0-dev",
        groupedSubcommands: [
            CommandGroup(
                name: "Choosing",
                subcommands: [
                    Demo.self, Vendors.self, Choose.self, Diff.self, Code.self, Styles.self, MigrateCheck.self,
                ]),
            CommandGroup(
                name: "Sending",
                subcommands: [
                    Explain.self, Send.self, RouteCommand.self, OutboxCommand.self, ScheduleCommand.self,
                    ReportCommand.self,
                ]),
            CommandGroup(
                name: "Device",
                subcommands: [
                    DeviceCommand.self, Tags.self, AliasCommand.self, AccountsCommand.self, AttributesCommand.self,
                ]),
            CommandGroup(
                name: "Testing",
                subcommands: [Simulate.self, Conformance.self, NewAdapter.self]),
        ])

    static func main() async {
        do {
            try ArgumentCheck.checkUTF8()
            var command = try parseAsRoot(Simulate.takingDevices(from: Array(CommandLine.arguments.dropFirst())))
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
            let code = exitCode(for: error)
            guard code.isSuccess else {
                if !(error is ExitCode) { Output.complain(Mistake.text(of: error)) }
                exit(withError: code)
            }
            if let mistake = Mistake.ofRequestForHelp() {
                Output.complain(mistake)
                exit(withError: ExitCode.validationFailure)
            }
            // The request was for text, such as the help.
            Output.line(Usage.fitted(fullMessage(for: error)))
            Output.check()
        }
    }
}
