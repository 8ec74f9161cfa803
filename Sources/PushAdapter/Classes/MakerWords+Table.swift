/// Phone makers, by the names of their adapters.
extension ProviderID {
    /// Huawei's Android phones.
    public static let huawei: ProviderID = "huawei"
    /// Huawei's HarmonyOS.
    public static let harmony: ProviderID = "harmony"
    /// Honor.
    public static let honor: ProviderID = "honor"
    /// Xiaomi.
    public static let xiaomi: ProviderID = "xiaomi"
    /// OPPO.
    public static let oppo: ProviderID = "oppo"
    /// vivo.
    public static let vivo: ProviderID = "vivo"

    /// The platform of a phone maker's devices.
    package var platform: Platform { self == .harmony ? .harmony : .android }
}

extension MakerWords {
    /// The word of each maker for each category of the model that it has a word for.
    ///
    /// A category without a word at a maker stays without one, because makers punish a wrong class: a journey is not a
    /// plan, and a call is not a chat. Xiaomi has no words, only channels of the app. Huawei's PLAY_VOICE is missing,
    /// because a notification cannot have it. Sources: Huawei's page of message classes, 2025; the fields of HarmonyOS'
    /// notifications, 2025; integrators' copies of the pages of Honor, OPPO and vivo, 2024 to 2026.
    static let table: [ProviderID: [MessageClass.Category: String]] = [
        .huawei: huawei, .harmony: huawei.merging([.missedCall: "MISS_CALL"]) { $1 },
        .honor: honor, .oppo: sorted, .vivo: sorted,
    ]

    private static let huawei: [MessageClass.Category: String] = [
        .instantMessage: "IM", .call: "VOIP", .account: "ACCOUNT", .finance: "FINANCE",
        // The page describes it as "order and logistics".
        .order: "EXPRESS",
        .deviceReminder: "DEVICE_REMINDER", .subscription: "SUBSCRIPTION", .work: "WORK", .travel: "TRAVEL",
        .health: "HEALTH", .mail: "MAIL",
        // One kind for all of marketing.
        .marketing: "MARKETING", .news: "MARKETING", .content: "MARKETING", .social: "MARKETING",
        .promotion: "MARKETING",
    ]

    /// OPPO's and vivo's words are the same.
    private static let sorted: [MessageClass.Category: String] = [
        .instantMessage: "IM", .account: "ACCOUNT",
        // Their ACCOUNT is for "account and assets".
        .finance: "ACCOUNT",
        .order: "ORDER", .deviceReminder: "DEVICE_REMINDER", .subscription: "SUBSCRIPTION", .todo: "TODO",
        .marketing: "MARKETING", .news: "NEWS", .content: "CONTENT", .social: "SOCIAL", .promotion: "MARKETING",
    ]

    /// Honor has an importance for each intent, and no categories.
    private static let honor: [MessageClass.Category: String] = {
        let service: [MessageClass.Category] = [
            .service, .instantMessage, .call, .missedCall, .account, .finance, .order, .deviceReminder, .subscription,
            .todo, .work, .travel, .health, .mail, .customerService,
        ]
        let marketing: [MessageClass.Category] = [.marketing, .news, .content, .social, .promotion]
        return Dictionary(
            uniqueKeysWithValues: service.map { ($0, "NORMAL") } + marketing.map { ($0, "LOW") })
    }()
}
