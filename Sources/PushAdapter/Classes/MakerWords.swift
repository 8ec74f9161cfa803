/// The words of phone makers for the class of one message: shared by the adapters of makers and of vendors that pass
/// messages on to makers.
///
/// A word comes from the app's settings, or else from the table of the model's categories.
public struct MakerWords: Sendable {
    /// The class of the message, or the app's default class.
    public let messageClass: MessageClass
    /// The makers that the message may reach.
    public let makers: [ProviderID]
    private let settings: ClassSettings

    /// The words for a message, at the makers that the capabilities list. Nil for a message without a class, without a
    /// notification, or only for platforms of other makers.
    ///
    /// Refuses with `misconfigured` a category of service that is missing from those that a maker has approved.
    public init?(_ message: Message, _ capabilities: Capabilities) throws(PushError) {
        settings = capabilities.classes
        guard message.notification != nil, let messageClass = message.messageClass ?? settings.defaultClass else {
            return nil
        }
        self.messageClass = messageClass
        makers = capabilities.classMakers.sorted().filter { message.platforms?.contains($0.platform) ?? true }
        guard !makers.isEmpty else { return nil }
        guard messageClass.intent == .service, messageClass.category != .service else { return }
        for maker in makers where settings.approved[maker]?.contains(messageClass.category) == false {
            throw PushError(
                .misconfigured,
                "\(maker) has not approved the category \(Redaction.quoted(messageClass.category.rawValue)) and would "
                    + "count the message as marketing; add it to approvedCategories once it has, or send another class")
        }
    }

    /// Whether the user waits for the message.
    public var isService: Bool { messageClass.intent == .service }

    /// The maker's word for the category; nil if it has none, and for a maker that the message does not reach.
    public func word(at maker: ProviderID) -> String? {
        guard makers.contains(maker) else { return nil }
        return channel(at: maker) ?? Self.table[maker]?[messageClass.category]
    }

    /// The word or the channel that the app's settings name for the category, or for its whole intent; nil if they name
    /// none.
    public func channel(at maker: ProviderID) -> String? {
        guard makers.contains(maker), let words = settings.words[maker] else { return nil }
        return words[messageClass.category] ?? words[messageClass.intent.general]
    }
}

extension MakerWords {
    /// Remarks for a dry run, on makers that get no word for the class of a message. Empty if the message is refused.
    /// - Parameters:
    ///   - message: the message that would be sent.
    ///   - capabilities: those of the adapter.
    ///   - channels: makers whose field takes a channel from the settings, and no word of the table.
    public static func remarks(
        on message: Message, _ capabilities: Capabilities, channels: Set<ProviderID> = []
    ) -> [String] {
        guard let words = try? MakerWords(message, capabilities) else { return [] }
        return words.makers.compactMap { maker in
            let known = channels.contains(maker) ? words.channel(at: maker) : words.word(at: maker)
            guard known == nil else { return nil }
            let category = words.messageClass.category
            let advice = category == words.messageClass.intent.general ? "name a category, or set" : "set"
            return
                "\(maker) gets no word for the category \(category)\(consequences[maker].map { " and " + $0 } ?? ""); "
                + "\(advice) \(maker).\(category)=WORD in categoryWords"
        }
    }

    /// The consequence of a missing word at each maker.
    private static let consequences: [ProviderID: String] = [
        .huawei: "counts the message as marketing", .harmony: "demands one",
        .honor: "counts the message as marketing", .oppo: "may count the message as marketing",
        .vivo: "sorts the message by its content",
        .xiaomi: "refuses the message or counts it in its default channel, which shows one a day on a device",
    ]
}
