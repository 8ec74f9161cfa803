import ArgumentParser
import PushBridge
import PushConformance
import PushDevice
import PushSimulation
import PushStyles

struct Styles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows how each vendor supports the calls of the device SDK styles.")

    @Flag(help: "Print a table for a page.")
    var markdown = false

    @Flag(help: "Print JSON for programs.")
    var json = false

    /// A client, and its support for each call.
    private struct Column {
        var name: String
        var support: [SessionSupport]
    }

    func run() async throws {
        var columns: [Column] = []
        for vendor in Vendor.all {
            columns.append(Column(name: vendor.id.rawValue, support: try await vendor.withClient(Self.support)))
            var configuration = ClientConfiguration()
            configuration.ledger = MemoryLedger()
            for variant in try vendor.harness.makeVariants() {
                columns.append(
                    Column(
                        name: "\(vendor.id), \(variant.setting) and a ledger",
                        support: try await vendor.withClient(
                            of: variant.provider, configuration: configuration, Self.support)))
            }
        }
        if json {
            return Output.print(
                .array(
                    StyleCall.all.enumerated().map { index, call in
                        [
                            "style": .string(call.style.rawValue), "call": .string(call.name),
                            "vendors": .object(
                                Dictionary(columns.map { ($0.name, .string(Self.words($0.support[index]))) }) { $1 }),
                        ]
                    }))
        }
        let notes = Self.notes(in: columns)
        let cells = StyleCall.all.enumerated().map { index, call in
            [call.style.rawValue, markdown ? "`\(call.name)`" : call.name]
                + columns.map { Self.cell($0.support[index], notes) }
        }
        Output.line(
            Tables.table(["STYLE", "CALL"] + columns.map(\.name), cells, markdown ? .markdown : .plain))
        Output.line("")
        for (number, note) in notes.enumerated() { Output.line("\(number + 1). \(note)") }
    }

    /// The notes about emulations, each once, in the order of the table.
    private static func notes(in columns: [Column]) -> [String] {
        var notes: [String] = []
        for index in StyleCall.all.indices {
            for column in columns {
                guard case .emulated(let note, _) = column.support[index], !notes.contains(note) else { continue }
                notes.append(note)
            }
        }
        return notes
    }

    private static func cell(_ support: SessionSupport, _ notes: [String]) -> String {
        guard case .emulated(let note, let needsConsent) = support else { return words(support) }
        let number = (notes.firstIndex(of: note) ?? 0) + 1
        return needsConsent ? "emulated with consent (\(number))" : "emulated (\(number))"
    }

    private static func support(by client: PushClient) -> [SessionSupport] {
        StyleCall.all.map { DeviceSession(client, rules: $0.rules).support(of: $0.call) }
    }

    private static func words(_ support: SessionSupport) -> String {
        switch support {
        case .native: "native"
        case .emulated(let note, needsConsent: false): "emulated: \(note)"
        case .emulated(let note, needsConsent: true): "emulated, with consent: \(note)"
        case .needsHost: "by the device"
        case .refused: "refused"
        }
    }
}
