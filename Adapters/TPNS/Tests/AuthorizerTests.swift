import Foundation
import PushAdapter
import PushTPNS
import TestSupport
import Testing

@Suite("TPNS credentials")
struct AuthorizerTests {
    private static let time = Date(timeIntervalSince1970: 1_795_132_800)

    /// Computed with another library, from the secret key, AccessId and time of the tests.
    private static let vectors: [(body: String, bytes: Int, sign: String)] = [
        (
            #"{"operator_type":3,"tag_list":["level:3","beta"],"token_list":["0123456789abcdef0123456789abcdef0123"]}"#,
            103,
            "MDkxMTExYmZmNmQwMDVmMTA4MzI1ZGI5MTAyN2IxN2Y4M2JiZGJiNWE0YjQyMjYzZWUxNWJhYTBlYmMzYmZjYg=="
        ),
        (
            #"{"audience_type":"token","environment":"dev","message":{"content":"你好","ios":{"aps":{"alert":{"subtitle":"#
                + #""hi"},"badge_type":-2,"mutable-content":1,"sound":"default"}},"title":"Test"},"message_type":"notify","#
                + #""token_list":["0123456789abcdef0123456789abcdef0123"]}"#,
            265,
            "ZjU4NzQ0YTQzMTUxZjNlNDNjODkwNTdlNGMyMzQ5NDc0MWQ3NjgxYzk4N2JkMGJhZjNhYzJhZWRlNjRhZjAwNg=="
        ),
        (
            "{}", 2, "NGNhNTZmM2RjMmI3Njc3MDA1NzA5MjYyYmFhMGMwMDUwNWZhZTgwZmU5ZDEyMTFmMmU2OTllOTg3ODVlYzY1Nw=="
        ),
    ]

    private func fields(
        _ body: WireBody, _ authentication: TPNS.Authentication = .signature, at time: Date = time
    ) throws -> [String: String] {
        let tpns = try TPNS(
            accessID: Sample.ios, secretKey: Secret(Sample.secret), platform: .ios, authentication: authentication)
        let request = WireRequest(.post, "tpns", path: ["push", "app"], body: body)
        let fields = try tpns.authorizer.authorize(request, as: .app, with: nil, at: time)
        return Dictionary(fields.map { ($0.name.rawName, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    @Test("signatures are those of the vectors", arguments: vectors.indices)
    func signatures(index: Int) throws {
        let vector = Self.vectors[index]
        #expect(vector.body.utf8.count == vector.bytes)
        let fields = try fields(.json(Array(vector.body.utf8)))
        #expect(
            fields == ["AccessId": "1600999001", "TimeStamp": "1795132800", "Sign": vector.sign])
    }

    @Test("the time is part of the signature, and a call without a body is signed as well")
    func time() throws {
        let later = try fields(.json(Array("{}".utf8)), at: Self.time.addingTimeInterval(1))
        #expect(later["TimeStamp"] == "1795132801" && later["Sign"] != Self.vectors[2].sign)
        #expect(try fields(.none)["Sign"]?.count == 88)
    }

    @Test("Basic is the other scheme, and always that of uploads")
    func basic() throws {
        let expected = ["Authorization": "Basic MTYwMDk5OTAwMTowZjFlMmQzYzRiNWE2OTc4ODc5NmE1YjRjM2QyZTFmMA=="]
        #expect(try fields(.json(Array("{}".utf8)), .basic) == expected)
        #expect(try fields(.multipart([WirePart("file", .bytes([1]))])) == expected)
    }

    @Test("an empty key, another scope and another platform are refused")
    func refusals() throws {
        expectRefused(.error(.misconfigured), try TPNS(accessID: 1, secretKey: Secret(""), platform: .ios))
        expectRefused(.error(naming: "harmony"), try TPNS(accessID: 1, secretKey: Secret("k"), platform: .harmony))
        let authorizer = try Sample.tpns().authorizer
        expectRefused(
            .error(.misconfigured),
            try authorizer.authorize(WireRequest(.post, "tpns"), as: .group, with: nil, at: Self.time))
    }

    @Test("access points go by name, region id or domain, in any case")
    func accessPoints() throws {
        let hosts = [
            ("guangzhou", "api.tpns.tencent.com"), ("AP-Shanghai", "api.tpns.sh.tencent.com"),
            ("tpns.hk.tencent.com", "api.tpns.hk.tencent.com"), ("Singapore", "api.tpns.sgp.tencent.com"),
        ]
        for (name, host) in hosts {
            #expect(try TPNS.dataCenters.named(name).address(of: "tpns") == "https://\(host)/v3")
        }
        #expect(TPNS.dataCenters.standard.name == "guangzhou")
        let names = "guangzhou, shanghai, hongkong, singapore"
        expectRefused(.error(naming: names), try TPNS.dataCenters.named("toronto"))
    }

    @Test("the table of leading digits is a guess, and only used by who loads it")
    func guesses() async throws {
        for (id, name) in [("1500", "guangzhou"), ("1600", "guangzhou"), ("1620", "singapore"), ("1680", "shanghai")] {
            let found = try await TPNS.guessedAccessPoints.resolve(key: id + "000001", in: TPNS.dataCenters)
            #expect(found.dataCenter.name == name && found.grade == .guessed)
        }
        await #expect(throws: PushError.self) {
            try await TPNS.guessedAccessPoints.resolve(key: "1630000001", in: TPNS.dataCenters)
        }
        let center = try await TPNS.dataCenters.select(.derived(TPNS.guessedAccessPoints), forKey: "1680000001")
        #expect(center.name == "shanghai")
        #expect(try Sample.tpns().dataCenter.name == "guangzhou")
    }
}
