import PushAdapter
import Testing

@Suite("Data centers")
struct DataCenterTests {
    private static let catalog = DataCenterCatalog(
        DataCenter("Singapore", aliases: ["SG"], region: "SG", services: ["push": "https://sg.example"]),
        and: [
            DataCenter("Frankfurt", aliases: ["DE", "Europe"], region: "DE", services: ["push": "https://de.example"]),
            DataCenter("Nowhere", services: [:]),
        ])

    @Test("a name is found in any case, and by its aliases", arguments: ["frankfurt", "FRANKFURT", "de", "EUROPE"])
    func named(name: String) throws {
        #expect(try Self.catalog.named(name).name == "Frankfurt")
    }

    @Test("an unknown name lists the known ones")
    func unknown() {
        let error = #expect(throws: PushError.self) { try Self.catalog.named("Mars") }
        #expect(error?.kind == .misconfigured)
        #expect(error?.message.contains("Singapore, Frankfurt") == true)
    }

    @Test("the selection follows the standard, a name, addresses of one's own, or the key")
    func selection() async throws {
        let own = DataCenter("own", services: ["push": "https://own.example"])
        let table = DataCenterTable([
            .init(.prefix("a"), "sg", .guessed), .init(.prefix("ab"), "de"), .init(.key("abc"), "Singapore"),
        ])
        func choose(_ selection: DataCenterSelection, _ key: String = "k") async throws(PushError) -> String {
            try await Self.catalog.select(selection, forKey: key).name
        }
        #expect(try await choose(.standard) == "Singapore")
        #expect(try await choose(.named("de")) == "Frankfurt")
        #expect(try await choose(.custom(own)) == "own")
        #expect(try await choose(.derived(table), "abx") == "Frankfurt")
        #expect(try await choose(.derived(table), "abc") == "Singapore")
        #expect(try await table.resolve(key: "ax", in: Self.catalog).grade == .guessed)
        await #expect(throws: PushError.self) { try await choose(.derived(table), "zzz") }
    }

    @Test("the region guard refuses a center outside, and one without a region")
    func regions() async throws {
        for name in ["sg", "Nowhere"] {
            let error = await #expect(throws: PushError.self) {
                try await Self.catalog.select(.named(name), forKey: "k", allowedRegions: ["DE", "FR"])
            }
            #expect(error?.kind == .misconfigured)
            #expect(error?.message.contains("DE, FR") == true)
        }
        #expect(try await Self.catalog.select(.named("de"), forKey: "k", allowedRegions: ["DE"]).name == "Frankfurt")
    }

    @Test("a family without an address is a configuration error")
    func missingService() throws {
        let error = #expect(throws: PushError.self) { try Self.catalog.standard.address(of: "report") }
        #expect(error?.kind == .misconfigured)
    }
}
