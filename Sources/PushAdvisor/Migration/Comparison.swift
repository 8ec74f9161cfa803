public import PushAdapter

/// Compares two vendors: the changes when an app moves from one to the other.
public struct Comparison: Sendable {
    /// A table of differences, with column names for people and for programs.
    public struct Section: Sendable {
        /// For programs.
        public let name: String
        /// For people.
        public let title: String
        /// From left to right.
        public let columns: [(title: String, key: String)]
        /// Rows with one cell per column; empty if nothing differs.
        public let rows: [[String]]
        /// The text to show if nothing differs.
        public let nothing: String
    }

    private let from: VendorProfile
    private let to: VendorProfile
    private var before: Capabilities { from.capabilities }
    private var after: Capabilities { to.capabilities }

    /// Refuses the same vendor twice with `invalidArgument`.
    public init(from: VendorProfile, to: VendorProfile) throws(PushError) {
        guard from.id != to.id else { throw PushError(.invalidArgument, "give two different vendors") }
        self.from = from
        self.to = to
    }

    /// Features, limits, characters, rules, dated rules of phone makers, codes, error kinds, and the data to move.
    public var sections: [Section] {
        [
            section("features", "What the vendors can do", "feature", features, last: ("WHAT IT MEANS", "meaning")),
            section("limits", "Limits", "limit", limits, last: ("ABOVE IT, AFTERWARDS", "overflow")),
            section("characters", "Characters", "text", characters),
            section("rules", "How things work", "rule", rules),
            Section(
                name: "dates", title: "Rules of phone makers behind \(to.id) that begin on a day",
                columns: [("FROM", "day"), ("MAKER", "maker"), ("RULE", "rule"), ("SOURCE", "source")],
                rows: DatedRule.of(after).map { [$0.day, $0.maker.rawValue, $0.text, $0.source] }, nothing: "none"),
            section(
                "codes", "Codes that both have with different meanings", "code", codes,
                nothing: "none; shared codes keep their meaning"),
            section(
                "kinds", "Error kinds that only one has codes for; HTTP and the client also give kinds", "kind",
                kinds),
            Section(
                name: "migration", title: "What you have to move", columns: [("DATA", "data"), ("HOW", "how")],
                rows: migration, nothing: "nothing"),
        ]
    }

    private func section(
        _ name: String, _ title: String, _ subject: String, _ rows: [[String]],
        last: (title: String, key: String)? = nil, nothing: String = "the same"
    ) -> Section {
        let vendors = [from, to].map { (title: $0.id.rawValue.uppercased(), key: $0.id.rawValue) }
        let columns = [(title: subject.uppercased(), key: subject)] + vendors + [last].compactMap(\.self)
        return Section(name: name, title: title, columns: columns, rows: rows, nothing: nothing)
    }

    // MARK: Rows

    private var features: [[String]] {
        Feature.model.compactMap { feature, label in
            let (old, new) = (before[feature], after[feature])
            guard old.summary != new.summary else { return nil }
            let meaning =
                switch new {
                case .native: "the vendor's own call"
                case .emulated(let recipe): recipe.caveat
                case .unsupported(let reason): reason
                }
            return [label, old.summary, new.summary, meaning]
        }
    }

    private var limits: [[String]] {
        let model = Set(LimitKey.model.map(\.limit))
        let known = LimitKey.model.map { (limit: $0.limit, label: $0.label, feature: $0.feature) }
        // Each vendor measures messages in its own way, so those limits have their own names.
        let sizes = Set((before.limits.all + after.limits.all).map(\.limit)).filter { limit in
            !model.contains(limit) && limit.rawValue.hasPrefix("message.")
        }
        let own = sizes.sorted().map { (limit: $0, label: $0.rawValue, feature: Feature.send) }
        return (known + own).compactMap { limit, label, feature in
            let (old, new) = (before.limits[limit], after.limits[limit])
            guard old?.maximum != new?.maximum || old?.unit != new?.unit || old?.overflow != new?.overflow else {
                return nil
            }
            func text(_ bound: Limit?, _ capabilities: Capabilities) -> String {
                bound?.summary ?? (capabilities[feature].isPossible ? "not stated" : "has none")
            }
            let fate = new.map { $0.overflow.summary }
            let none = after[feature].isPossible ? "nothing is checked" : "refused altogether"
            return [label, text(old, before), text(new, after), fate ?? none]
        }
    }

    private var characters: [[String]] {
        let texts: [(limit: LimitKey, label: String)] = [
            (.tagLength, "a tag"), (.aliasLength, "an alias"), (.accountLength, "an account"),
            (.attributeName, "an attribute's name"), (.attributeValue, "an attribute's value"),
        ]
        return texts.compactMap { limit, label in
            let (old, new) = (before.limits[charactersOf: limit]?.summary, after.limits[charactersOf: limit]?.summary)
            return old == new ? nil : [label, old ?? "not stated", new ?? "not stated"]
        }
    }

    private var rules: [[String]] {
        let rows: [(String, (Capabilities) -> String)] = [
            ("an alias is for", { $0[.setAlias].isPossible ? $0.aliasSharing.summary : "none: no aliases" }),
            ("idempotency keys", { Self.keys($0) }),
            ("changes applied after the response", { Self.times($0.writeDelay) }),
            ("waits between changes of one subject", { Self.times($0.minimumInterval) }),
            ("the class of a message", { $0.summary(of: .messageClass) }),
            ("a template of phone makers", { $0.summary(of: .template) }),
            ("an app is for", { $0.platforms?.count == 1 ? "one platform" : "all platforms" }),
            (
                "requests",
                { capabilities in
                    capabilities.quotas.sorted { $0.key < $1.key }.map { bucket, quota in
                        "\(bucket): \(quota.summary)"
                    }.joined(separator: "; ")
                }
            ),
        ]
        return rows.map { [$0.0, $0.1(before), $0.1(after)] }.filter { $0[1] != $0[2] }
    }

