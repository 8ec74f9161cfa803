import PushCore

/// Checks inputs against a provider's limits before an adapter sees them.
struct Validation: Sendable {
    let provider: ProviderID
    let limits: Limits

    /// No vendor's identifiers come near this length; it keeps nonsense out of addresses and bodies.
    private static let longestIdentifier = 1024

    // MARK: Identifiers

    func check(_ device: DeviceID) throws(PushError) {
        try check(device.rawValue, "a device id", .deviceIDLength)
    }

    func check(_ alias: Alias) throws(PushError) {
        try check(alias.rawValue, "an alias", .aliasLength)
    }

    func check(_ account: Account) throws(PushError) {
        try check(account.name, "an account", "account.length")
    }

    func check(_ tag: Tag) throws(PushError) {
        try check(tag.rawValue, "a tag", .tagLength)
    }

    func check(_ tags: Set<Tag>) throws(PushError) {
        // Sorted, so that the first complaint is the same on every run.
        for tag in tags.sorted() { try check(tag) }
    }

    private func check(_ text: String, _ name: String, _ limit: Limit) throws(PushError) {
        guard !text.isEmpty else { throw PushError(.invalidArgument, "\(name) is empty") }
        guard text.utf8.count <= Self.longestIdentifier else {
            throw PushError(
                .tooLong, "\(name) has \(text.utf8.count) bytes, more than any vendor takes; use a shorter one")
        }
        if let bound = limits[limit], bound.overflow == .reject {
            let count = length(of: text, in: bound.unit)
            guard count <= bound.maximum else {
                throw PushError(
                    .tooLong,
                    "\(name) has \(count) \(bound.unit.plural), \(provider) takes \(bound.maximum) (\(bound.source))")
            }
        }
        let refused = limits[alphabet: limit].flatMap { $0.firstRefused(in: text) } ?? control(in: text)
        if let refused {
            let allowed = limits[alphabet: limit].map { "; \(provider) allows \($0.summary)" } ?? ""
            throw PushError(
                .invalidArgument,
                "\(name) contains the character U+\(String(refused.value, radix: 16, uppercase: true))\(allowed)")
        }
    }

    private func control(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first { $0.value <= 0x20 || $0.value == 0x7F }
    }

    private func length(of text: String, in unit: Bound.Unit) -> Int {
        unit == .characters ? text.unicodeScalars.count : text.utf8.count
    }

    // MARK: Messages and audiences

    func check(_ message: Message) throws(PushError) {
        guard !message.features.isEmpty else {
            throw PushError(
                .invalidArgument, "the message is empty; give it a notification, a custom message or another content")
        }
        if message.platforms?.isEmpty == true {
            throw PushError(.invalidArgument, "the message names no platform; leave platforms out for all")
        }
        if let life = message.timeToLive {
            guard life >= .zero, life == .seconds(life.components.seconds) else {
                throw PushError(.invalidArgument, "timeToLive is \(life); give whole seconds, 0 or more")
            }
            try check(Int(life.components.seconds), "timeToLive", .timeToLive)
        }
    }

    /// Checks everything but the elements of a list of targets, which the send plan checks one by one.
    func check(_ audience: Audience) throws(PushError) {
        switch audience {
        case .everyone: return
        case .devices(let ids) where !ids.isEmpty: return
        case .aliases(let aliases) where !aliases.isEmpty: return
        case .accounts(let accounts) where !accounts.isEmpty: return
        case .devices, .aliases, .accounts:
            throw PushError(.invalidArgument, "the list of targets is empty")
        case .tagged(let anyOf, let allOf, let noneOf):
            guard !(anyOf.isEmpty && allOf.isEmpty && noneOf.isEmpty) else {
                throw PushError(.invalidArgument, "the audience names no tag; use everyone to mean all devices")
            }
            for tags in [anyOf, allOf, noneOf] {
                try check(tags.count, "a set of tags in the audience", .tagsPerSend)
                try check(tags)
            }
        case .segment(let id), .liveActivity(let id), .file(let id):
            try check(id, "the id in the audience", "audience.id")
        }
    }

    func check(_ count: Int, _ name: String, _ limit: Limit) throws(PushError) {
        guard let bound = limits[limit], bound.overflow == .reject, count > bound.maximum else { return }
        throw PushError(
            .limitExceeded,
            "\(name): \(count) is over the \(bound.maximum) \(bound.unit.plural) that \(provider) takes (\(bound.source))"
        )
    }
}

extension Bound.Unit {
    var plural: String {
        switch self {
        case .count: "items"
        case .utf8Bytes: "bytes"
        case .characters: "characters"
        case .seconds: "seconds"
        }
    }
}

extension PushClient {
    var validation: Validation { Validation(provider: provider.id, limits: capabilities.limits) }

    /// Refuses a message and an audience that this client cannot send, before anything is.
    func check(_ message: Message, to audience: Audience) throws(PushError) {
        try validation.check(audience)
        try check(message, and: audience.features)
    }

    func check(_ message: Message, and audience: [Feature]) throws(PushError) {
        try validation.check(message)
        for feature in message.features + audience { try require(feature) }
    }
}
