/// Who a message is for.
///
/// `Codable` reads and writes its JSON form, which has one key per case: `"everyone"`, `{"devices": [...]}`,
/// `{"aliases": [...]}`, `{"accounts": [{"name": ..., "type": ...}]}`, `{"tagged": {"anyOf": [...], "allOf": [...],
/// "noneOf": [...]}}`, `{"segment": "id"}`, `{"liveActivity": "id"}`, `{"file": "id"}`.
public enum Audience: Sendable, Hashable {
    /// All devices of the app.
    case everyone
    /// These devices, by the vendor's ids.
    case devices([DeviceID])
    /// All devices that have one of these aliases.
    case aliases([Alias])
    /// All devices on which one of these accounts is logged in.
    case accounts([Account])
    /// Devices with at least one of `anyOf`, all of `allOf` and none of `noneOf`; an empty set sets no condition.
    case tagged(anyOf: Set<Tag> = [], allOf: Set<Tag> = [], noneOf: Set<Tag> = [])
    /// A segment defined in the vendor's console.
    case segment(String)
    /// The devices that follow the Live Activity with this id.
    case liveActivity(String)
    /// A list uploaded to the vendor.
    case file(String)
}

extension Audience {
    /// The features a provider must have for this audience: each case and each set of tags is one.
    public var features: [Feature] {
        switch self {
        case .everyone: [.audienceEveryone]
        case .devices: [.audienceDevices]
        case .aliases: [.audienceAliases]
        case .accounts: [.audienceAccounts]
        case .tagged(let anyOf, let allOf, let noneOf):
            (anyOf.isEmpty ? [] : [.audienceTagsAnyOf]) + (allOf.isEmpty ? [] : [.audienceTagsAllOf])
                + (noneOf.isEmpty ? [] : [.audienceTagsNoneOf])
        case .segment: [.audienceSegment]
        case .liveActivity: [.audienceLiveActivity]
        case .file: [.audienceFile]
        }
    }
}

extension Audience {
    /// An audience of targets of one kind; nil for an empty or mixed list.
    public init?(_ targets: [Target]) {
        // The usual case at a vendor that takes one target per request.
        if targets.count == 1, case .device(let id) = targets[0] {
            self = .devices([id])
            return
        }
        let devices = targets.compactMap { if case .device(let id) = $0 { id } else { nil } }
        let aliases = targets.compactMap { if case .alias(let alias) = $0 { alias } else { nil } }
        let accounts = targets.compactMap { if case .account(let account) = $0 { account } else { nil } }
        switch targets.count {
        case 0: return nil
        case devices.count: self = .devices(devices)
        case aliases.count: self = .aliases(aliases)
        case accounts.count: self = .accounts(accounts)
        default: return nil
        }
    }

    /// The targets of a list; nil for an audience that is not a list.
    public var targets: [Target]? {
        switch self {
        case .devices(let ids): ids.map(Target.device)
        case .aliases(let aliases): aliases.map(Target.alias)
        case .accounts(let accounts): accounts.map(Target.account)
        default: nil
        }
    }
}

extension Audience: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case devices, aliases, accounts, tagged, segment, liveActivity, file
    }

    private struct TagSets: Codable {
        var anyOf: [Tag]?
        var allOf: [Tag]?
        var noneOf: [Tag]?
    }

    public init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            guard word == "everyone" else { throw Audience.unreadable(decoder) }
            self = .everyone
            return
        }
        let container = try decoder.object(of: Key.self)
        guard container.allKeys.count == 1, let key = container.allKeys.first else {
            throw Audience.unreadable(decoder)
        }
        switch key {
        case .devices: self = .devices(try container.decode([DeviceID].self, forKey: key))
        case .aliases: self = .aliases(try container.decode([Alias].self, forKey: key))
        case .accounts: self = .accounts(try container.decode([Account].self, forKey: key))
        case .tagged:
            try StrictKeys.check(try container.superDecoder(forKey: key), ["anyOf", "allOf", "noneOf"])
            let sets = try container.decode(TagSets.self, forKey: key)
            self = .tagged(anyOf: Set(sets.anyOf ?? []), allOf: Set(sets.allOf ?? []), noneOf: Set(sets.noneOf ?? []))
        case .segment: self = .segment(try container.decode(String.self, forKey: key))
        case .liveActivity: self = .liveActivity(try container.decode(String.self, forKey: key))
        case .file: self = .file(try container.decode(String.self, forKey: key))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if case .everyone = self {
            var single = encoder.singleValueContainer()
            return try single.encode("everyone")
        }
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .everyone: break
        case .devices(let ids): try container.encode(ids, forKey: .devices)
        case .aliases(let aliases): try container.encode(aliases, forKey: .aliases)
        case .accounts(let accounts): try container.encode(accounts, forKey: .accounts)
        case .tagged(let anyOf, let allOf, let noneOf):
            func list(_ tags: Set<Tag>) -> [Tag]? { tags.isEmpty ? nil : tags.sorted() }
            try container.encode(
                TagSets(anyOf: list(anyOf), allOf: list(allOf), noneOf: list(noneOf)), forKey: .tagged)
        case .segment(let id): try container.encode(id, forKey: .segment)
        case .liveActivity(let id): try container.encode(id, forKey: .liveActivity)
        case .file(let id): try container.encode(id, forKey: .file)
        }
    }

    private static func unreadable(_ decoder: any Decoder) -> DecodingError {
        let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
        return .dataCorrupted(
            .init(
                codingPath: decoder.codingPath,
                debugDescription: "an audience is \"everyone\" or an object with exactly one of: \(keys)"))
    }
}
