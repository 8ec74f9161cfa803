extension ClassQuota {
    /// The daily quotas of phone makers, by the days of UTC+8, for adapters of makers and of vendors that pass messages
    /// on to them.
    public static func of(_ makers: Set<ProviderID>) -> [ClassQuota] { table.filter { makers.contains($0.maker) } }

    private static let huawei = "Huawei, classes of messages, 2023-09-15"
    private static let honor = "Honor, from integrators' pages, 2023-02-01"
    private static let xiaomi = "Xiaomi, limits of messages, 2026-02-04"
    private static let oppo = "OPPO, from integrators' pages, 2024-11-20; for the app at least 100,000"
    private static let vivo = "vivo, classes of messages, 2023-04-03"

    private static let table: [ClassQuota] =
        marketing(.huawei, device: 2, news: 5, .targets, huawei) + [
            ClassQuota(.huawei, nil, per: .device, 3000, counting: .targets, .dropped, source: huawei)
        ]
        + marketing(.harmony, device: 2, news: 5, .targets, huawei)
        + marketing(.honor, device: 2, news: 5, .targets, honor)
        + marketing(.xiaomi, device: 5, news: 8, .deliveries, xiaomi)
        + app(.xiaomi, 2, news: 3, .deliveries, xiaomi)
        + marketing(.oppo, device: 2, news: 5, .targets, oppo) + app(.oppo, 2, news: nil, .targets, oppo)
        + marketing(.vivo, device: 2, news: 5, .deliveries, vivo) + app(.vivo, 2, news: 3, .deliveries, vivo) + [
            ClassQuota(.vivo, .service, per: .app, 20, counting: .deliveries, .refused, source: vivo)
        ]

    /// The rows for a device: one for the rest of marketing, and one for news, which needs an app with a license for news.
    private static func marketing(
        _ maker: ProviderID, device: Int, news: Int, _ count: Count, _ source: String
    ) -> [ClassQuota] {
        [
            ClassQuota(maker, .marketing, per: .device, device, counting: count, .dropped, source: source),
            ClassQuota(maker, .marketing, .news, per: .device, news, counting: count, .dropped, source: source),
        ]
    }

    /// The rows for an app, likewise.
    private static func app(
        _ maker: ProviderID, _ number: Int, news: Int?, _ count: Count, _ source: String
    ) -> [ClassQuota] {
        let all = ClassQuota(maker, .marketing, per: .app, number, counting: count, .refused, source: source)
        guard let news else { return [all] }
        return [all, ClassQuota(maker, .marketing, .news, per: .app, news, counting: count, .refused, source: source)]
    }
}
