import ArgumentParser
import Foundation
import PushBridge

struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what changes when an app moves from one vendor to another.")

    @Argument(help: "The vendor that the app leaves.")
    var from: String

    @Argument(help: "The vendor that it goes to.")
    var to: String

    @Option(help: "A JSON file with a message, whose requests are shown side by side; - for standard input.")
    var message: String?

    @Option(name: .customLong("to"), help: "Whom the message is for: everyone, tags:TAG,TAG, aliases:NAME, or JSON.")
    var audience: String = "everyone"

    @Flag(help: "Print JSON for programs.")
    var json = false

    func run() async throws {
        let message = try message.map { (file) throws(PushError) in try Input.message(ofFile: file) }
        let audience = try Input.audience(audience)
        let comparison = try await Comparison(from: Vendor.named(from), to: Vendor.named(to))
        var sections = comparison.sections
        if let message { sections.append(try await comparison.requests(message, audience)) }
        if json {
            Output.print(.object(Dictionary(uniqueKeysWithValues: sections.map { ($0.name, $0.json) })))
        } else {
            if let note = comparison.to.note { Output.line("note: \(comparison.to.id) is \(note)\n") }
            Output.line(sections.map(\.text).joined(separator: "\n\n"))
        }
    }
}

/// Two vendors side by side.
struct Comparison {
    /// A table of what differs.
    struct Section {
        var name: String
        var title: String
        var header: [String]
        var rows: [[String]]
        /// What is said where nothing differs.
        var nothing = "the same"

        var text: String {
            Output.coloured(title, .bold) + "\n" + Tables.indented(rows.isEmpty ? nothing : Tables.table(header, rows))
        }

        var json: JSONValue {
            .array(
                rows.map { row in
                    .object(Dictionary(zip(header.map { $0.lowercased() }, row.map(JSONValue.string))) { $1 })
                })
        }
    }

    let from: Vendor
    let to: Vendor
    private let before: Capabilities
    private let after: Capabilities

    init(from: Vendor, to: Vendor) async throws(PushError) {
        guard from.id != to.id else { throw PushError(.invalidArgument, "give two different vendors") }
        self.from = from
        self.to = to
        before = try await from.capabilities()
        after = try await to.capabilities()
    }

    private var columns: [String] { [from.id.rawValue.uppercased(), to.id.rawValue.uppercased()] }

    var sections: [Section] {
        [
            Section(
                name: "features", title: "What the vendors can do", header: ["FEATURE"] + columns + ["WHAT IT MEANS"],
                rows: features),
            Section(
                name: "limits", title: "Limits", header: ["LIMIT"] + columns + ["ABOVE IT, AFTERWARDS"], rows: limits),
            Section(
                name: "alphabets", title: "Characters", header: ["TEXT"] + columns, rows: alphabets),
            Section(name: "rules", title: "How things work", header: ["RULE"] + columns, rows: rules),
            Section(
                name: "codes", title: "Codes that both have", header: ["CODE"] + columns,
                rows: codes, nothing: "none; every code is one vendor's alone"),
            Section(
                name: "kinds", title: "Errors that one of them does not tell", header: ["KIND"] + columns, rows: kinds),
            Section(name: "migration", title: "What has to be moved", header: ["DATA", "WHY"], rows: migration),
        ]
    }

    // MARK: Rows

    private var features: [[String]] {
        Feature.model.compactMap { feature, label in
            let (old, new) = (before[feature], after[feature])
            guard Matrix.support(old) != Matrix.support(new) else { return nil }
            return [label, Matrix.support(old), Matrix.support(new), Self.meaning(new, instead: old)]
        }
    }

    private static func meaning(_ new: Support, instead old: Support) -> String {
        switch new {
        case .native: "the vendor's own call"
        case .emulated(let recipe): recipe.caveat
        case .unsupported(let reason): reason
        }
    }

    private var limits: [[String]] {
        Limit.model.compactMap { limit, label in
            let (old, new) = (before.limits[limit], after.limits[limit])
            guard old?.maximum != new?.maximum || old?.unit != new?.unit || old?.overflow != new?.overflow else {
                return nil
            }
            return [
                label, old.map(Matrix.value) ?? "not stated", new.map(Matrix.value) ?? "not stated",
                new.map { Matrix.fate($0.overflow) } ?? "nothing is checked",
            ]
        }
    }

    private var alphabets: [[String]] {
        let texts: [(limit: Limit, label: String)] = [
            (.tagLength, "a tag"), (.aliasLength, "an alias"), (.accountLength, "an account"),
            (.attributeName, "an attribute's name"), (.attributeValue, "an attribute's value"),
        ]
        return texts.compactMap { limit, label in
            let (old, new) = (before.limits[alphabet: limit]?.summary, after.limits[alphabet: limit]?.summary)
            return old == new ? nil : [label, old ?? "not stated", new ?? "not stated"]
        }
    }

    private var rules: [[String]] {
        let rows: [(String, (Capabilities) -> String)] = [
            ("an alias is for", Matrix.sharing),
            ("idempotency keys", { Self.keys($0) }),
            ("changes that are carried out later than answered", { Self.times($0.settling) }),
            ("waits between changes of one subject", { Self.times($0.pace) }),
            (
                "an app is for",
                { $0.platforms?.count == 1 ? "one platform" : "all platforms" }
            ),
            (
                "requests",
                { capabilities in
                    capabilities.quotas.sorted { $0.key < $1.key }.map { bucket, quota in
                        "\(bucket): \(quota.limit) in \(quota.window.components.seconds) s"
                    }.joined(separator: "; ")
                }
            ),
        ]
        return rows.map { [$0.0, $0.1(before), $0.1(after)] }.filter { $0[1] != $0[2] }
    }

