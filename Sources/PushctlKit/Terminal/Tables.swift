import PushAdapter
import PushBridge

/// Tables for people and objects for programs.
enum Tables {
    enum Style {
        case plain
        /// With bars between the columns, for a page.
        case markdown
    }

    /// Columns as wide as their widest cell. Where the terminal is too narrow, cells wrap between words. A table of
    /// many columns, or of long words, becomes a block of lines for each row then, because no word is ever broken: an
    /// id or an address can be copied as it is.
    /// - Parameter indent: columns that the caller puts in front of each line.
    static func table(
        _ header: [String], _ rows: [[String]], _ style: Style = .plain, indent: Int = 0
    ) -> String {
        if style == .markdown {
            let rule = header.map { _ in "---" }
            return ([header, rule] + rows).map { row in
                "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
            }.joined(separator: "\n")
        }
        guard let widths = widths(header, rows, Output.columns - indent) else {
            return blocks(header, rows, Output.columns - indent)
        }
        return ([header] + rows).map { row in
            let cells = zip(row, widths).map { wrap($0, $1) }
            return (0..<(cells.map(\.count).max() ?? 0)).map { number in
                var line = zip(cells, widths).map { lines, width in
                    let text = number < lines.count ? lines[number] : ""
                    return text + String(repeating: " ", count: max(0, width - Self.width(text)))
                }.joined(separator: "  ")
                while line.last == " " { line.removeLast() }
                return line
            }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// A table whose columns have names and whose rows have labels, such as that of all vendors. Where the terminal is
    /// too narrow, a row becomes its label and a line for each of its values, with the names of the columns that have
    /// it.
    /// - Parameter indent: columns that the caller puts in front of each line.
    static func matrix(
        _ columns: [String], _ rows: [[String]], _ style: Style = .plain, indent: Int = 0
    ) -> String {
        let header = [""] + columns
        let total = Output.columns - indent
        guard style == .plain, widths(header, rows, total) == nil else {
            return table(header, rows, style, indent: indent)
        }
        return rows.map { row in
            var values: [String] = []
            for value in row.dropFirst() where !values.contains(value) { values.append(value) }
            let lines = values.flatMap { value in
                let names = zip(columns, row.dropFirst()).filter { $1 == value }.map(\.0)
                let holders = names.count == columns.count ? "all" : names.joined(separator: ", ")
                return wrap("\(holders): \(value)", total - 4).enumerated()
                    .map { ($0 == 0 ? "  " : "    ") + $1 }
            }
            return ([row[0]] + lines).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// The widths of the columns; nil if they do not fit.
    private static func widths(_ header: [String], _ rows: [[String]], _ total: Int) -> [Int]? {
        let all = [header] + rows
        let natural = header.indices.map { column in all.map { width($0[column]) }.max() ?? 0 }
        let words = header.indices.map { column in all.map { longestWord($0[column]) }.max() ?? 0 }
        return fit(natural, atLeast: words, total)
    }

    /// The most columns of a table that wraps.
    private static let mostWrapped = 6

    /// Cuts down the widest columns until all fit, to no less than their longest words. Nil if they do not fit.
    private static func fit(_ widths: [Int], atLeast least: [Int], _ total: Int) -> [Int]? {
        var widths = widths
        var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - total
        guard excess > 0 else { return widths }
        guard widths.count <= mostWrapped else { return nil }
        while excess > 0 {
            let column = widths.indices.filter { widths[$0] > least[$0] }.max { widths[$0] < widths[$1] }
            guard let column else { return nil }
            widths[column] -= 1
            excess -= 1
        }
        return widths
    }

    /// The rows one below the other, each with a line for each column that has a text.
    private static func blocks(_ header: [String], _ rows: [[String]], _ total: Int) -> String {
        let label = header.map(width).max() ?? 0
        return rows.map { row in
            zip(header, row).filter { !$1.isEmpty }.flatMap { name, cell -> [String] in
                guard longestWord(cell) <= total - label - 2 else {
                    return [name] + wrap(cell, max(1, total - 2)).map { "  " + $0 }
                }
                return wrap(cell, total - label - 2).enumerated().map { number, line in
                    let name = number == 0 ? name : ""
                    return name + String(repeating: " ", count: label + 2 - width(name)) + line
                }
            }.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private static func longestWord(_ text: String) -> Int {
        text.split(separator: " ").map { width(String($0)) }.max() ?? 0
    }

    /// Wraps a cell to a width, between words only.
    private static func wrap(_ text: String, _ width: Int) -> [String] {
        guard Self.width(text) > width else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let word = String(word)
            if !line.isEmpty, Self.width(line) + 1 + Self.width(word) <= width {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = word
        }
        return lines + [line]
    }

    /// The terminal columns that a text takes: two for an East Asian character.
    private static func width(_ text: String) -> Int {
        text.reduce(0) { sum, character in
            let first = character.unicodeScalars.first?.value ?? 0
            let isWide = [
                0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
                0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
            ].contains { $0.contains(first) }
            return sum + (isWide ? 2 : 1)
        }
    }

    static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "   " + $0 }.joined(separator: "\n")
    }

    // MARK: Reports

    static func report(_ report: SendReport) -> String {
        let rows = report.slices.map { slice in
            [
                String(slice.index + 1), slice.targetCount == 0 ? "-" : String(slice.targetCount),
                slice.acceptedCount.map(String.init) ?? "-", slice.messageID?.rawValue ?? "-",
                keyed(slice.keying), slice.error.map { "\($0.kind)" } ?? "accepted",
            ]
        }
        var text = table(["SLICE", "TARGETS", "ACCEPTED", "MESSAGE ID", "KEYED", "STATUS"], rows)
        if !report.exceptions.isEmpty { text += "\n\n" + exceptions(report.exceptions) }
        if let interruption = report.interruption { text += "\n\nended early: \(interruption)" }
        return text
    }

    static func exceptions(_ exceptions: [TargetReport]) -> String {
        let shown = exceptions.prefix(20).map { item in
            let status = [name(item.status), reason(item.status)].compactMap { $0 }.joined(separator: ": ")
            return [String(item.position), item.target.shown, status]
        }
        let rest = exceptions.count > 20 ? "\n... and \(exceptions.count - 20) more; --json lists all" : ""
        return table(["POSITION", "TARGET", "STATUS"], Array(shown)) + rest
    }

    /// The reason why a target was not sent; nil if its status has none.
    static func reason(_ status: TargetStatus) -> String? {
        if case .malformed(let reason) = status { reason } else { nil }
    }

    static func name(_ status: TargetStatus) -> String {
        switch status {
        case .accepted: "accepted"
        case .duplicate(let first): "duplicate of position \(first)"
        case .invalid: "invalid"
        case .malformed: "malformed"
        case .suspect: "suspect"
        case .rejected(let mayRetry): mayRetry ? "rejected, may be sent again" : "rejected"
        case .notAttempted: "not attempted"
        case .unknown: "unknown"
        }
    }

    static func json(_ report: SendReport) -> JSONValue {
        var fields: [String: JSONValue] = [
            "isComplete": .bool(report.isComplete), "targets": JSONValue(integerLiteral: report.targetCount),
            "accepted": JSONValue(report.acceptedCount),
            "slices": .array(report.slices.map(json)),
            "exceptions": .array(
                report.exceptions.map { item in
                    var fields: [String: JSONValue] = [
                        "position": JSONValue(integerLiteral: item.position), "target": .string(item.target.text),
                        "status": .string(name(item.status)), "mayRetry": .bool(item.status.isRetryable),
                    ]
                    fields["reason"] = reason(item.status).map { .string($0) }
                    return .object(fields)
                }),
        ]
        fields["interruption"] = report.interruption.map(Failure.json)
        return .object(fields)
    }

    /// Whether a slice had a key; a key that is not the vendor's promise shows its grade.
    private static func keyed(_ keying: SliceReport.Keying) -> String {
        switch keying {
        case .keyed(let grade): grade == .vendor ? "yes" : grade.rawValue
        case .unkeyed: "no"
        }
    }

    private static func json(_ slice: SliceReport) -> JSONValue {
        var fields: [String: JSONValue] = [
            "index": JSONValue(integerLiteral: slice.index), "targets": JSONValue(integerLiteral: slice.targetCount),
            "accepted": JSONValue(slice.acceptedCount), "keyed": false,
        ]
        fields["messageID"] = slice.messageID.map { .string($0.rawValue) }
        switch slice.keying {
        case .keyed(let grade):
            fields["keyed"] = true
            fields["keyGrade"] = .string(grade.rawValue)
        case .unkeyed(let reason): fields["unkeyedBecause"] = .string(reason)
        }
        fields["error"] = slice.error.map(Failure.json)
        return .object(fields)
    }

    // MARK: Explanations

    static func explanation(_ explanation: Explanation) -> String {
        var parts: [String] = []
        if !explanation.steps.isEmpty {
            let rows = explanation.steps.map { step in
                [
                    "\(step.count) ×", step.operation.rawValue, "\(step.request.method.rawValue) \(step.url)",
                    step.targetCount == 0 ? "-" : String(step.targetCount), "\(step.request.body)",
                    step.charges.map { "\($0.cost) \($0.bucket)" }.joined(separator: ", "), step.note ?? "",
                ]
            }
            parts.append(table(["COUNT", "OPERATION", "REQUEST", "TARGETS", "BODY", "COST", "NOTE"], rows))
        }
        if let rule = explanation.rule { parts.append(rule) }
        if !explanation.leftOut.isEmpty {
            let shown = explanation.leftOut.prefix(20).map { out in
                [String(out.report.position), out.report.target.shown, out.reason]
            }
            let rest = explanation.leftOut.count > 20 ? "\n... and \(explanation.leftOut.count - 20) more" : ""
            parts.append("not sent:\n" + table(["POSITION", "TARGET", "WHY"], Array(shown)) + rest)
        }
        parts += explanation.remarks.map { "remark: \($0)" }
        parts += explanation.refusals.map { "refused: \($0)" }
        return parts.joined(separator: "\n\n")
    }

    static func json(_ explanation: Explanation) -> JSONValue {
        let steps = explanation.steps.map { step -> JSONValue in
            var fields: [String: JSONValue] = [
                "operation": .string(step.operation.rawValue), "method": .string(step.request.method.rawValue),
                "url": .string(step.url), "targets": JSONValue(integerLiteral: step.targetCount),
                "count": JSONValue(integerLiteral: step.count),
                "cost": .object(cost(step.charges.reduce(into: [:]) { $0[$1.bucket, default: 0] += $1.cost })),
            ]
            fields["body"] = step.body.map { (try? JSONValue(parsing: Array($0.utf8))) ?? .string($0) }
            fields["note"] = step.note.map(JSONValue.string)
            return .object(fields)
        }
        return [
            "steps": .array(steps), "rule": explanation.rule.map(JSONValue.string) ?? .null,
            "remarks": .array(explanation.remarks.map(JSONValue.string)),
            "refusals": .array(explanation.refusals.map(Failure.json)),
            "notSent": .array(
                explanation.leftOut.map { out in
                    [
                        "position": JSONValue(integerLiteral: out.report.position),
                        "target": .string(out.report.target.text), "reason": .string(out.reason),
                    ]
                }),
            "cost": .object(cost(explanation.cost)),
        ]
    }

    private static func cost(_ cost: [QuotaBucket: Int]) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: cost.map { ($0.rawValue, JSONValue(integerLiteral: $1)) })
    }
}

extension Target {
    /// The whole text for a table; of one with an address, which is a secret, the origin of that.
    var shown: String { text.contains("://") ? Redaction.shortened(text) : text }
}
