import PushAdapter
import PushAdvisor
import Testing

/// Populations in words.
@Suite("Populations")
struct PopulationTests {
    private static let vendors: [VendorProfile] = {
        let centers = DataCenterCatalog(DataCenter("one", services: [:]), and: [])
        let capabilities = Capabilities(support: [:], platforms: [.ios, .android, .harmony])
            .passingClasses(to: [], reaching: [.huawei, .harmony])
        return [VendorProfile("pigeon", capabilities: capabilities, dataCenters: centers)]
    }()

    @Test("a part is a platform or a maker, with its share or without")
    func parts() throws {
        let parts = try Population(["huawei=70", "ios", "harmony=30"], reachedBy: Self.vendors).parts
        #expect(parts.map(\.platform) == ["huawei", .ios, .harmony])
        #expect(parts.map(\.share) == [70, nil, 30])
        #expect(parts.map(\.maker) == [.huawei, nil, .harmony])
    }

    @Test("a word for Android means phones of makers too, and one for HarmonyOS does not mean Android")
    func words() throws {
        let parts = try Population(["huawei", "harmony", "android", "ios"], reachedBy: Self.vendors).parts
        #expect(parts.map { $0.isMeant(by: .android) } == [true, false, true, false])
        #expect(parts.map { $0.isMeant(by: .harmony) } == [false, true, false, false])
        #expect(parts.map { $0.isMeant(by: "huawei") } == [true, false, false, false])
    }

    @Test(
        "bad input is refused, with what is known",
        arguments: [
            (["windows"], "known are android, harmony, huawei, ios"), (["oppo"], "known are"), ([""], "known are"),
            (["=5"], "known are"), (["Huawei"], "known are"), (["huawei="], "from 1 to 100"),
            (["huawei=0"], "from 1 to 100"), (["huawei=101"], "from 1 to 100"), (["huawei=7.5"], "from 1 to 100"),
            (["huawei=1=2"], "from 1 to 100"), (["huawei=many"], "from 1 to 100"),
            (["ios", "huawei", "ios=5"], "named twice"), (["ios=60", "huawei=41"], "101 %"),
        ])
    func refusals(texts: [String], part: String) throws {
        let error = try #require(throws: PushError.self) { try Population(texts, reachedBy: Self.vendors) }
        #expect(error.kind == .invalidArgument && error.message.contains(part), "\(error)")
    }

    @Test("shares of 100 percent together are taken")
    func whole() throws {
        #expect(try Population(["ios=60", "huawei=40"], reachedBy: Self.vendors).parts.count == 2)
    }
}
