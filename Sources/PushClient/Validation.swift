import PushCore

/// Checks inputs against a provider's limits before an adapter sees them.
struct Validation: Sendable {
    let provider: ProviderID
    let limits: Limits

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
            try limits.check(Int(life.components.seconds), "timeToLive", .timeToLive, of: provider)
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
                try limits.check(tags.count, "a set of tags in the audience", .tagsPerSend, of: provider)
                try limits.check(tags, of: provider)
            }
        case .segment(let id), .liveActivity(let id), .file(let id):
            try limits.check(id, "the id in the audience", "audience.id", of: provider)
        }
    }

    // MARK: Identifiers

    func check(_ device: DeviceID) throws(PushError) { try limits.check(device, of: provider) }
    func check(_ alias: Alias) throws(PushError) { try limits.check(alias, of: provider) }
    func check(_ tag: Tag) throws(PushError) { try limits.check(tag, of: provider) }
    func check(_ tags: Set<Tag>) throws(PushError) { try limits.check(tags, of: provider) }

    func check(_ account: Account) throws(PushError) {
        try limits.check(account.name, "an account", "account.length", of: provider)
    }

    func check(_ count: Int, _ name: String, _ limit: Limit) throws(PushError) {
        try limits.check(count, name, limit, of: provider)
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
