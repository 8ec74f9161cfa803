import FoundationEssentials
package import PushAdapter
import PushClient

/// Tags and aliases within a vendor's allowed characters and lengths.
extension World {
    /// `count` different tags that the vendor accepts, in order.
    package func tags(_ count: Int) -> [Tag] {
        let stem = ["tag", "t", "T", "a"].first { (try? check(Tag($0 + "1"))) != nil } ?? ""
        return (1...max(1, count)).map { Tag("\(stem)\($0)") }
    }

    /// The number of tags that a check wants, or the maximum per device if that is smaller.
    func tagCount(_ wanted: Int) -> Int { min(wanted, client.capabilities.limits[.tagsPerDevice]?.maximum ?? .max) }

    func check(_ tag: Tag) throws(PushError) { try client.capabilities.limits.check(.tags([tag]), of: provider.id) }
    func check(_ alias: Alias) throws(PushError) {
        try client.capabilities.limits.check(.aliases([alias]), of: provider.id)
    }

    /// A text that fills a limit exactly, from the widest allowed characters.
    ///
    /// Starts with narrow characters if needed, so that the last wide character ends exactly at the limit.
    func text(
        filling bound: Limit, characters: AllowedCharacters?, from wide: [Unicode.Scalar] = World.scalars
    ) throws -> String {
        let printable = (0x21...0x7E).compactMap(Unicode.Scalar.init)
        let allowed = (wide + printable).filter { characters?.firstRefused(in: String($0)) == nil }
        guard let widest = allowed.first, let narrow = allowed.last else {
            throw ConformanceFailure(
                expected: "a printable character that is allowed", actual: "none", hint: "\(characters?.summary ?? "")")
        }
        var text = ""
        func size(_ scalar: Unicode.Scalar) -> Int {
            switch bound.unit {
            case .characters: 1
            case .encodedBytes: PercentEncoding.encode(String(scalar)).utf8.count
            default: String(scalar).utf8.count
            }
        }
        var rest = bound.maximum
        while rest % size(widest) != 0, rest >= size(narrow) {
            text.unicodeScalars.append(narrow)
            rest -= size(narrow)
        }
        while rest >= size(widest) {
            text.unicodeScalars.append(widest)
            rest -= size(widest)
        }
        return text
    }

    /// Characters of four, three, two and one bytes.
    static let scalars: [Unicode.Scalar] = ["\u{20000}", "\u{4E2D}", "\u{E9}", "a"]

    // MARK: Messages and audiences

    /// The plainest message that the vendor can carry.
    var message: Message {
        let contents: [Feature] = [.contentNotification, .contentCustom, .contentLiveActivity, .contentVoIP]
        return message(for: contents.first(where: has) ?? .contentNotification)
    }

    func message(for content: Feature) -> Message {
        if let sample = harness.samples.messages[content] { return sample }
        return switch content {
        case .contentCustom: Message(custom: CustomMessage(content: "data"))
        case .contentLiveActivity: Message(liveActivity: ["event": "update", "content-state": ["score": 1]])
        case .contentVoIP: Message(voip: ["caller": "Ann"])
        case .contentBadgeArithmetic:
            Message(notification: Notification(body: "Hello", ios: IOSNotification(badge: .change(by: 1))))
        default: Message(notification: Notification(body: "Hello"))
        }
    }

    /// The plainest audience that the vendor accepts. A list of devices comes first: it reaches only known devices.
    var audience: Audience {
        let kinds: [Feature] = [.audienceDevices, .audienceEveryone, .audienceTagsAnyOf, .audienceAliases]
        return audience(for: kinds.first(where: has) ?? .audienceEveryone)
    }

    /// An audience of one kind: the first device, the tag `tags(1)`, the alias ``alias``, or everyone.
    func audience(for kind: Feature) -> Audience {
        if let sample = harness.samples.audiences[kind] { return sample }
        return switch kind {
        case .audienceDevices: .devices([device])
        case .audienceAliases: .aliases([alias])
        case .audienceAccounts: .accounts([accounts[0]])
        case .audienceTagsAnyOf: .tagged(anyOf: Set(tags(1)))
        case .audienceTagsAllOf: .tagged(allOf: Set(tags(1)))
        case .audienceTagsNoneOf: .tagged(noneOf: Set(tags(1)))
        case .audienceSegment: .segment("segment-1")
        case .audienceLiveActivity: .liveActivity("activity-1")
        case .audienceFile: .file("file-1")
        default: .everyone
        }
    }

    /// Three aliases that the vendor accepts.
    var aliases: [Alias] {
        let stem = ["user_", "user", "u", "A", ""].first { (try? check(Alias($0 + "11"))) != nil } ?? "user"
        return (11...13).map { Alias("\(stem)\($0)") }
    }

    /// Three accounts, of three types if the vendor has types.
    package var accounts: [Account] { harness.samples.accounts }

