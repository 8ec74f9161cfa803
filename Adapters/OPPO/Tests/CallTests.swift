import Foundation
import PushAdapter
import PushOPPO
import TestSupport
import Testing

@Suite("OPPO calls")
struct CallTests {
    private func minting(at now: Date = Shop.now) throws -> Exchange<AccessToken> {
        let mint = try #require(try Shop.oppo().roles.tokens?.mint(.app, now))
        guard case .fetched(let exchange) = mint else { throw PushError(.invalidState, "the token was not fetched") }
        return exchange
    }

    @Test("the request for a token has the digest of key, time and secret")
    func signature() throws {
        let exchange = try minting(at: Date(timeIntervalSince1970: 1_795_132_800))
        #expect(try exchange.request.target() == "/auth" && exchange.credential == .none)
        #expect(
            exchange.request.form == [
                "app_key": "8899aa77bb", "timestamp": "1795132800000",
                "sign": "e9b1991efc0918d3c88d8e4b5dc96a64e50865539cfb8f967b43936cfcc657c8",
            ])
    }

    @Test("a token lives for a day from the vendor's time, and goes into a header field")
    func tokens() throws {
        let millis = Decimal(1_795_165_200_000)
        let ages: [(made: JSONValue?, life: TimeInterval)] = [
            (.number(millis), 86_400), (.number(millis - 3_600_000), 82_800), (.number(millis + 60_000), 86_400),
            (.string("1795161600000"), 82_800), (.number(millis - 86_400_000), 86_400), (.string("nan"), 86_400),
            (nil, 86_400),
        ]
        for (made, life) in ages {
            var data: [String: JSONValue] = ["auth_token": "58ad"]
            if let made { data["create_time"] = made }
            let token = try minting().decode(Shop.done(.object(data)))
            #expect(token.expiresAt == Shop.now.addingTimeInterval(life) && token.value == Secret("58ad"))
        }
        let refused: [JSONValue] = [[:], ["auth_token": ""], ["create_time": .number(millis)]]
        for data in refused { #expect(throws: PushError.self) { try minting().decode(Shop.done(data)) } }
        let oppo = try Shop.oppo()
        let token = try minting().decode(Shop.done(["auth_token": "58ad"]))
        let request = try oppo.probe().request
        let fields = try oppo.authorizer.authorize(request, as: .app, with: token, at: Shop.now)
        #expect(fields.count == 1 && HTTPField.Name("auth_token").flatMap { fields[$0] } == "58ad")
        #expect(throws: PushError.self) { try oppo.authorizer.authorize(request, as: .app, with: nil, at: Shop.now) }
        #expect(try oppo.diagnose(Shop.answer(["code": 16]), to: minting().call)?.kind == .unauthorized)
    }

    @Test("the parts of a registration id name its region")
    func regions() throws {
        let cases: [(id: DeviceID, region: OPPO.Region)] = [
            ("abc", .china), ("CN_abc", .china), ("OPPO_CN_abc", .china), ("IN_abc", .international),
            ("EUEX_abc", .international), ("OPPO_IN_abc", .international), ("CN_IN_abc", .international),
            ("A_CN_b_c", .international), ("cn_abc", .international), ("_CN", .international),
        ]
        let center = try #require(Shop.abroad)
        let abroad = try OPPO(appKey: "a", masterSecret: Secret("s"), dataCenter: center)
        let (here, there) = (try #require(try Shop.oppo().roles.refusal), try #require(abroad.roles.refusal))
        for row in cases {
            #expect(OPPO.region(of: row.id) == row.region, "\(row.id.rawValue)")
            #expect((here(.device(row.id)) == nil) == (row.region == .china))
            #expect((there(.device(row.id)) == nil) == (row.region == .international))
        }
        let refusal = try #require(here(.device("IN_0123456789")))
        #expect(refusal.kind == .invalidArgument && refusal.message.contains("data center international"))
        #expect(!refusal.message.contains("0123456789"))
        for list: DeviceID in ["a,b", "a;b"] { #expect(here(.device(list))?.kind == .invalidArgument) }
        #expect(here(.alias("a;b"))?.kind == .invalidArgument && here(.alias("a,b")) == nil)
        #expect(here(.account(Account(name: "a")))?.kind == .unsupported)
    }

    @Test("abroad there are sends, and no calls of China's hosts")
    func abroad() throws {
        let center = try #require(Shop.abroad)
        let abroad = try OPPO(appKey: "a", masterSecret: Secret("s"), dataCenter: center)
        #expect(abroad.region == .international && abroad.roles.probe == nil && abroad.roles.alias.set == nil)
        #expect(abroad.capabilities[.send] == .native && abroad.capabilities[.audienceDevices] == .native)
        for call: Feature in [.setAlias, .deleteAlias, .addTags, .removeTags, .probeCredentials] {
            guard case .unsupported(let reason) = abroad.capabilities[call] else {
                Issue.record("\(call) is supported")
                continue
            }
            #expect(reason.contains("China"))
            #expect(try Shop.oppo().capabilities[call] == .native)
        }
    }

    private func fields(_ exchange: Exchange<Void>) throws -> JSONValue? {
        guard case .bytes(let bytes, "application/json") = exchange.request.body else { return .none }
        return try JSONValue(parsing: bytes)
    }

    @Test("an alias is set for a device and deleted by its name, also if the vendor does not have it")
    func aliases() throws {
        let (oppo, device) = (try Shop.oppo(), Shop.device(1))
        let set = try oppo.setAlias("ann", of: device)
        #expect(try set.request.target() == "/device/set_alias" && set.request.service == "device")
        #expect(try fields(set) == ["registration_id": .string(device.rawValue), "alias": "ann"])
        #expect(throws: Never.self) { try set.decode(Shop.answer(["code": 0])) }
        #expect(throws: PushError.self) { try set.decode(Shop.answer(["code": 31])) }
        let delete = try oppo.deleteAlias("ann")
        #expect(try delete.request.target() == "/device/delete_alias")
        #expect(try fields(delete) == ["alias": "ann"])
        for code: JSONValue in [0, 31] {
            let response = Shop.answer(["code": code])
            #expect(oppo.diagnose(response, to: delete.call) == nil)
            #expect(throws: Never.self) { try delete.decode(response) }
        }
        #expect(oppo.diagnose(Shop.answer(["code": 31]), to: set.call)?.kind == .invalidArgument)
        #expect(throws: PushError.self) { try oppo.setAlias("a;b", of: device) }
        #expect(throws: PushError.self) { try oppo.setAlias("ann", of: "IN_abc") }
        #expect(throws: PushError.self) { try oppo.deleteAlias("a;b") }
        #expect(oppo.capabilities.aliasSharing == .one)
    }

    @Test("a tag of a device is changed one at a time")
    func tags() throws {
        let (oppo, device) = (try Shop.oppo(), Shop.device(1))
        let add = try #require(try oppo.roles.tags.add?(["vip"], device))
        #expect(try add.request.target() == "/device/subscribe_tags" && add.idempotency == .idempotent)
        #expect(try fields(add) == ["registration_id": .string(device.rawValue), "tags": "vip"])
        let remove = try #require(try oppo.roles.tags.remove?(["vip"], device))
        #expect(try remove.request.target() == "/device/unsubscribe_tags" && remove.operation == .removeTags)
        let error = oppo.diagnose(Shop.answer(["code": 10000]), to: remove.call)
        #expect(error?.vendor?.verdict == .dead())
        for tags: Set<PushAdapter.Tag> in [["a", "b"], ["a;b"], ["a,b"], []] {
            #expect(throws: PushError.self) { try oppo.roles.tags.add?(tags, device) }
        }
        #expect(throws: PushError.self) { try oppo.roles.tags.add?(["a"], "IN_abc") }
    }

    @Test("credentials are checked by reading the day's quota")
    func probe() throws {
        let probe = try Shop.oppo().probe()
        #expect(try probe.request.target() == "/feedback/fetch_push_permit" && probe.request.method == .get)
        #expect(probe.request.service == "feedback" && probe.idempotency == .idempotent)
        #expect(throws: Never.self) { try probe.decode(Shop.answer(["code": 0, "data": ["total_count": 9]])) }
    }

    @Test("a dry run tells what a class lacks")
    func remarks() throws {
        let remarks = try #require(try Shop.oppo().roles.remarks)
        func said(_ fields: [String: JSONValue], options: JSONValue? = nil) throws -> String {
            let plain: [String: JSONValue] = ["notification": ["title": "T", "body": "B"]]
            return remarks(try Shop.message(.object(plain.merging(fields) { $1 }), options: options)).joined()
        }
        #expect(try said([:]).contains("defaultClass"))
        #expect(try said(["class": ["intent": "service"]]).contains("oppo.service=WORD"))
        #expect(try said(["class": ["intent": "service", "category": "order"]]) == "")
        #expect(try said(["class": ["intent": "service"]], options: ["category": "ORDER"]) == "")
        let channel: JSONValue = ["title": "T", "body": "B", "android": ["channelID": "c"]]
        #expect(try said(["notification": channel]).contains("old private"))
        #expect(try said(["notification": channel], options: ["category": "ORDER"]) == "")
    }
}
