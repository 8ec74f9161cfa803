public import PushAdapter

extension ServiceName {
    static let engageLab: ServiceName = "push"
}

extension EngageLab {
    /// The six centers. Singapore is first, because newer libraries of the vendor use it by default. Apps are isolated:
    /// a key belongs to one center.
    ///
    /// Source: REST API overview with the host notice of 2025-03-19; Japan and Brazil from the vendor's Go and Python
    /// libraries 0.1.1, 2026-10.
    public static let dataCenters = DataCenterCatalog(
        center("singapore", ["sg", "sgp"], region: "SG", host: "pushapi-sgp.engagelab.com"),
        and: [
            center("virginia", ["va", "usva"], region: "US", host: "pushapi-usva.engagelab.com"),
            center("frankfurt", ["ffm", "defra"], region: "DE", host: "pushapi-defra.engagelab.com"),
            center("hongkong", ["hk", "hong kong", "hong_kong"], region: "HK", host: "pushapi-hk.engagelab.com"),
            center("japan", ["jpn"], region: "JP", host: "pushapi-jpn.engagelab.com"),
            center("brazil", ["bra"], region: "BR", host: "pushapi-bra.engagelab.com"),
        ])

    /// The older hosts of four centers. They still work, although the vendor advises against them. Select one as
    /// `.custom(...)`.
    ///
    /// Source: REST API overview, the copies before and after 2025-03-19.
    public static let legacyDataCenters = DataCenterCatalog(
        center("singapore-legacy", [], region: "SG", host: "push.api.engagelab.cc"),
        and: [
            center("virginia-legacy", [], region: "US", host: "push-usva.api.engagelab.cc"),
            center("frankfurt-legacy", [], region: "DE", host: "push-defra.api.engagelab.cc"),
            center("hongkong-legacy", [], region: "HK", host: "push-hk.api.engagelab.cc"),
        ])

    /// A data center at your own address, such as a simulator at `https://localhost:8443`.
    public static func dataCenter(
        at origin: String, named name: String = "custom", region: String? = nil
    ) -> DataCenter {
        DataCenter(name, region: region, services: [.engageLab: origin + "/v4"])
    }

    private static func center(_ name: String, _ aliases: [String], region: String, host: String) -> DataCenter {
        DataCenter(
            name, aliases: aliases + [host], region: region, services: [.engageLab: "https://\(host)/v4"])
    }
}
