import PushAdapter
import PushHonor
import TestSupport
import Testing

@Suite("Honor settings")
struct ConfigurationTests {
    private static let needed: [String: ProviderSettings.Value] = [
        "appID": .text("104200001"), "clientID": .text("c0ffee"), "clientSecret": .secret(Secret("s3cret")),
    ]

    private func honor(_ values: [String: ProviderSettings.Value] = [:]) throws -> Honor {
        try Honor(ProviderSettings(Self.needed.merging(values) { $1 }), dataCenter: Honor.dataCenters.standard)
    }

    @Test("the defaults are those of the sources")
    func defaults() throws {
        let honor = try honor()
        #expect(honor.dataCenter.name == "china" && honor.timestampUnit == .milliseconds)
        #expect(honor.trustsInference && !honor.acceptsDuplicates && !honor.countsDevices)
        #expect(honor.capabilities.quotas["honor.requests"]?.limit == 3000)
        let tests = honor.capabilities.quotas["honor.tests"]
        #expect(tests?.limit == 1000 && tests?.window == .day(.china))
        #expect(honor.capabilities.callerKeys.isEmpty && honor.capabilities[.contentCustom] == .native)
    }

    @Test("each setting has its effect")
    func effects() throws {
        let honor = try honor([
            "defaultTitle": .text("Shop"), "launcherClass": .text("com.shop.Start"), "acceptsDuplicates": .flag(true),
            "trustsInference": .flag(false), "requestsPerSecond": .integer(6000), "countsDevices": .flag(true),
            "dayOffsetHours": .number(0), "timestampInSeconds": .flag(true),
        ])
        #expect(honor.defaultTitle == "Shop" && honor.launcherClass == "com.shop.Start")
        #expect(honor.acceptsDuplicates && !honor.trustsInference && honor.countsDevices)
        #expect(honor.capabilities.quotas["honor.requests"]?.limit == 6000)
        #expect(honor.capabilities.quotas["honor.tests"]?.window == .day(CalendarDay(utcOffset: .zero)))
        #expect(honor.timestampUnit == .seconds)
    }

    @Test(
        "a setting that cannot be used is refused",
        arguments: [
            ["appID": .text("")], ["appID": .text("../1")], ["appID": .text(String(repeating: "1", count: 65))],
            ["clientID": .text("")], ["clientSecret": .secret(Secret(""))],
        ] as [[String: ProviderSettings.Value]])
    func refused(values: [String: ProviderSettings.Value]) throws {
        expectThrows(.error(.misconfigured)) { try honor(values) }
    }

    @Test("the adapter says that it is a draft, names the maker's phones, and has a row for each class that they count")
    func capabilities() throws {
        let capabilities = try honor().capabilities
        #expect(capabilities.isDraft && capabilities.platforms == [.android] && capabilities.classMakers == [.honor])
        #expect(capabilities.classQuotas.map(\.limit) == [2, 5])
    }
}
