import Foundation
import PushAdapter
import PushVivo
import Testing

@Suite("vivo calls")
struct CallTests {
    private func exchange(at date: Date = Shop.now) throws -> Exchange<AccessToken>? {
        guard case .fetched(let exchange)? = try Shop.vivo().roles.tokens?.mint(.app, date) else { return nil }
        return exchange
    }

    @Test("a token is bought with the secret's signature, lasts a day, and is renewed after half of it")
    func tokens() throws {
        let exchange = try #require(try exchange())
        #expect(try exchange.request.target() == "/message/auth" && exchange.credential == .none)
        let expected: [String: JSONValue] = [
            "appId": 10004, "appKey": .string(Shop.key), "timestamp": 1_795_132_800_000,
            "sign": "736493ab6e7971040e5e6b2a3b6a6a84",
        ]
        #expect(Shop.fields(exchange.request) == expected)
        let token = try exchange.decode(
            Shop.answer(["result": 0, "authToken": "24oj"], at: Shop.now.addingTimeInterval(9)))
        #expect(token.value == Secret("24oj") && token.mintedAt == Shop.now)
        #expect(token.expiresAt == Shop.now.addingTimeInterval(86_400))
        #expect(try Shop.vivo().roles.tokens?.renewalMargin == .seconds(43_200))
        for body: JSONValue in [["result": 0], ["result": 0, "authToken": ""], ["result": 0, "authToken": "a\r\nb"]] {
            #expect(throws: PushError.self) { try exchange.decode(Shop.answer(body)) }
        }
    }

    @Test("a token goes into the vendor's own field, and a request for a token is not renewed")
    func authorization() throws {
        let vivo = try Shop.vivo()
        let token = AccessToken(Secret("24oj"), mintedAt: Shop.now, expiresAt: Shop.now)
        let request = try vivo.probe().request
        let fields = try vivo.authorizer.authorize(request, as: .app, with: token, at: Shop.now)
        #expect(fields.map(\.name.rawName) == ["authToken"] && fields.map(\.value) == ["24oj"])
        #expect(throws: PushError.self) { try vivo.authorizer.authorize(request, as: .app, with: nil, at: Shop.now) }
        #expect(throws: PushError.self) {
            try vivo.authorizer.authorize(request, as: .group, with: token, at: Shop.now)
        }
        let call = try #require(try exchange()).call
        #expect(vivo.diagnose(Shop.answer(["result": 10000]), to: call)?.retry == .never)
        #expect(vivo.diagnose(Shop.answer(["result": 10207]), to: call)?.message.contains("clock") == true)
    }

    @Test("a probe succeeds if the vendor reads it, and not if it refuses the token")
    func probe() throws {
        let vivo = try Shop.vivo()
        let probe = try vivo.probe()
        #expect(try probe.request.target() == "/report/getStatistics?taskIds=0" && probe.request.method == .get)
        for code: JSONValue in [0, 10152, 10471, 10473] {
            let response = Shop.answer(["result": code])
            #expect(vivo.diagnose(response, to: probe.call) == nil)
            #expect(throws: Never.self) { try probe.decode(response) }
        }
        #expect(vivo.diagnose(Shop.answer(["result": 10000]), to: probe.call)?.retry == .afterRenewal)
        #expect(vivo.diagnose(Shop.answer(["result": 10152], 500), to: probe.call) != nil)
        #expect(throws: PushError.self) { try probe.decode(Shop.answer([:])) }
    }

    @Test("one tag is changed for many devices or one, and a device that the vendor refuses is named")
    func changes() throws {
        let vivo = try Shop.vivo { $0.memberType = 2 }
        let change = try vivo.changeMembers(of: "会员", .add(["a", "b"]))
        #expect(try change.request.target() == "/tag/addMembers" && change.idempotency == .idempotent)
        #expect(Shop.fields(change.request) == ["name": "会员", "type": 2, "ids": ["a", "b"]])
        #expect(try change.decode(Shop.answer(["result": 0])) == SendReceipt())
        let users: JSONValue = [
            ["userid": "a", "status": 1], ["userid": "b", "status": 2], ["userid": 3, "status": 4],
        ]
        let vague = Shop.answer(["result": 0, "data": [["userid": "a"], ["userid": "b", "status": .null]]])
        #expect(
            try change.decode(vague).exceptions == ["a": .suspect, "b": .suspect], "no word says that they are dead")
        let nameless = #expect(throws: PushError.self) {
            try change.decode(
                Shop.answer(["result": 0, "invalidUsers": [["userid": "a", "status": 1], ["status": 1]]]))
        }
        #expect(nameless?.effect == .unknown, "no word says which devices are changed")
        #expect(throws: Never.self) { try change.decode(Shop.answer(["result": 0, "invalidUser": ["status": 0]])) }
        for name in ["invalidUsers", "data"] {
            let receipt = try change.decode(Shop.answer(["result": 0, name: users]))
            #expect(receipt.exceptions == ["a": .invalid(), "b": .suspect, "3": .rejected(mayRetry: false)])
        }
        let one = try #require(try vivo.roles.tags.remove?(["会员"], "a"))
        #expect(try one.request.target() == "/tag/removeMembers" && one.operation == .removeTags)
        #expect(one.idempotency == .idempotent)
        #expect(throws: Never.self) { try one.decode(Shop.answer(["result": 0, "data": []])) }
        let answer = Shop.answer(["result": 0, "invalidUsers": [["userid": "a", "status": 2]]])
        let error = vivo.diagnose(answer, to: one.call)
        #expect(error?.effect == .notApplied)
        #expect(error?.kind == .noTarget && error?.vendor?.verdict == .suspect)
    }

    @Test("a dry run tells what a class lacks")
    func remarks() throws {
        let remarks = try #require(try Shop.vivo().roles.remarks)
        func said(_ messageClass: MessageClass?) throws -> String {
            var message = try Shop.message()
            message.messageClass = messageClass
            return remarks(message).joined()
        }
        #expect(try said(nil).contains("defaultClass"))
        #expect(try said(MessageClass(.service)).contains("vivo.service=WORD"))
        #expect(try said(MessageClass(.service, .order)) == "")
    }
}