    private static func keys(_ capabilities: Capabilities) -> String {
        if capabilities[.mintKeys] == .native { return "made by the vendor" }
        guard let memory = capabilities.callerKeys[.push] else { return "none: no retry after a lost response" }
        let text = "made by the client, remembered for \(memory.duration.components.seconds) s"
        return memory.grade == .vendor ? text : "\(text); \(memory.grade.summary)"
    }

    private static func times(_ times: [Feature: Duration]) -> String {
        let texts = times.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.seconds) s" }
        return texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }

    private var codes: [[String]] {
        let old = Dictionary(grouping: from.errorRows, by: \.code)
        let new = Dictionary(grouping: to.errorRows, by: \.code)
        return Set(old.keys).intersection(new.keys).sorted().compactMap { code in
            let (before, after) = (Self.meaning(old[code]), Self.meaning(new[code]))
            return before == after ? nil : [code.rawValue, before, after]
        }
    }

    private static func meaning(_ codes: [VendorErrorRow]?) -> String {
        var seen: [String] = []
        for code in codes ?? [] where !seen.contains("\(code.kind): \(code.advice)") {
            seen.append("\(code.kind): \(code.advice)")
        }
        return seen.joined(separator: "; ")
    }

    private var kinds: [[String]] {
        func codes(_ vendor: VendorProfile, _ kind: PushError.Kind) -> String {
            let codes = Set(vendor.errorRows.filter { $0.kind == kind }.map(\.code)).sorted()
            return codes.isEmpty ? "no code" : codes.map(\.rawValue).joined(separator: ", ")
        }
        return Set((from.errorRows + to.errorRows).map(\.kind)).sorted().compactMap { kind in
            let row = [codes(from, kind), codes(to, kind)]
            return row.contains("no code") ? [kind.rawValue] + row : nil
        }
    }
}

// MARK: Data to move

extension Comparison {
    private var migration: [[String]] {
        var rows = [
            [
                "devices",
                "ids and tokens are \(from.id)'s own: each device registers with \(to.id)'s SDK in a new version of "
                    + "the app, and keeps receiving through \(from.id) until then",
            ]
        ]
        rows += tags
        if before[.setAlias].isPossible { rows.append(["aliases", aliases]) }
        let again = "set them again for each new device"
        let others: [(feature: Feature, name: String, how: String)] = [
            (.addAccounts, "accounts", again), (.addAttributes, "attributes", again),
            (.setPhone, "phone numbers", again),
            (.createSchedule, "schedules", "kept by the vendor: create them again, and end the old ones"),
            (.audienceSegment, "segments of the console", "draw them again in \(to.id)'s console"),
            (.audienceFile, "uploaded lists", "upload them again, with the new devices"),
        ]
        for (feature, name, how) in others where before[feature].isPossible {
            if case .unsupported(let reason) = after[feature] {
                rows.append([name, "cannot: \(reason)"])
            } else {
                rows.append([name, how])
            }
        }
        return rows + [
            ["plans, templates, files", "make again by hand what only \(from.id)'s own calls and console know"],
            ["message ids", "reports of old messages stay with \(from.id): read them before you close its app"],
        ]
    }

    private var tags: [[String]] {
        guard before[.addTags].isPossible else { return [] }
        if case .unsupported(let reason) = after[.addTags] { return [["tags", "cannot: \(reason)"]] }
        var how = "set them again for each new device"
        if !before[.readTags].isPossible {
            how += "; \(from.id) cannot list them, so take them from your own records"
        }
        how +=
            takesAll(.tagLength)
            ? "; \(to.id) takes every tag that \(from.id) takes"
            : "; \(to.id) refuses some that \(from.id) takes: pushctl migrate-check finds them"
        var rows = [["tags", how]]
        if let most = after.limits[.tagsPerDevice]?.maximum, most < before.limits[.tagsPerDevice]?.maximum ?? .max {
            rows.append(["devices with more than \(most) tags", "\(to.id) takes no more per device"])
        }
        return rows
    }

    private var aliases: String {
        if case .unsupported(let reason) = after[.setAlias] { return "cannot: \(reason)" }
        var text = "set them again for each new device"
        if !takesAll(.aliasLength) { text += "; \(to.id) refuses some: pushctl migrate-check finds them" }
        if after.aliasSharing == .one, before.aliasSharing != .one {
            text +=
                "; \(to.id) has one device for each alias: turn shared aliases into tags or several aliases"
        }
        if case .emulated(let recipe) = after[.setAlias] { text += "; \(recipe.caveat)" }
        return text
    }

    /// Whether the new vendor accepts every text that the old one accepts.
    private func takesAll(_ limit: LimitKey) -> Bool {
        if let new = after.limits[limit] {
            guard let old = before.limits[limit], old.unit == new.unit, old.maximum <= new.maximum else { return false }
        }
        guard let new = after.limits[charactersOf: limit] else { return true }
        guard let old = before.limits[charactersOf: limit] else { return false }
        // Every character that a text on these pages can have.
        let all = (0x21...0xFFFF).compactMap(Unicode.Scalar.init).map(String.init)
        return all.allSatisfy { old.firstRefused(in: $0) != nil || new.firstRefused(in: $0) == nil }
    }
}
