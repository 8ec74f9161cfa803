import PushAdapter
import PushClient
import Testing

@Suite("Data-center probe")
struct ProbeTests {
    private static let catalog = DataCenterCatalog(
        DataCenter("one", services: ["api": "https://one.example"]),
        and: [
            DataCenter("two", services: ["api": "https://two.example"]),
            DataCenter("three", services: ["api": "https://three.example"]),
        ])

    private func probe(_ allowed: [String], _ transport: ScriptedTransport) -> DataCenterProbe {
        DataCenterProbe(allowed: allowed, transport: transport) { (center) throws(PushError) in
            var acme = Acme()
            acme.dataCenter = center
            return acme
        }
    }

    private func answering(_ answers: [String: Result<WireResponse, PushError>]) -> ScriptedTransport {
        ScriptedTransport { request, _ throws(PushError) in
            let host = String(request.url.dropFirst("https://".count).prefix { $0 != "." })
            return try (answers[host] ?? .status(401)).get()
        }
    }

    @Test("the center that accepts the key is found, and asked only once")
    func found() async throws {
        let transport = answering(["two": .ok])
        let probe = probe(["one", "two"], transport)
        let answers = try await withThrowingTaskGroup(of: DataCenterResolution.self) { group in
            for _ in 0..<10 { group.addTask { try await probe.resolve(key: "k", in: Self.catalog) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.dataCenter.name == "two" && $0.grade == .confirmed })
        #expect(transport.requests.count == 2)
    }

    @Test("a center that is not on the list is never asked")
    func allowList() async {
        let transport = answering(["three": .ok])
        let error = await #expect(throws: PushError.self) {
            try await probe(["one", "two"], transport).resolve(key: "k", in: Self.catalog)
        }
        #expect(error?.kind == .misconfigured)
        #expect(error?.message.contains("one, two") == true)
        #expect(transport.requests.allSatisfy { !$0.url.contains("three") })
    }

    @Test("a center that could not be asked is named, because the key may live there")
    func unanswered() async throws {
        let transport = answering(["two": .refusedConnection])
        let probe = probe(["one", "two"], transport)
        let error = await #expect(throws: PushError.self) { try await probe.resolve(key: "k", in: Self.catalog) }
        #expect(error?.kind == .transport)
        #expect(error?.message.contains("two") == true)
        #expect(error?.retry == .backoff)
        // A failure is not cached.
        _ = try? await probe.resolve(key: "k", in: Self.catalog)
        #expect(transport.requests.count == 4)
    }

    @Test("a center that is listed twice is one center")
    func listedTwice() async throws {
        let transport = answering(["two": .ok])
        let answer = try await probe(["two", "TWO"], transport).resolve(key: "k", in: Self.catalog)
        #expect(answer.dataCenter.name == "two")
        #expect(transport.requests.count == 1)
    }

    @Test("a key accepted in several centers, an empty list and an unknown name are configuration errors")
    func ambiguous() async {
        let both = answering(["one": .ok, "two": .ok])
        for (allowed, transport) in [(["one", "two"], both), ([], both), (["mars"], both)] {
            let error = await #expect(throws: PushError.self) {
                try await probe(allowed, transport).resolve(key: "k", in: Self.catalog)
            }
            #expect(error?.kind == .misconfigured)
        }
    }
}
