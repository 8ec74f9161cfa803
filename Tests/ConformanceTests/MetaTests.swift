import FoundationEssentials
import PushAdapter
import PushClient
import PushConformance
import Testing

@Suite("Every check can fail")
struct MetaTests {
    @Test("a broken adapter is caught by the check that is for it", arguments: ConformanceCheck.allWithSessions)
    func twin(check: ConformanceCheck) async throws {
        let twins = BrokenTwin.all.filter { $0.isFor(check) }
        try #require(!twins.isEmpty, "a check without a broken adapter does not exist")
        for twin in twins {
            await #expect(throws: ConformanceFailure.self, "\(check.id) does not catch its broken twin") {
                try await check.run(on: twin.other ?? twin.harness, through: twin.link) {
                    twin.layer.map { ConformanceObserver(layers: [$0]) { "" } } ?? .events()
                }
            }
        }
    }

    @Test("every broken adapter is for a check that exists", arguments: BrokenTwin.all.flatMap(\.checks))
    func names(name: String) {
        #expect(
            ConformanceCheck.allWithSessions.contains {
                $0.id == name || (name.hasSuffix(".") && $0.id.hasPrefix(name))
            })
    }

    @Test("the twin that nothing was done to passes", arguments: ConformanceCheck.allWithSessions)
    func unbroken(check: ConformanceCheck) async throws {
        try await check.run(on: Twin())
    }

    @Test("an adapter that refuses without a reason is caught by every check that demands a refusal")
    func reasons() async throws {
        var count = 0
        for check in ConformanceCheck.allWithSessions where !check.needs.isEmpty {
            guard try await check.run(on: Twin.bare(reason: "no")) == .refused else { continue }
            count += 1
            await #expect(throws: ConformanceFailure.self, "\(check.id)") {
                try await check.run(on: Twin.bare(reason: ""))
            }
        }
        #expect(count > 80)
    }

    @Test(
        "a quota that only the request for a token draws from is checked with that request", arguments: [true, false])
    func tokenQuota(isCharged: Bool) async throws {
        let adapter = Twin(
            exchange: { $0.charges = [] },
            roles: { roles in
                let probe = roles.probe
                roles.tokens = TokenMinting(renewalMargin: .seconds(60)) { (_, now) throws(PushError) in
                    let signer = try Twin.base.makeProvider(at: "https://localhost").authorizer
                    guard var request = try probe?() else { throw PushError(.unsupported, "no call to get a token") }
                    request.request.headers = try signer.authorize(request.request, as: .app, with: nil, at: now)
                    request.credential = .none
                    request.charges = isCharged ? [QuotaCharge("calls")] : []
                    let expiry = now.addingTimeInterval(3600)
                    return .fetched(
                        by: request.map { AccessToken(Secret("token"), mintedAt: now, expiresAt: expiry) })
                }
            })
        for check in ConformanceCheck.all
        where ["quota.spent", "quota.throttled", "declaration.quotas"].contains(check.id) {
            if isCharged || check.id == "declaration.quotas" {
                #expect(try await check.run(on: adapter) == .supported)
            } else {
                await #expect(throws: ConformanceFailure.self) { try await check.run(on: adapter) }
            }
        }
    }

    @Test("names and sentences are different and complete")
    func identity() {
        #expect(Set(ConformanceCheck.allWithSessions.map(\.id)).count == ConformanceCheck.allWithSessions.count)
        #expect(
            Set(ConformanceCheck.allWithSessions.map(\.requirement)).count == ConformanceCheck.allWithSessions.count)
        #expect(ConformanceCheck.allWithSessions.allSatisfy { $0.requirement.hasSuffix(".") })
        #expect(Set(ConformanceCheck.allWithSessions.map(\.group)) == Set(ConformanceCheck.Group.allCases))
    }
}
