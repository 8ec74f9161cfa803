import PushAdapter
import PushOPPO
import PushWebhooks
import Testing

@Suite("OPPO settings")
struct ConfigurationTests {
    private static let needed: [String: ProviderSettings.Value] = [
        "appKey": .text("8899aa77bb"), "masterSecret": .secret(Secret("5566dd")),
    ]

    private func oppo(_ values: [String: ProviderSettings.Value] = [:]) throws -> OPPO {
        try OPPO(ProviderSettings(Self.needed.merging(values) { $1 }), dataCenter: OPPO.dataCenters.standard)
    }

    @Test("the defaults are those of the documents")
    func defaults() throws {
        let oppo = try oppo()
        #expect(oppo.dataCenter.name == "china" && oppo.region == .china && oppo.callback == nil)
        #expect(!oppo.trustsDuplicates && !oppo.writesTemplateObjects && oppo.defaultTitle == nil)
        #expect(oppo.capabilities.quotas["oppo.targets"]?.limit == 5000)
        #expect(oppo.capabilities.callerKeys[.push]?.duration == .seconds(3600))
    }

    @Test("each setting has its effect")
    func effects() throws {
        let oppo = try oppo([
            "defaultTitle": .text("Shop"), "callback": .secret(Secret("https://shop.example/r")),
            "callbackParameter": .secret(Secret("p")), "targetsPerSecond": .integer(30_000),
            "keyMemoryMinutes": .integer(5), "dayOffsetHours": .number(0), "trustsDuplicates": .flag(true),
            "templateValues": .text("object"),
        ])
        #expect(oppo.defaultTitle == "Shop" && oppo.trustsDuplicates && oppo.writesTemplateObjects)
        #expect(oppo.callback?.address.secrets == [Secret("https://shop.example/r"), Secret("p")])
        #expect(oppo.capabilities.quotas["oppo.targets"]?.limit == 30_000)
        #expect(oppo.capabilities.quotas["oppo.marketing"]?.window == .day(CalendarDay(utcOffset: .zero)))
        #expect(oppo.capabilities.callerKeys[.push]?.duration == .seconds(300))
    }

    @Test("a data center that is moved to another origin keeps its region")
    func moved() throws {
        for center in OPPO.dataCenters.all {
            let moved = center.moved(to: "https://localhost:8443")
            let oppo = try OPPO(appKey: "a", masterSecret: Secret("s"), dataCenter: moved)
            #expect(oppo.region.rawValue == center.name)
            #expect(moved.services["push"] == "https://localhost:8443/server/v1")
        }
    }

    @Test(
        "a setting that cannot be used is refused",
        arguments: [
            ["appKey": .text("")], ["appKey": .text("a b")], ["masterSecret": .secret(Secret(""))],
            ["callbackParameter": .secret(Secret("p"))], ["callback": .secret(Secret("shop.example"))],
            ["callback": .secret(Secret("https://" + String(repeating: "a", count: 193)))],
            ["callback": .secret(Secret("https://shop.example")), "callbackParameter": .secret(Secret("a b"))],
            [
                "callback": .secret(Secret("https://shop.example")),
                "callbackParameter": .secret(Secret(String(repeating: "a", count: 51))),
            ],
        ] as [[String: ProviderSettings.Value]])
    func refused(values: [String: ProviderSettings.Value]) throws {
        let error = #expect(throws: PushError.self) { try oppo(values) }
        #expect(error?.kind == .misconfigured)
        let texts = ["5566dd", "shop.example", "aaaaa"]
        #expect(texts.allSatisfy { error?.message.contains($0) == false })
    }
}