    /// `count` of the attributes that the vendor's app has.
    package func attributes(_ count: Int) -> [String: String] {
        let names = harness.samples.attributeNames.prefix(count)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, "value_of_\($0)") })
    }

    package var alias: Alias { aliases[0] }
    package var otherAlias: Alias { aliases[1] }

    /// A phone number that every vendor accepts.
    package var phone: PhoneNumber { "13800000000" }

    /// A schedule for a full hour tomorrow, so that two calls in a row on a real clock agree.
    func schedule(_ message: Message, _ audience: Audience) -> Schedule {
        let hour = (clock.date.timeIntervalSince1970 / 3600).rounded(.up)
        let tomorrow = Date(timeIntervalSince1970: hour * 3600 + 86_400)
        return Schedule(name: "digest", trigger: .once(tomorrow), message: message, audience: audience)
    }

    // MARK: Using a feature

    /// Uses a feature through the client, as a backend does.
    func use(_ feature: Feature) async throws(PushError) {
        let tags = Set(tags(2))
        switch feature {
        case .send: _ = try await client.send(message, to: audience)
        case .validate: _ = try await client.validate(message, to: audience)
        case .readTags: _ = try await client.readTags(of: device)
        case .testTag: _ = try await client.hasTag(self.tags(1)[0], device: device)
        case .addTags: _ = try await client.updateTags(.add(tags), of: device)
        case .removeTags: _ = try await client.updateTags(.remove(tags), of: device)
        case .replaceTags: _ = try await client.updateTags(.replace(tags), of: device)
        case .clearTags: _ = try await client.updateTags(.clear, of: device)
        case .addMembers: _ = try await client.updateMembers(of: self.tags(1)[0], .add([device]))
        case .removeMembers: _ = try await client.updateMembers(of: self.tags(1)[0], .remove([device]))
        case .readAlias: _ = try await client.readAlias(of: device)
        case .setAlias: try await client.setAlias(alias, of: device)
        case .removeAlias: try await client.removeAlias(of: device)
        case .readAliasDevices: _ = try await client.readDevices(of: alias)
        case .deleteAlias: try await client.deleteAlias(alias)
        case .readPhone: _ = try await client.readPhone(of: device)
        case .setPhone: try await client.setPhone(phone, of: device)
        case .removePhone: try await client.removePhone(of: device)
        case .readAccounts: _ = try await client.readAccounts(of: device)
        case .readAccountDevices: _ = try await client.readDevices(of: accounts[0])
        case .addAccounts: _ = try await client.updateAccounts(.add([accounts[0]]), of: device)
        case .removeAccounts: _ = try await client.updateAccounts(.remove([accounts[0]]), of: device)
        case .replaceAccounts: _ = try await client.updateAccounts(.replace([accounts[0]]), of: device)
        case .clearAccounts: _ = try await client.updateAccounts(.clear, of: device)
        case .readAttributes: _ = try await client.readAttributes(of: device)
        case .addAttributes: _ = try await client.updateAttributes(.add(attributes(1)), of: device)
        case .removeAttributes: _ = try await client.updateAttributes(.remove(Set(attributes(1).keys)), of: device)
        case .replaceAttributes: _ = try await client.updateAttributes(.replace(attributes(1)), of: device)
        case .clearAttributes: _ = try await client.updateAttributes(.clear, of: device)
        case .createSchedule: _ = try await client.createSchedule(schedule(message, audience))
        case .readSchedule: _ = try await client.readSchedule(harness.samples.unknownSchedule)
        case .listSchedules: _ = try await client.listSchedules()
        case .removeSchedule: try await client.removeSchedule(harness.samples.unknownSchedule)
        case .scheduleRecurring:
            let start = clock.date
            let daily = Recurrence(
                from: start, to: start.addingTimeInterval(10 * 86_400), at: TimeOfDay(hour: 9, minute: 30), .daily)
            var recurring = schedule(message, audience)
            recurring.trigger = .recurring(daily)
            _ = try await client.createSchedule(recurring)
        case .scheduleOnce: _ = try await client.createSchedule(schedule(message, audience))
        case .readDeliveries: _ = try await client.readDeliveries(of: [harness.samples.unknownMessage])
        case _ where feature.rawValue.hasPrefix("audience."):
            _ = try await client.send(message, to: audience(for: feature))
        case _ where feature.rawValue.hasPrefix("content."):
            _ = try await client.send(message(for: feature), to: audience)
        default:
            guard let sample = try sample(of: feature) else {
                let nothing = Exchange(
                    feature, WireRequest(.get, "nowhere"), idempotency: .idempotent
                ) { (_) throws(PushError) in }
                return try await client.run(nothing)
            }
            try await client.run(sample.exchange)
        }
    }
}

/// Texts that adapters get wrong.
enum Corpus {
    /// Texts that a person reads.
    static let messages: [(name: String, text: String)] = [
        ("emoji", "👩‍👩‍👧‍👦 🎉 ✌🏽"), ("rightToLeft", "שלום مرحبا \u{202E}abc"), ("quotes", #""'`\ \" \\u0041 /"#),
        ("controls", "a\tb\nc\u{1}\u{7F}"), ("separators", "\u{2028}\u{2029}\u{FEFF}"),
        ("combining", "e\u{301} \u{E9}"),
        ("markup", "<b>&amp;%20+?#{}[]"), ("han", "中文𠀀字符"),
    ]

    /// Names, which never contain blanks or control characters.
    static let names: [(name: String, text: String)] = [
        ("emoji", "🎉✌🏽"), ("rightToLeft", "שלום"), ("quotes", #""'\"#), ("combining", "e\u{301}\u{E9}"),
        ("markup", "<&%2F+?#/.."), ("han", "中文𠀀"), ("punctuation", "@!#$&*+=.|"),
    ]
}
