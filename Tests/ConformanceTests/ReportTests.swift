import FCMConformance
import PushAdapter
import PushConformance
import PushSimulation
import Testing

@Suite("Reports of the kit")
struct ReportTests {
    private static let forgetful = Twin(change: { change in
        if case .remove(let tags) = change, tags.count > 2 { .remove(Set(tags.sorted().dropLast())) } else { change }
    })

    @Test(
        "a failing sequence is shrunk to the shortest one",
        arguments: ConformanceCheck.all.filter { $0.group == .model })
    func shrinking(check: ConformanceCheck) async throws {
        let caught = await #expect(throws: ConformanceFailure.self) { try await check.run(on: Self.forgetful) }
        let failure = try #require(caught)
        let steps = failure.actual.split(separator: "after: ").last?.split(separator: ", ").map(String.init) ?? []
        // One tag is set, then three are removed and it is the last of them.
        let first = try #require(steps.first?.split(separator: " "))
        let second = try #require(steps.last?.split(separator: " "))
        #expect(steps.count == 2)
        #expect(first.count == 2 && ["tags.add", "tags.replace"].contains(first[0]))
        #expect(second.count == 4 && second[0] == "tags.remove" && second[3] == first[1])
    }

    @Test("the table counts, names what failed and says why; the JSON says the same")
    func report() async {
        let checks = ConformanceCheck.all.filter {
            [.model, .quota].contains($0.group) || $0.id == "behavior.tags.read"
        }
        let seen = Locked(0)
        let report = await ConformanceReport.run(
            checks, on: Self.forgetful, named: "forgetful", onResult: { _ in seen.withLock { $0 += 1 } })
        #expect(!report.hasPassed && report.failures.count == 4)
        #expect(seen.withLock { $0 } == checks.count)
        #expect(report.table.contains("model         4          0          0          4"))
        #expect(report.table.contains("✗ model.device.1: A random sequence"))
        #expect(report.table.hasSuffix("forgetful, in-process: 4 of 8 checks failed"))
        let rows = report.json["checks"]?.arrayValue ?? []
        #expect(report.json["passed"] == false && rows.count == 8)
        #expect(rows.first { $0["id"] == "model.device.2" }?["hint"]?.stringValue?.contains("seed 2") == true)
        #expect(rows.first { $0["id"] == "behavior.tags.read" }?["body"] == "supported")
    }

    @Test("at the live level only checks that change nothing run")
    func live() async {
        let link = ConformanceLink(.live) { _, body in try await body("https://nowhere.invalid", Nowhere()) }
        let report = await ConformanceReport.run(on: MemoryHarness(), named: "memory", through: link)
        #expect(report.results.filter { !$0.check.isSafeLive }.isEmpty)
        #expect(
            Set(report.failures.map(\.check.id)) == [
                "behavior.validate.live", "behavior.keys.mint", "behavior.probe",
            ])
    }
}

extension ReportTests {
    @Test("at the live level nothing goes to an address that sends, although the vendor checks messages there")
    func neverSends() async throws {
        let harness = FCMHarness()
        let host = SimulatorHost(harness.makeSimulator(devices: (0..<3).map(harness.device)))
        let link = ConformanceLink(.live) { _, body in
            try await body(InProcessTransport.origin, InProcessTransport(host))
        }
        let report = await ConformanceReport.run(on: harness, named: "fcm", through: link)
        #expect(!report.results.isEmpty && !host.journal.entries(path: "/token").isEmpty)
        #expect(host.journal.entries(path: "messages:send").isEmpty)
    }
}

/// A network without hosts.
private struct Nowhere: HTTPTransport {
    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        throw PushError(.transport, "nobody is there")
    }
    func shutdown() async {}
}
