import ArgumentParser
import PushBridge

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sends a message and reports on every target.")

    @Option(help: "A JSON file with the message; - for standard input.")
    var message: String

    @Option(
        help: "everyone, devices:ID,ID, devices:@FILE, aliases:NAME,NAME, accounts:TYPE:NAME, tags:TAG,TAG, or JSON.")
    var to: String

    @Flag(name: .customLong("validate"), help: "Only have the vendor check the message.")
    var checksOnly = false

    @Flag(help: "Refuse to send without an idempotency key.")
    var requireKeys = false

    @Option(
        help:
            "A name for the send, if the vendor remembers your keys: under it, the same list gets nothing twice.")
    var key: String?

    @Option(help: "Seconds the whole send may take.")
    var deadline: Double?

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let message = try Input.message(ofFile: message)
        let file = try Input.deviceFile(to).map { (path) throws(PushError) in try LineFile(path) }
        let audience = file == nil ? try Input.audience(to) : nil
        if let deadline, !(deadline > 0 && deadline <= 86_400) {
            throw PushError(.invalidArgument, "--deadline is \(deadline); give more than 0 and at most 86400 seconds")
        }
        let progress = ProgressBar(total: file?.lineCount() ?? audience?.targets?.count, isWanted: !client.json)
        var options = SendOptions()
        options.requiresKeys = requireKeys
        options.key = key
        options.deadline = deadline.map { .seconds($0) }
        options.onSlice = { progress.add($0) }
        let settings = options
        let report: SendReport? = try await client.withClient { (client) async throws(PushError) in
            defer { progress.finish() }
            return try await progress.watch(client) { () async throws(PushError) -> SendReport? in
                if let file { return try await client.send(message, toDevices: file, options: settings) }
                guard let audience else { return nil }
                guard !checksOnly else {
                    _ = try await client.validate(message, to: audience)
                    return nil
                }
                return try await client.send(message, to: audience, options: settings)
            }
        }
        guard let report else {
            if client.json { Output.print(["isValid": true]) } else { Output.line("the vendor accepts the message") }
            return
        }
        if client.json { Output.print(Tables.json(report)) } else { Output.line(Tables.report(report)) }
        if !report.isComplete { throw ExitCode(1) }
    }

    func validate() throws {
        try ArgumentCheck.checkFiles(message, Input.deviceFile(to))
        if checksOnly, Input.deviceFile(to) != nil {
            throw ValidationError("--validate takes an audience on the command line, not a file.")
        }
        if checksOnly, key != nil { throw ValidationError("--key names a send; --validate sends nothing.") }
    }
}
