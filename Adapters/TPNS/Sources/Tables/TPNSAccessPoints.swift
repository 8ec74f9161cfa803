public import PushAdapter

extension ServiceName {
    static let tpns: ServiceName = "tpns"
}

extension TPNS {
    /// The access points with published hosts. An app's data is at only one of them.
    public static let dataCenters = DataCenterCatalog(
        accessPoint("guangzhou", "ap-guangzhou", region: "CN", host: "api.tpns.tencent.com"),
        and: [
            accessPoint("shanghai", "ap-shanghai", region: "CN", host: "api.tpns.sh.tencent.com"),
            accessPoint("hongkong", "ap-hongkong", region: "HK", host: "api.tpns.hk.tencent.com"),
            accessPoint("singapore", "ap-singapore", region: "SG", host: "api.tpns.sgp.tencent.com"),
        ])

    /// A data center at another origin, such as a simulator at `https://localhost:8443`.
    public static func dataCenter(at origin: String, named name: String = "custom", region: String? = nil) -> DataCenter
    {
        DataCenter(name, region: region, services: [.tpns: origin + "/v3"])
    }

    /// Guesses the access point from the leading digits of an AccessId, as in public apps and the vendor's samples.
    ///
    /// No document states such a rule, so every row is graded `guessed`, and the adapter uses the table only in error
    /// texts. If a guess is good enough for you, load the table as a resolver, `.derived(TPNS.guessedAccessPoints)`.
    /// Otherwise name the access point.
    public static let guessedAccessPoints = DataCenterTable(
        guesses.map { DataCenterTable.Row(.prefix($0.prefix), $0.accessPoint, .guessed) })

    /// Seen in the vendor's signature sample and Flutter demo (1500, 1600), and in public apps that set a domain (1620:
    /// one app, 1680: two apps).
    private static let guesses = [
        (prefix: "1500", accessPoint: "guangzhou"), (prefix: "1600", accessPoint: "guangzhou"),
        (prefix: "1620", accessPoint: "singapore"), (prefix: "1680", accessPoint: "shanghai"),
    ]

    /// Another access point where the app may be, for error texts; nil if there is no guess.
    var otherAccessPoint: String? {
        let digits = String(accessID)
        return Self.guesses.first { digits.hasPrefix($0.prefix) && $0.accessPoint != dataCenter.name }?.accessPoint
    }

    private static func accessPoint(_ name: String, _ alias: String, region: String, host: String) -> DataCenter {
        DataCenter(
            name, aliases: [alias, String(host.dropFirst(4))], region: region, services: [.tpns: "https://\(host)/v3"])
    }
}
