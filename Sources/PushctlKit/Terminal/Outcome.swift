import ArgumentParser
import PushAdapter
import PushBridge

extension DeviceOptions {
    /// Performs an operation on the device and prints the result; exits with status 1 if a change is not complete.
    /// - Parameter done: the text for people if there is no result.
    func perform(_ operation: DeviceOperation, done: String = "done") async throws {
        let json = client.json
        let answer = try await client.withClient { (client) async throws(PushError) in
            try await client.perform(operation, of: DeviceID(device))
        }
        switch answer {
        case .done: if json { Output.print(["isComplete": true]) } else { Output.line(done) }
        case .tags(let tags): Output.list(tags.sorted().map(\.rawValue), "tags", asJSON: json)
        case .accounts(let accounts): Output.list(accounts.map(\.written).sorted(), "accounts", asJSON: json)
        case .hasTag(let hasTag):
            if json { Output.print(["hasTag": .bool(hasTag)]) } else { Output.line(hasTag ? "yes" : "no") }
        case .alias, .phone, .attributes:
            guard let row = answer.row else { return }
            if json { Output.print([row.name: row.value]) } else { Output.line(row.text("\n") ?? "no \(row.name)") }
        case .tagUpdate(let outcome): try Outcome.show(outcome, asJSON: json, \.rawValue)
        case .accountUpdate(let outcome): try Outcome.show(outcome, asJSON: json, \.written)
        case .attributeUpdate(let outcome): try Outcome.show(outcome, asJSON: json) { $0 }
        }
    }
}

/// One fact that a vendor reports about a device.
struct DeviceRow {
    var name: String
    var value: JSONValue

    /// The text for people; nil if there is no value.
    func text(_ separator: String) -> String? {
        switch value {
        case .array(let items): items.isEmpty ? nil : items.map(\.shown).joined(separator: separator)
        case .object(let fields):
            fields.isEmpty
                ? nil
                : fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.shown)" }.joined(separator: separator)
        case .null: nil
        default: value.shown
        }
    }
}

extension DeviceAnswer {
    /// The fact about the device; nil for the outcome of a change, and for `hasTag`.
    var row: DeviceRow? {
        switch self {
        case .tags(let tags): DeviceRow(name: "tags", value: .array(tags.sorted().map { .string($0.rawValue) }))
        case .alias(let alias): DeviceRow(name: "alias", value: alias.map { .string($0.rawValue) } ?? .null)
        case .phone(let phone): DeviceRow(name: "phone", value: phone.map { .string($0.rawValue) } ?? .null)
        case .accounts(let accounts):
            DeviceRow(name: "accounts", value: .array(accounts.map(\.written).sorted().map(JSONValue.string)))
        case .attributes(let attributes):
            DeviceRow(name: "attributes", value: .object(attributes.mapValues(JSONValue.string)))
        case .done, .hasTag, .tagUpdate, .accountUpdate, .attributeUpdate: nil
        }
    }
}

/// The outcome of a change, for people and programs.
enum Outcome {
    /// Prints the outcome; exits with status 1 if the change is not complete.
    static func show<Element>(
        _ outcome: UpdateOutcome<Element>, asJSON: Bool, _ name: (Element) -> String
    ) throws {
        func names(_ elements: Set<Element>) -> [String] { elements.map(name).sorted() }
        if asJSON {
            var fields: [String: JSONValue] = [
                "added": .array(names(outcome.added).map(JSONValue.string)),
                "removed": .array(names(outcome.removed).map(JSONValue.string)),
                "requests": JSONValue(integerLiteral: outcome.requests), "isAtomic": .bool(outcome.isAtomic),
                "isComplete": .bool(outcome.isComplete),
            ]
            if !outcome.rejected.isEmpty { fields["rejected"] = .array(names(outcome.rejected).map(JSONValue.string)) }
            fields["failure"] = outcome.failure.map(Failure.json)
            Output.print(.object(fields))
        } else {
            let words = [("added", outcome.added), ("removed", outcome.removed), ("rejected", outcome.rejected)]
            let what = words.filter { !$1.isEmpty }.map { "\($0) \(names($1).joined(separator: ", "))" }
            let cost = "\(outcome.requests) request\(outcome.requests == 1 ? "" : "s")"
            Output.line((what + [outcome.isAtomic ? cost : cost + ", not atomic"]).joined(separator: "; "))
            if let failure = outcome.failure { Output.complain("error: stopped half-way: \(failure)") }
        }
        if !outcome.isComplete { throw ExitCode(1) }
    }
}