    private static func keys(_ capabilities: Capabilities) -> String {
        if capabilities[.mintKeys] == .native { return "made by the vendor" }
        guard let memory = capabilities.callerKeys[.push] else { return "none: a lost answer is not repeated" }
        return "made by the client, remembered for \(memory.duration.components.seconds) s"
    }

    private static func times(_ times: [Feature: Duration]) -> String {
        let texts = times.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.components.seconds) s" }
        return texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }

    private var codes: [[String]] {
        let old = Dictionary(grouping: from.codes, by: \.code)
        let new = Dictionary(grouping: to.codes, by: \.code)
        return Set(old.keys).intersection(new.keys).sorted().compactMap { code in
            let (before, after) = (Self.kinds(old[code]), Self.kinds(new[code]))
            return before == after ? nil : [String(code), before, after]
        }
    }

    private var kinds: [[String]] {
        func codes(_ vendor: Vendor, _ kind: PushError.Kind) -> String {
            let codes = Set(vendor.codes.filter { $0.kind == kind }.map(\.code)).sorted()
            return codes.isEmpty ? "never" : codes.map(String.init).joined(separator: ", ")
        }
        return Set((from.codes + to.codes).map(\.kind)).sorted().compactMap { kind in
            let row = [codes(from, kind), codes(to, kind)]
            return row.contains("never") ? [kind.rawValue] + row : nil
        }
    }

    private static func kinds(_ codes: [Vendor.Code]?) -> String {
        var seen: [String] = []
        for code in codes ?? [] where !seen.contains("\(code.kind): \(code.advice)") {
            seen.append("\(code.kind): \(code.advice)")
        }
        return seen.joined(separator: "; ")
    }

    private var migration: [[String]] {
        var rows = [
            [
                "devices",
                "ids and tokens are \(from.id)'s own: each device registers with \(to.id)'s SDK in a new version of the app, "
                    + "and keeps receiving through \(from.id) until then",
            ]
        ]
        if case .unsupported(let reason) = after[.addTags] {
            rows.append(["tags", "cannot: \(reason)"])
        } else {
            let texts = alphabets.filter { $0[0] == "a tag" } + limits.filter { $0[0] == "a tag" }
            rows.append([
                "tags",
                "set again for each new device"
                    + (texts.isEmpty
                        ? ""
                        : "; \(to.id) has another form of tags: pushctl migrate-check finds those that it refuses"),
            ])
            if let most = after.limits[.tagsPerDevice]?.maximum, most < before.limits[.tagsPerDevice]?.maximum ?? .max {
                rows.append(["devices with more than \(most) tags", "\(to.id) takes no more for a device"])
            }
        }
        rows.append(["aliases", Self.aliases(before, after, to.id)])
        let others: [(feature: Feature, name: String, how: String)] = [
            (.createSchedule, "schedules", "kept by the vendor: create them again, and end the old ones"),
            (.addAccounts, "accounts", "set again for each new device"),
            (.addAttributes, "attributes", "set again for each new device"),
            (.setPhone, "phone numbers", "set again for each new device"),
        ]
        for (feature, name, how) in others where Self.isPossible(before[feature]) {
            if case .unsupported(let reason) = after[feature] {
                rows.append([name, "cannot: \(reason)"])
            } else {
                rows.append([name, how])
            }
        }
        rows.append(["message ids", "reports of old messages stay with \(from.id): read them before its app is closed"])
        return rows
    }

    private static func aliases(_ before: Capabilities, _ after: Capabilities, _ target: ProviderID) -> String {
        if case .unsupported(let reason) = after[.setAlias] { return "cannot: \(reason)" }
        var text = "set again for each new device"
        if after.aliasSharing == .one, before.aliasSharing != .one {
            text +=
                "; \(target) has one device for each alias: those of several devices have to become tags or several aliases"
        }
        if case .emulated(let recipe) = after[.setAlias] { text += "; \(recipe.caveat)" }
        return text
    }

    private static func isPossible(_ support: Support) -> Bool {
        if case .unsupported = support { false } else { true }
    }

    // MARK: Requests

    /// The first request of a send at each vendor, line by line.
    func requests(_ message: Message, _ audience: Audience) async throws(PushError) -> Section {
        let left = try await lines(message, audience, from)
        let right = try await lines(message, audience, to)
        let rows = (0..<max(left.count, right.count)).map { index in
            [index < left.count ? left[index] : "", index < right.count ? right[index] : ""]
        }
        return Section(name: "requests", title: "The message on the wire", header: columns, rows: rows)
    }

    private func lines(_ message: Message, _ audience: Audience, _ vendor: Vendor) async throws(PushError) -> [String] {
        let explanation = try await vendor.withClient { $0.explain(message, to: audience) }
        var lines: [String] = []
        for step in explanation.steps where step.operation == .send {
            let path = step.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).last ?? ""
            lines.append("\(step.request.method.rawValue) /\(path)")
            if case .bytes(let bytes, _) = step.request.body { lines += Self.pretty(bytes) }
        }
        lines += explanation.refusals.map { "refused: \($0.kind): \($0.message)" }
        return lines
    }

    private static func pretty(_ bytes: [UInt8]) -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let value = try? JSONValue(parsing: bytes), let data = try? encoder.encode(value) else {
            return [String(decoding: bytes, as: UTF8.self)]
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
