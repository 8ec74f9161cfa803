import PushAdapter
import PushWebhooks
import PushXiaomi
import TestSupport
import Testing

@Suite("Xiaomi settings")
struct ConfigurationTests {
    private static let needed: [String: ProviderSettings.Value] = [
        "packageName": .text("com.example.shop"), "appSecret": .secret(Secret("s3cret")),
    ]

    private func xiaomi(_ values: [String: ProviderSettings.Value] = [:]) throws -> Xiaomi {
        try Xiaomi(
            ProviderSettings(Self.needed.merging(values) { $1 }), dataCenter: Xiaomi.dataCenters.standard)
    }

    @Test("the defaults are those of the documents")
    func defaults() throws {
        let xiaomi = try xiaomi()
        #expect(xiaomi.dataCenter.name == "china" && xiaomi.callback == nil && !xiaomi.sendsPassThrough)
        #expect(xiaomi.capabilities.quotas["xiaomi.requests"]?.limit == 500)
        #expect(xiaomi.capabilities.callerKeys[.push]?.duration == .seconds(3600))
        #expect(xiaomi.capabilities[.contentCustom] != .native && xiaomi.capabilities[.removeSchedule] == .native)
    }

    @Test("each setting has its effect")
    func effects() throws {
        let xiaomi = try xiaomi([
            "defaultTitle": .text("Shop"), "callback": .secret(Secret("https://shop.example/r")),
            "callbackParameter": .secret(Secret("p")), "callbackKinds": .integer(1267),
            "requestsPerSecond": .integer(3000), "keyMemoryMinutes": .integer(5), "dayOffsetHours": .number(0),
            "sendsPassThrough": .flag(true),
        ])
        #expect(xiaomi.defaultTitle == "Shop" && xiaomi.capabilities[.contentCustom] == .native)
        #expect(xiaomi.callback?.address.url == Secret("https://shop.example/r") && xiaomi.callback?.kinds == 1267)
        #expect(xiaomi.callback?.address.parameter == Secret("p"))
        #expect(xiaomi.capabilities.quotas["xiaomi.requests"]?.limit == 3000)
        #expect(xiaomi.capabilities.quotas["xiaomi.service"]?.window == .day(CalendarDay(utcOffset: .zero)))
        #expect(xiaomi.capabilities.callerKeys[.push]?.duration == .seconds(300))
    }

    @Test(
        "a setting that cannot be used is refused",
        arguments: [
            ["packageName": .text("shop")], ["packageName": .text("com.example/../shop")],
            ["appSecret": .secret(Secret(""))], ["appSecret": .secret(Secret("a\r\nb"))],
            ["callbackKinds": .integer(243)], ["callbackParameter": .secret(Secret("p"))],
            ["callback": .secret(Secret("shop.example"))],
            ["callback": .secret(Secret("https://shop.example")), "callbackKinds": .integer(246)],
            ["callback": .secret(Secret("https://shop.example")), "callbackParameter": .secret(Secret("a b"))],
        ] as [[String: ProviderSettings.Value]])
    func refused(values: [String: ProviderSettings.Value]) throws {
        expectThrows(.error(.misconfigured)) { try xiaomi(values) }
    }
}
