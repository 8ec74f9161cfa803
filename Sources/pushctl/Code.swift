import ArgumentParser
import PushBridge

struct Code: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explains an error code of a vendor; without a code, lists all.")

    @Argument(help: "The code, as the vendor sent it.")
    var code: Int?

    @Option(help: "The vendor.")
    var vendor = "jpush"

    @Flag(help: "Print a table for a README.")
    var markdown = false

    @Flag(help: "Print JSON for programs.")
    var json = false

    func run() async throws {
        let rows = try Vendor.named(vendor).codes.filter { code == nil || $0.code == code }
        if let code, rows.isEmpty {
            throw PushError(
                .invalidArgument, "\(vendor) documents no code \(code); pushctl code lists those it documents")
        }
        if json {
            Output.print(
                .array(
                    rows.map { row in
                        [
                            "surface": .string(row.surface), "code": JSONValue(integerLiteral: row.code),
                            "kind": .string(row.kind.rawValue), "mayRetry": .bool(row.mayRetry),
                            "effect": .string(row.effect.rawValue), "advice": .string(row.advice),
                            "source": .string(row.source),
                        ]
                    }))
        } else {
            Output.line(
                Tables.table(
                    ["SURFACE", "CODE", "KIND", "RETRY", "EFFECT", "MEANING", "SOURCE"],
                    rows.map { row in
                        [
                            row.surface, String(row.code), row.kind.rawValue, row.mayRetry ? "later" : "no",
                            row.effect.rawValue, row.advice, row.source,
                        ]
                    }, markdown ? .markdown : .plain))
        }
    }
}
