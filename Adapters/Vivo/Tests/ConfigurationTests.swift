import PushAdapter
import PushVivo
import PushWebhooks
import TestSupport
import Testing

@Suite("vivo settings")
struct ConfigurationTests {
    private static let needed: [String: ProviderSettings.Value] = [
        "appId": .text("10004"), "appKey": .text(Shop.key), "appSecret": .secret(Secret(Shop.secret)),
    ]

    private func vivo(_ values: [String: ProviderSettings.Value] = [:]) throws -> Vivo {
        try Vivo(ProviderSettings(Self.needed.merging(values) { $1 }), dataCenter: Vivo.dataCenters.standard)
    }

    @Test("the defaults are those of the documents")
    func defaults() throws {
        let vivo = try vivo()
        #expect(vivo.appID == 10004 && vivo.appKey == Shop.key && vivo.dataCenter.name == "china")
        #expect(vivo.callback == nil && vivo.textMeasure == .units && !vivo.isTest && vivo.memberType == 1)
        #expect(vivo.capabilities.quotas["vivo.requests"]?.limit == 3000)
        #expect(vivo.capabilities.callerKeys[.push]?.duration == .seconds(3600))
        #expect(vivo.capabilities[.addMembers] == .native && vivo.capabilities[.readTags] != .native)
    }

    @Test("each setting has its effect")
    func effects() throws {
        let vivo = try vivo([
            "defaultTitle": .text("商城"), "callback": .secret(Secret("https://shop.example/r")),
            "callbackParameter": .secret(Secret("p")), "textMeasure": .text("characters"), "isTest": .flag(true),
            "requestsPerSecond": .integer(5000), "dayOffsetHours": .number(0),
            "keyMemoryMinutes": .integer(5), "memberType": .integer(2),
        ])
        #expect(vivo.defaultTitle == "商城" && vivo.textMeasure == .characters && vivo.isTest && vivo.memberType == 2)
        #expect(vivo.callback?.address.secrets == [Secret("https://shop.example/r"), Secret("p")])
        #expect(vivo.capabilities.quotas["vivo.requests"]?.limit == 5000)
        #expect(vivo.capabilities.quotas["vivo.system"]?.window == .day(CalendarDay(utcOffset: .zero)))
        #expect(vivo.capabilities.callerKeys[.push]?.duration == .seconds(300))
        let exchange = try vivo.send(Shop.message(), to: Shop.device)
        #expect(Shop.fields(exchange.request)?["pushMode"] == 1)
        let live = try vivo.send(Shop.message(options: ["pushMode": 0]), to: Shop.device)
        #expect(Shop.fields(live.request)?["pushMode"] == 0)
    }

    @Test(
        "a setting that cannot be used is refused",
        arguments: [
            ["appId": .text("shop")], ["appId": .text("0")], ["appKey": .text("")], ["appSecret": .secret(Secret(""))],
            ["callbackParameter": .secret(Secret("p"))], ["callback": .secret(Secret("shop.example"))],
            ["callback": .secret(Secret("https://shop.example/" + String(repeating: "a", count: 108)))],
            ["callback": .secret(Secret("https://shop.example/a b"))],
            ["callback": .secret(Secret("https://shop.example")), "callbackParameter": .secret(Secret("a b"))],
        ] as [[String: ProviderSettings.Value]])
    func refused(values: [String: ProviderSettings.Value]) throws {
        expectThrows(.error(.misconfigured)) { try vivo(values) }
    }
}
