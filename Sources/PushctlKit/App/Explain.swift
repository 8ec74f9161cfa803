import ArgumentParser
import PushBridge

struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows a send's requests, slices, refusals and quota cost; sends nothing.",
        discussion: "Needs no credentials. Without any settings of the vendor's app, the app is made up.")

    @Option(help: "A JSON file with the message; - for standard input.")
    var message: String

    @Option(
        help: "everyone, devices:ID,ID, devices:@FILE, aliases:NAME,NAME, accounts:TYPE:NAME, tags:TAG,TAG, or JSON.")
    var to: String

    @OptionGroup var client: ClientOptions

    func validate() throws { try ArgumentCheck.checkFiles(message, Input.deviceFile(to)) }

    func run() async throws {
        let message = try Input.message(ofFile: message)
        let audience = try await audience()
        let (explanation, made) = try await client.withPlanningClient { (client, made) async throws(PushError) in
            (client.explain(message, to: audience), made)
        }
        if client.json {
            Output.print(Tables.json(explanation))
        } else {
            Output.line(Tables.explanation(explanation))
            if let made { Output.line("\nThere are no settings of an app at \(made), so this one is made up.") }
        }
        if let refusal = explanation.refusals.first { throw ExitCode(Failure.status(of: refusal)) }
    }

    private func audience() async throws -> Audience {
        guard let path = Input.deviceFile(to) else { return try Input.audience(to) }
        var ids: [DeviceID] = []
        for try await id in try LineFile(path) { ids.append(id) }
        return .devices(ids)
    }
}
