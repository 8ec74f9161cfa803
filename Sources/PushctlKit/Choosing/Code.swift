import ArgumentParser
import PushAdapter
import PushBridge
import PushDevice
import PushStyles

struct Code: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explains and translates an error code of a vendor or a device SDK.")

    @Argument(help: "The code, as the vendor or the SDK reported it; without it, lists all codes.")
    var code: String?

    @Option(help: "The vendor, or sdk for the device SDKs; all of them without it.", completion: .vendors)
    var vendor: String?

    @Flag(help: "Print a table for a README.")
    var markdown = false

    @Flag(help: "Print JSON for programs.")
    var json = false

    /// A code, where it comes from, and the numbers that the sequenced calls report for it.
    private struct Row {
        var origin: String
        var code: VendorErrorRow
        var retry: String
        var client: [(subject: String, code: Int)]

        /// `6017, tags 6005, alias 6003`: the usual number, then the numbers of calls about one subject.
        var translation: String {
            client.map { $0.subject.isEmpty ? String($0.code) : "\($0.subject) \($0.code)" }.joined(separator: ", ")
        }
    }

    func run() async throws {
        let rows = try Self.rows(of: vendor).filter { code == nil || $0.code.code.rawValue == code }
        if let code, rows.isEmpty {
            throw PushError(
                .invalidArgument,
                "\(vendor.map { "\($0) documents no" } ?? "no vendor documents the") code \(code); pushctl code lists all"
            )
        }
        if json { return Output.print(.array(rows.map(Self.json))) }
        // A table of one vendor needs no vendor column.
        let isOne = vendor != nil
        Output.line(
            Tables.table(
                (isOne ? [] : ["VENDOR"]) + [
                    "SURFACE", "CODE", "KIND", "RETRY", "EFFECT", "CLIENT", "MEANING", "SOURCE",
                ],
                rows.map { row in
                    (isOne ? [] : [row.origin]) + [
                        row.code.surface, row.code.code.rawValue, row.code.kind.rawValue, row.retry,
                        row.code.effect.rawValue, row.translation, row.code.advice, row.code.source,
                    ]
                }, markdown ? .markdown : .plain))
    }

    private static func rows(of name: String?) throws(PushError) -> [Row] {
        if name?.lowercased() == sdk { return sdkRows }
        let vendors = try name.map { (name) throws(PushError) in [try Vendor.named(name)] } ?? Vendor.all
        let rows = vendors.flatMap { vendor in
            vendor.type.errorRows.map { code in
                Row(
                    origin: vendor.id.rawValue, code: code, retry: code.retry.isAdvised ? "later" : "no",
                    client: translation(of: code.kind))
            }
        }
        return name == nil ? rows + sdkRows : rows
    }

    private static let sdk = "sdk"

    private static var sdkRows: [Row] {
        ResultCodes.rows.map { row in
            let calls = row.calls.map { $0.sorted().map(\.rawValue).joined(separator: ", ") }
            var code = VendorErrorRow(
                code: VendorCode(row.code), kind: row.kind, retry: row.retry == .never ? .never : .backoff,
                effect: row.effect,
                advice: row.meaning, source: row.source)
            code.surface = calls ?? "device"
            let retry = row.retry == .never ? "no" : row.retry.rawValue
            return Row(origin: sdk, code: code, retry: retry, client: [("", row.code)])
        }
    }

    /// The numbers for a kind: first the usual one, then the others that calls about one subject use instead.
    private static func translation(of kind: PushError.Kind) -> [(subject: String, code: Int)] {
        let error = PushError(kind, "", vendor: VendorDetail(code: 0))
        let usual = ResultCodes.code(for: error, about: .service)
        let own = [SessionSubject.tags, .alias, .phone].map { subject in
            (subject: subject.rawValue, code: ResultCodes.code(for: error, about: subject))
        }
        return [("", usual)] + own.filter { $0.code != usual }
    }

    private static func json(_ row: Row) -> JSONValue {
        [
            "vendor": .string(row.origin), "surface": .string(row.code.surface),
            "code": row.code.code.json, "kind": .string(row.code.kind.rawValue),
            "mayRetry": .bool(row.code.retry.isAdvised), "effect": .string(row.code.effect.rawValue),
            "client": .object(
                Dictionary(
                    row.client.map { ($0.subject.isEmpty ? "any" : $0.subject, JSONValue(integerLiteral: $0.code)) }
                ) { $1 }),
            "advice": .string(row.code.advice), "source": .string(row.code.source),
        ]
    }
}
