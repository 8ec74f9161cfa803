import ArgumentParser
import FoundationEssentials
import PushBridge

struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Creates, shows and removes messages that the vendor sends later.",
        subcommands: [Create.self, Show.self, List.self, Remove.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has the vendor send a message at a given time.")

        @OptionGroup var client: ClientOptions

        @Option(help: "A name for the vendor's list.")
        var name: String

        @Option(help: "A JSON file with the message; - for standard input.")
        var message: String

        @Option(help: "everyone, devices:ID,ID, aliases:NAME,NAME, accounts:TYPE:NAME, tags:TAG,TAG, or JSON.")
        var to: String

        @Option(help: "The time, with its zone: 2026-12-01T09:30:00Z or 2026-12-01T09:30:00+08:00.")
        var at: String

        func run() async throws {
            guard let date = try? Date(at, strategy: .iso8601) else {
                throw PushError(
                    .invalidArgument, "--at \(Redaction.quoted(at)) is not a time such as 2026-12-01T09:30:00Z")
            }
            guard Input.deviceFile(to) == nil else {
                throw PushError(.invalidArgument, "a schedule is one request; list its targets instead of a file")
            }
            let schedule = Schedule(
                name: name, trigger: .once(date), message: try Input.message(ofFile: message),
                audience: try Input.audience(to))
            let id = try await client.withClient { (client) throws(PushError) in
                try await client.createSchedule(schedule)
            }
            if client.json { Output.print(["id": .string(id.rawValue)]) } else { Output.line(id.rawValue) }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one schedule.")
        @OptionGroup var client: ClientOptions
        @Argument(help: "The schedule's id.") var id: String

        func run() async throws {
            let status = try await client.withClient { (client) throws(PushError) in
                try await client.readSchedule(ScheduleID(id))
            }
            ScheduleCommand.show([status], asJSON: client.json)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists a page of schedules.")
        @OptionGroup var client: ClientOptions
        @Option(help: "The page, from 1.") var page = 1

        func run() async throws {
            let number = page
            let found = try await client.withClient { (client) throws(PushError) in
                try await client.listSchedules(page: number)
            }
            ScheduleCommand.show(found.elements, asJSON: client.json)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes a schedule.")
        @OptionGroup var client: ClientOptions
        @Argument(help: "The schedule's id.") var id: String

        func run() async throws {
            try await client.withClient { (client) throws(PushError) in try await client.removeSchedule(ScheduleID(id))
            }
            if client.json { Output.print(["removed": .string(id)]) } else { Output.line("schedule removed") }
        }
    }

    private static func show(_ schedules: [ScheduleStatus], asJSON: Bool) {
        if asJSON {
            let rows = schedules.map { schedule -> JSONValue in
                [
                    "id": .string(schedule.id.rawValue), "name": .string(schedule.name),
                    "isEnabled": .bool(schedule.isEnabled), "trigger": .string(text(schedule.trigger)),
                ]
            }
            return Output.print(.array(rows))
        }
        let rows = schedules.map { [$0.id.rawValue, $0.name, $0.isEnabled ? "yes" : "no", text($0.trigger)] }
        Output.line(Tables.table(["ID", "NAME", "ENABLED", "SENDS"], rows))
    }

    private static func text(_ trigger: ScheduleTrigger?) -> String {
        switch trigger {
        case nil: "in a vendor-specific way"
        case .once(let date): "once, at \(date.formatted(.iso8601))"
        case .recurring(let recurrence):
            "from \(recurrence.start.formatted(.iso8601)) to \(recurrence.end.formatted(.iso8601)), \(recurrence.rhythm)"
        }
    }
}
