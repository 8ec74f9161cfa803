import ArgumentParser
import PushBridge
import PushConformance
import PushSimulation

struct Vendors: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what vendors can do and where their limits are, as their adapters declare it.")

    @Argument(help: "One vendor, with the sources of its limits; all side by side without it.")
    var name: String?

    @Flag(help: "Print a table for a README.")
    var markdown = false

    @Flag(help: "Print JSON for programs.")
    var json = false

    func run() async throws {
        let vendors = try name.map { (name) throws(PushError) in [try Vendor.named(name)] } ?? Vendor.all
        var columns: [(name: String, capabilities: Capabilities)] = []
        for vendor in vendors { columns.append((vendor.id.rawValue, try await vendor.capabilities())) }
        if json { return Output.print(.array(columns.map { Matrix.json($0.name, $0.capabilities) })) }
        let style: Tables.Style = markdown ? .markdown : .plain
        if name != nil, let only = columns.first {
            Output.line(
                Tables.table(["LIMIT", "VALUE", "ABOVE IT", "SOURCE"], Matrix.limits(only.capabilities), style))
        } else {
            Output.line(Tables.table([""] + columns.map(\.name), Matrix.rows(columns.map(\.capabilities)), style))
        }
    }
}

extension Vendor {
    /// What a client over this vendor can do, emulations included.
    func capabilities() async throws(PushError) -> Capabilities {
        let host = SimulatorHost(harness.makeSimulator(devices: []))
        let client = PushClient(
            try harness.makeProvider(at: InProcessTransport.origin), transport: InProcessTransport(host))
        let capabilities = client.capabilities
        await client.shutdown()
        return capabilities
    }
}

/// Capabilities as rows of a table.
enum Matrix {
    /// The model's features in the order of a reader's questions.
    private static let features: [(feature: Feature, label: String)] = [
        (.send, "send a message"), (.validate, "let the vendor check a message"),
        (.mintKeys, "idempotency keys of its own"),
        (.audienceEveryone, "to everyone"), (.audienceDevices, "to devices"), (.audienceAliases, "to aliases"),
        (.audienceAccounts, "to accounts"), (.audienceTagsAnyOf, "to any of some tags"),
        (.audienceTagsAllOf, "to all of some tags"), (.audienceTagsNoneOf, "to none of some tags"),
        (.audienceSegment, "to a segment of the console"), (.audienceLiveActivity, "to a Live Activity"),
        (.audienceFile, "to an uploaded list"), (.contentNotification, "notification"),
        (.contentCustom, "custom message"), (.contentLiveActivity, "Live Activity"), (.contentVoIP, "VoIP push"),
        (.contentBadgeArithmetic, "add to a badge"), (.createSchedule, "schedule a message"),
        (.scheduleOnce, "at one moment"), (.scheduleRecurring, "again and again"), (.readSchedule, "read a schedule"),
        (.listSchedules, "list schedules"), (.removeSchedule, "end a schedule"), (.readTags, "read tags"),
        (.testTag, "ask for one tag"), (.addTags, "add tags"), (.removeTags, "remove tags"),
        (.replaceTags, "replace tags"), (.replaceTagsByClearing, "replace tags by clearing and adding"),
        (.clearTags, "clear tags"), (.readAlias, "read an alias"),
        (.setAlias, "set an alias"), (.removeAlias, "remove an alias"),
        (.readAliasDevices, "read the devices of an alias"), (.deleteAlias, "take an alias off all devices"),
        (.readAccounts, "read the accounts of a device"), (.readAccountDevices, "read the devices of an account"),
        (.addAccounts, "bind accounts"), (.removeAccounts, "unbind accounts"), (.replaceAccounts, "replace accounts"),
        (.clearAccounts, "unbind all accounts"), (.readAttributes, "read attributes"),
        (.addAttributes, "set attributes"), (.removeAttributes, "remove attributes"),
        (.replaceAttributes, "replace attributes"), (.clearAttributes, "clear attributes"),
        (.readPhone, "read a phone number"),
        (.setPhone, "set a phone number"), (.removePhone, "remove a phone number"),
        (.readDeliveries, "delivery counts"), (.probeCredentials, "check credentials"),
    ]

    private static let limits: [(limit: Limit, label: String)] = [
        (.devicesPerSend, "devices in a request"), (.aliasesPerSend, "aliases in a request"),
        (.accountsPerSend, "accounts in a request"), (.accountTypesPerSend, "types of accounts in a request"),
        (.tagsPerSend, "tags in a set of an audience"), (.tagLength, "a tag"), (.aliasLength, "an alias"),
        (.accountLength, "an account"), (.accountsPerType, "accounts of a type on a device"),
        (.devicesPerAccount, "devices of an account"), (.attributeName, "an attribute's name"),
        (.attributeValue, "an attribute's value"), (.attributesPerDevice, "attributes of a device"),
        (.deviceIDLength, "a device id"), (.tagsPerCall, "tags in a change"),
        (.tagBytesPerCall, "tags in a change, together"),
        (.tagsPerDevice, "tags of a device"), (.devicesPerAlias, "devices of an alias"),
        (.messagesPerReport, "messages in a report"), (.timeToLive, "life of a message"),
        (.keysPerMint, "keys in a request"), (.idempotencyKey, "a key that you make"), (.phoneLength, "a phone number"),
        (.scheduleName, "a schedule's name"),
        (.scheduleHorizon, "a schedule, ahead"), (.schedules, "schedules of an app"),
    ]

