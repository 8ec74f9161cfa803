import ArgumentParser
import PushBridge

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Shows how many devices received each message, by channel.")

    @OptionGroup var client: ClientOptions

    @Argument(help: "Message ids.")
    var messages: [String]

    func run() async throws {
        let ids = messages.map { MessageID($0) }
        let reports = try await client.withClient { (client) throws(PushError) in
            try await client.readDeliveries(of: ids)
        }
        guard !client.json else {
            return Output.print(
                .array(
                    reports.map { report in
                        let channels = report.channels.map { channel, count -> (String, JSONValue) in
                            let number = { (value: Int?) in
                                value.map { JSONValue(integerLiteral: $0) } ?? JSONValue.null
                            }
                            return (channel.rawValue, ["sent": number(count.sent), "received": number(count.received)])
                        }
                        return [
                            "message": .string(report.messageID.rawValue),
                            "channels": .object(Dictionary(channels, uniquingKeysWith: { $1 })),
                        ]
                    }))
        }
        let rows = reports.flatMap { report in
            report.channels.sorted { $0.key < $1.key }.map { channel, count in
                [
                    report.messageID.rawValue, channel.rawValue, count.sent.map(String.init) ?? "-",
                    count.received.map(String.init) ?? "-",
                ]
            }
        }
        Output.line(Tables.table(["MESSAGE", "CHANNEL", "SENT", "RECEIVED"], rows))
        let unknown = Set(ids).subtracting(reports.map(\.messageID))
        if !unknown.isEmpty {
            Output.complain("the vendor has no report on \(unknown.count) of \(Set(ids).count) messages")
        }
    }
}
