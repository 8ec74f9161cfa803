public import PushCore

extension Service {
    static let engageLab: Service = "push"
}

extension EngageLab {
    /// The six centres: Singapore first, which newer libraries of the vendor take unless told otherwise. Apps are
    /// isolated from each other: a key lives in one.
    ///
    /// Source: REST API overview with the host notice of 2025-03-19; Japan and Brazil from the vendor's Go and Python
    /// libraries 0.1.1, 2026-10.
    public static let dataCenters = DataCenterCatalog(
        centre("singapore", ["sg", "sgp"], region: "SG", host: "pushapi-sgp.engagelab.com"),
        and: [
            centre("virginia", ["va", "usva"], region: "US", host: "pushapi-usva.engagelab.com"),
            centre("frankfurt", ["ffm", "defra"], region: "DE", host: "pushapi-defra.engagelab.com"),
            centre("hongkong", ["hk", "hong kong", "hong_kong"], region: "HK", host: "pushapi-hk.engagelab.com"),
            centre("japan", ["jpn"], region: "JP", host: "pushapi-jpn.engagelab.com"),
            centre("brazil", ["bra"], region: "BR", host: "pushapi-bra.engagelab.com"),
        ])

    /// The older hosts of four of them, which keep working while the vendor advises to leave them; take one as
    /// `.custom(...)`.
    ///
    /// Source: REST API overview, the copies before and after 2025-03-19.
    public static let legacyDataCenters = DataCenterCatalog(
        centre("singapore-legacy", [], region: "SG", host: "push.api.engagelab.cc"),
        and: [
            centre("virginia-legacy", [], region: "US", host: "push-usva.api.engagelab.cc"),
            centre("frankfurt-legacy", [], region: "DE", host: "push-defra.api.engagelab.cc"),
            centre("hongkong-legacy", [], region: "HK", host: "push-hk.api.engagelab.cc"),
        ])

    /// A data centre at an address of your own, for example a simulator at `https://localhost:8443`.
    public static func dataCenter(
        at origin: String, named name: String = "custom", region: String? = nil
    ) -> DataCenter {
        DataCenter(name, region: region, services: [.engageLab: origin + "/v4"])
    }

    private static func centre(_ name: String, _ aliases: [String], region: String, host: String) -> DataCenter {
        DataCenter(
            name, aliases: aliases + [host], region: region, services: [.engageLab: "https://\(host)/v4"])
    }
}
