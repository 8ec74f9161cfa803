import Foundation
import PushAdapter
import PushHuawei
import TestSupport
import Testing

@Suite("Huawei answers")
struct AnswerTests {
    private static func answer(_ code: String, _ msg: String = "no") -> JSONValue {
        ["code": .string(code), "msg": .string(msg), "requestId": "17"]
    }

    private func sending(_ devices: Int, _ edit: (inout Huawei) -> Void = { _ in }) throws -> Exchange<SendReceipt> {
        try Shop.huawei(edit).send(Shop.message(["custom": ["content": "c"]]), to: Shop.devices(devices))
    }

    private func diagnose(
        _ response: WireResponse, devices: Int = 2, for operation: Feature = .send
    ) throws -> PushError? {
        let call = try sending(devices).call
        return try Shop.huawei().diagnose(response, to: VendorCall(operation, call.request, inputs: call.inputs))
    }

    private static let documented: [DocumentedRow] = fixture("../Conformance/errors.json") ?? []

    @Test("every documented code has a row and its retry")
    func table() throws {
        #expect(Self.documented.count == 58)
        for row in Self.documented {
            let status = row.http ?? 400
            switch row.surface {
            case "send" where ["80000000", "80100000"].contains(row.code.rawValue):
                #expect(try diagnose(Shop.answer(Self.answer(row.code.rawValue))) == nil)
            case "send":
                let error = try #require(try diagnose(Shop.answer(Self.answer(row.code.rawValue), status)))
                #expect(error.vendor?.code == row.code && error.retry.isAdvised == row.retry, "\(row.code)")
                let isKnown = !["81000001", "80300028"].contains(row.code.rawValue)
                #expect((error.effect == .notApplied) == isKnown, "\(row.code)")
            case "http":
                #expect(try diagnose(WireResponse(status: status))?.retry.isAdvised == row.retry, "\(row.code)")
            case "oauth":
                let parts = row.code.rawValue.split(separator: "/").map { Int($0) ?? 0 }
                let body: JSONValue =
                    parts.count == 2
                    ? ["error": JSONValue(integerLiteral: parts[0]), "sub_error": JSONValue(integerLiteral: parts[1])]
                    : [:]
                let error = try #require(try diagnose(Shop.answer(body, status), for: .mintToken))
                #expect(error.retry.isAdvised == row.retry && error.kind != .unknown, "\(row.code)")
                #expect(error.vendor?.code == (parts.count == 2 ? row.code : nil))
            default:
                let result = try #require(row.code.number)
                #expect(HuaweiReceipts.meanings[result] != nil, "\(row.code)")
            }
        }
    }

    @Test("a refusal of all tokens makes one suspect, and says nothing about many")
    func allRefused() throws {
        let response = Shop.answer(Self.answer("80300007", "plain text"), 400)
        let one = try diagnose(response, devices: 1)
        #expect(one?.kind == .noTarget && one?.vendor?.verdict == .suspect && one?.vendor?.targets == [:])
        let many = try diagnose(response, devices: 2)
        #expect(many?.vendor?.verdict == nil)
        #expect(
            many?.vendor?.targets == ["token-0": .rejected(mayRetry: false), "token-1": .rejected(mayRetry: false)])
    }

    @Test("a few refused tokens of an accepted send are invalid, more are suspect")
    func partial() throws {
        let msg = #"{"success":1,"failure":2,"illegal_tokens":["token-0","token-1"]}"#
        let response = Shop.answer(Self.answer("80100000", msg))
        let few = try sending(3).decode(response)
        #expect(few.messageID == "17" && few.exceptions == ["token-0": .invalid(), "token-1": .invalid()])
        let many = try sending(3) { $0.mostInvalid = 1 }.decode(response)
        #expect(many.exceptions == ["token-0": .suspect, "token-1": .suspect])
    }

    @Test("the secret is exchanged for a token, encoded as a form")
    func token() throws {
        let tokens = try #require(try Shop.huawei().roles.tokens)
        guard case .fetched(let exchange) = try tokens.mint(.app, Shop.now),
            case .bytes(let bytes, _) = exchange.request.body
        else {
            Issue.record("the vendor makes the tokens")
            return
        }
        let form = "grant_type=client_credentials&client_id=1042&client_secret=s3%2Bcr%2Ft"
        #expect(String(decoding: bytes, as: UTF8.self) == form && exchange.credential == .none)
        let body = Array(#"{"access_token":"a\/b","expires_in":3600,"token_type":"Bearer"}"#.utf8)
        let token = try exchange.decode(WireResponse(status: 200, body: body, receivedAt: Shop.now))
        #expect(token.value == Secret("a/b") && token.expiresAt == Shop.now.addingTimeInterval(3600))
        let quota = try Shop.huawei().capabilities.quotas["huawei.tokens"]
        #expect(quota?.limit == 1000 && quota?.window == .rolling(.seconds(300)))
        #expect(exchange.charges == [QuotaCharge("huawei.tokens")])
    }

    @Test("topics are changed for many devices, read for one, and failures are placed or not believed")
    func topics() throws {
        let huawei = try Shop.huawei()
        let change = try huawei.changeMembers(of: "vip", .add(["a", "b"]))
        #expect(try change.request.target() == "/v1/1042/topic:subscribe")
        #expect(try change.request.json() == ["topic": "vip", "tokenArray": ["a", "b"]])
        let some: JSONValue = ["code": "80000000", "failureCount": 1, "errors": [["index": 1, "reason": "R"]]]
        #expect(try change.decode(Shop.answer(some)).exceptions == ["b": .rejected(mayRetry: false)])
        #expect(throws: PushError.self) { try change.decode(Shop.answer(["code": "80000000", "failureCount": 1])) }
        let list: JSONValue = ["code": "80000000", "topics": [["name": "vip", "addDate": "2026-11-25"]]]
        #expect(try huawei.readTags(of: "a").decode(Shop.answer(list)) == ["vip"])
        let one = try #require(try huawei.roles.tags.remove?(["vip"], "a"))
        #expect(try one.request.target() == "/v1/1042/topic:unsubscribe" && one.operation == .removeTags)
    }
}