    static func rows(_ columns: [Capabilities]) -> [[String]] {
        features.map { row in [row.label] + columns.map { support($0[row.feature]) } }
            + limits.filter { row in columns.contains { $0.limits[row.limit] != nil } }.map { row in
                [row.label] + columns.map { $0.limits[row.limit].map(value) ?? "not stated" }
            }
            + [["an alias is for"] + columns.map(sharing), ["a key that you make is remembered"] + columns.map(memory)]
    }

    /// Every limit of one vendor, its own ones too, then its quotas.
    static func limits(_ capabilities: Capabilities) -> [[String]] {
        let labels = Dictionary(uniqueKeysWithValues: limits.map { ($0.limit, $0.label) })
        let bounds = capabilities.limits.all.map { limit, bound in
            let letters = capabilities.limits[alphabet: limit].map { "; \($0.summary)" } ?? ""
            return [labels[limit] ?? limit.rawValue, value(bound) + letters, fate(bound.overflow), bound.source]
        }
        let quotas = capabilities.quotas.sorted { $0.key < $1.key }.map { bucket, quota in
            [
                "calls: \(bucket)", "\(quota.limit) in \(quota.window.components.seconds) s", "waited for",
                quota.source,
            ]
        }
        let late = "carried out later than answered; how long is assumed"
        let waits =
            capabilities.pace.map { ("\($0.key) of one subject", $0.value, "a pace of the vendor") }
            + capabilities.settling.map { ("after \($0.key)", $0.value, late) }
        let rows = waits.sorted { $0.0 < $1.0 }.map { name, time, source in
            [name, "\(time.seconds) s", "waited for", source]
        }
        let keys = capabilities.callerKeys.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, memory in
            [
                "a key of yours for a \(kind.rawValue)", "\(memory.duration.components.seconds) s", "forgotten",
                memory.source,
            ]
        }
        return bounds + quotas + rows + keys
    }

    static func json(_ name: String, _ capabilities: Capabilities) -> JSONValue {
        let support = capabilities.support.map { ($0.key.rawValue, JSONValue.string(self.support($0.value))) }
        let limits = capabilities.limits.all.map { limit, bound -> (String, JSONValue) in
            (
                limit.rawValue,
                [
                    "maximum": JSONValue(integerLiteral: bound.maximum), "unit": .string(bound.unit.rawValue),
                    "overflow": .string(bound.overflow.rawValue), "source": .string(bound.source),
                ]
            )
        }
        let keys = capabilities.callerKeys.map { kind, memory -> (String, JSONValue) in
            (kind.rawValue, JSONValue(integerLiteral: Int(memory.duration.components.seconds)))
        }
        return [
            "callerKeySeconds": .object(Dictionary(keys, uniquingKeysWith: { $1 })),
            "vendor": .string(name), "features": .object(Dictionary(support, uniquingKeysWith: { $1 })),
            "limits": .object(Dictionary(limits, uniquingKeysWith: { $1 })),
        ]
    }

    private static func support(_ support: Support) -> String {
        switch support {
        case .native: "yes"
        case .emulated(let recipe):
            "emulated: \(recipe.requests) requests or more" + (recipe.isAtomic ? "" : ", not atomic")
                + (recipe.fidelity == .lossy ? ", lossy" : "")
        case .unsupported: "no"
        }
    }

    private static func value(_ bound: Bound) -> String {
        switch bound.unit {
        case .count: "\(bound.maximum)"
        case .utf8Bytes: "\(bound.maximum) bytes"
        case .characters: "\(bound.maximum) characters"
        case .seconds where bound.maximum == 86_400: "a day"
        case .seconds: bound.maximum % 86_400 == 0 ? "\(bound.maximum / 86_400) days" : "\(bound.maximum) s"
        }
    }

    private static func fate(_ overflow: Bound.Overflow) -> String {
        switch overflow {
        case .split: "several requests"
        case .reject: "refused"
        case .leaveToVendor: "left to the vendor"
        }
    }

    private static func memory(_ capabilities: Capabilities) -> String {
        let kinds = capabilities.callerKeys.sorted { $0.key.rawValue < $1.key.rawValue }
        guard !kinds.isEmpty else { return "no" }
        return kinds.map { "\($0.key.rawValue): \($0.value.duration.components.seconds) s" }.joined(separator: ", ")
    }

    private static func sharing(_ capabilities: Capabilities) -> String {
        switch capabilities.aliasSharing {
        case .one: "one device"
        case .several: "several devices"
        case .unstated: "not stated"
        }
    }
}
