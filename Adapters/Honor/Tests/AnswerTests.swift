import Foundation
import PushAdapter
import PushHonor
import TestSupport
import Testing

@Suite("Honor answers")
struct AnswerTests {
    private static func answer(_ code: JSONValue, _ data: [String: JSONValue] = [:]) -> JSONValue {
        ["code": code, "message": "no", "data": .object(["requestId": "17"].merging(data) { $1 })]
    }

    private static let test: JSONValue = ["android": ["targetUserType": 1]]

    private func sending(_ devices: Int, options: JSONValue? = nil) throws -> Exchange<SendReceipt> {
        try Shop.honor().send(Shop.message(options: options), to: Shop.devices(devices))
    }

    private func diagnose(
        _ response: WireResponse, devices: Int = 2, options: JSONValue? = nil, _ edit: (inout Honor) -> Void = { _ in }
    ) throws -> PushError? {
        try Shop.honor(edit).diagnose(response, to: sending(devices, options: options).call)
    }

    private static let documented: [DocumentedRow] = fixture("../Conformance/errors.json") ?? []

    private static let accepted: Set<VendorCode> = [200, 80_000_000, 80_100_000]
    /// The codes that say nothing certain about the vendor's action.
    private static let unclear: Set<VendorCode> = [500, 502]

    @Test("every code of the sources has a row, its retry and its effect")
    func table() throws {
        #expect(Self.documented.count == 35)
        for row in Self.documented {
            switch row.surface {
            case "rest" where Self.accepted.contains(row.code):
                #expect(try diagnose(Shop.answer(Self.answer(row.code.json))) == nil)
            case "rest":
                let error = try #require(try diagnose(Shop.answer(Self.answer(row.code.json), row.http ?? 200)))
                #expect(error.vendor?.code == row.code && error.retry.isAdvised == row.retry, "\(row.code)")
                #expect((error.effect == .unknown) == Self.unclear.contains(row.code), "\(row.code)")
                #expect(Honor.errorRows.contains { $0.code == row.code }, "\(row.code)")
            case "http":
                let error = try diagnose(WireResponse(status: row.http ?? 0))
                #expect(error?.retry.isAdvised == row.retry, "\(row.code)")
                #expect((error?.effect == .unknown) == Self.unclear.contains(row.code), "\(row.code)")
            default:
                let error = try tokenError(Shop.answer(["error": row.code.json, "error_description": "no"], 400))
                #expect(error?.kind == .unauthorized && error?.vendor?.code == row.code, "\(row.code)")
                #expect(error?.retry == .never && error?.effect == .notApplied)
            }
        }
        #expect(Set(Honor.errorRows.map { "\($0.surface) \($0.code)" }).count == Honor.errorRows.count)
    }

    @Test("a row has the kind that a program acts on")
    func kinds() throws {
        let kinds: [(VendorCode, PushError.Kind)] = [
            (400, .invalidArgument), (401, .unauthorized), (404, .misconfigured), (500, .server), (503, .rateLimited),
            (10205, .misconfigured), (10207, .misconfigured), (80_200_003, .unauthorized),
            (80_200_047, .quotaExhausted), (80_200_056, .invalidArgument), (80_300_007, .noTarget),
            (80_300_008, .tooLong), (80_300_010, .limitExceeded),
        ]
        for (code, kind) in kinds { #expect(try diagnose(Shop.answer(Self.answer(code.json)))?.kind == kind) }
    }

    @Test("an unknown code says nothing, whatever its status, and a refused access token is renewed")
    func openTable() throws {
        let unknown = try #require(try diagnose(Shop.answer(Self.answer(80_300_002)), devices: 1))
        #expect(unknown.kind == .unknown && unknown.effect == .unknown && unknown.retry == .never)
        #expect(unknown.vendor?.code == 80_300_002 && unknown.vendor?.verdict == nil && unknown.vendor?.targets == [:])
        for status in [401, 403] {
            #expect(try diagnose(Shop.answer(Self.answer(80_200_001), status))?.retry == .afterRenewal)
            let foreign = try diagnose(WireResponse(status: status, body: Array(#"{"error":"invalid_token"}"#.utf8)))
            #expect(foreign?.retry == .afterRenewal && foreign?.effect == .notApplied)
        }
        #expect(try diagnose(WireResponse(status: 404, body: Array("<html>".utf8)))?.kind == .misconfigured)
    }

    @Test("a success is 200 or 80000000, a number or a text, and nothing in the answer may deny it")
    func success() throws {
        for code: JSONValue in [200, "200", 80_000_000, "80000000"] {
            let response = Shop.answer(Self.answer(code, ["sendResult": true]))
            #expect(try diagnose(response) == nil)
            #expect(try sending(2).decode(response) == SendReceipt(messageID: "17"))
        }
        for denial: JSONValue in [false, "false"] {
            let error = try diagnose(Shop.answer(Self.answer(200, ["sendResult": denial])))
            #expect(error?.effect == .unknown && error?.retry == .never)
        }
        #expect(try diagnose(Shop.answer(Self.answer(200), 502))?.effect == .unknown)
        #expect(try diagnose(WireResponse(status: 502, body: Array("<html>".utf8)))?.kind == .server)
        #expect(try diagnose(WireResponse(status: 200, body: Array("<html>".utf8))) == nil)
    }

    @Test("expired tokens are suspect and never invalid, other refused tokens are rejected")
    func partial() throws {
        let lists: [String: JSONValue] = [
            "failTokens": ["token-0", "token-2"], "expireTokens": ["token-1", "token-2"],
        ]
        for code: JSONValue in [200, 80_100_000] {
            let receipt = try sending(4).decode(Shop.answer(Self.answer(code, lists)))
            #expect(receipt.messageID == "17")
            #expect(
                receipt.exceptions == [
                    "token-0": .rejected(mayRetry: false), "token-1": .suspect, "token-2": .suspect,
                ])
        }
        let none = try sending(1).decode(Shop.answer(Self.answer(200, ["failTokens": .null, "expireTokens": []])))
        #expect(none.exceptions.isEmpty)
        let all = try sending(1).decode(Shop.answer(Self.answer(200, ["expireTokens": ["token-0"]])))
        #expect(all.exceptions == ["token-0": .suspect])
    }

    @Test("an answer that names no message, or refused tokens that are not of the request, is not believed")
    func malformed() throws {
        let bodies: [JSONValue] = [
            Self.answer(200, ["requestId": ""]), ["code": 200, "data": [:]], ["result": "ok"],
            Self.answer(80_100_000), Self.answer(80_100_000, ["failTokens": []]),
            Self.answer(80_100_000, ["failTokens": ["token-9"]]), Self.answer(200, ["failTokens": "token-0"]),
            Self.answer(200, ["expireTokens": [["token": "token-0"]]]), Self.answer(200, ["failTokens": true]),
        ]
        for body in bodies {
            expectThrows(.error(.malformedResponse, effect: .unknown)) { try sending(2).decode(Shop.answer(body)) }
        }
    }

    @Test("a refusal of all tokens makes one suspect, and says nothing about several")
    func noTarget() throws {
        let response = Shop.answer(Self.answer(80_300_007))
        #expect(try diagnose(response, devices: 1)?.vendor?.verdict == .suspect)
        let many = try diagnose(response, devices: 2)
        #expect(many?.kind == .noTarget && many?.vendor?.verdict == nil && many?.vendor?.targets == [:])
    }

    @Test("the quota of test messages lasts until midnight, and stops no other message")
    func tests() throws {
        let response = Shop.answer(Self.answer(80_200_047))
        #expect(try diagnose(response, options: Self.test)?.retry == .after(.seconds(7 * 3600)))
        let utc = try diagnose(response, options: Self.test) { $0.day = CalendarDay(utcOffset: .zero) }
        #expect(utc?.retry == .after(.seconds(15 * 3600)))
        let other = try diagnose(response)
        #expect(other?.kind == .quotaExhausted && other?.retry == .never)
    }

    @Test("a throttle had no effect, unless the app does not trust that inference")
    func throttle() throws {
        let bodies = [WireResponse(status: 503), Shop.answer(Self.answer(503), 503), Shop.answer(Self.answer(503))]
        for response in bodies {
            let trusted = try diagnose(response)
            #expect(trusted?.kind == .rateLimited && trusted?.effect == .notApplied)
            #expect(trusted?.vendor?.isCertain == (response.status == 503))
            let doubted = try diagnose(response) { $0.trustsInference = false }
            #expect(doubted?.effect == .unknown && doubted?.vendor?.isCertain == false)
        }
    }

    private func tokenError(_ response: WireResponse) throws -> PushError? {
        guard case .fetched(let exchange)? = try Shop.honor().roles.tokens?.mint(.app, Shop.now) else { return nil }
        return try Shop.honor().diagnose(response, to: exchange.call)
    }

    @Test("the token service's other answers keep their words, and a wrong secret is named")
    func tokenErrors() throws {
        #expect(try tokenError(Shop.answer(["error": "server_error"], 400))?.kind == .unknown)
        #expect(try tokenError(WireResponse(status: 503))?.kind == .server)
        #expect(try tokenError(Shop.answer(["access_token": "a", "expires_in": 3600])) == nil)
        #expect(try tokenError(Shop.answer(["error": "invalid_client"], 401))?.kind == .unauthorized)
    }

    @Test("the secret is exchanged for a token, encoded as a form")
    func token() throws {
        guard case .fetched(let exchange)? = try Shop.honor().roles.tokens?.mint(.app, Shop.now),
            case .bytes(let bytes, let type) = exchange.request.body
        else {
            Issue.record("the vendor makes the tokens")
            return
        }
        let form = "grant_type=client_credentials&client_id=c0ffee&client_secret=s3%2Bcr%2Ft"
        #expect(String(decoding: bytes, as: UTF8.self) == form && type == "application/x-www-form-urlencoded")
        #expect(try exchange.request.target() == "/auth/token" && exchange.credential == .none)
        let token = try exchange.decode(Shop.answer(["access_token": "a/b", "expires_in": 3600]))
        #expect(token.value == Secret("a/b") && token.expiresAt == Shop.now.addingTimeInterval(3600))
        let bodies: [JSONValue] = [
            ["expires_in": 3600], ["access_token": "a"], ["access_token": "", "expires_in": 1],
            ["access_token": "a", "expires_in": 0], ["access_token": "a", "expires_in": -1],
        ]
        for body in bodies { #expect(throws: PushError.self) { try exchange.decode(Shop.answer(body)) } }
    }

    @Test("a Client ID cannot add fields to the form")
    func clientID() throws {
        let honor = try Honor(appID: "1", clientID: "a&b=c", clientSecret: Secret("s"))
        guard case .fetched(let exchange)? = try honor.roles.tokens?.mint(.app, Shop.now),
            case .bytes(let bytes, _) = exchange.request.body
        else {
            Issue.record("the vendor makes the tokens")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains("&client_id=a%26b%3Dc&"))
    }

    @Test("each attempt has the token and its own time, in the unit of the settings")
    func authorization() throws {
        let token = AccessToken(Secret("t0ken"), mintedAt: Shop.now, expiresAt: Shop.now)
        let later = Shop.now.addingTimeInterval(1.2345)
        func fields(_ edit: (inout Honor) -> Void = { _ in }) throws -> HTTPFields {
            try Shop.honor(edit).authorizer.authorize(sending(1).request, as: .app, with: token, at: later)
        }
        let name = try #require(HTTPField.Name("timestamp"))
        #expect(try fields()[name] == "1795165201234" && fields()[.authorization] == "Bearer t0ken")
        #expect(try fields { $0.timestampUnit = .seconds }[name] == "1795165201")
        #expect(throws: PushError.self) {
            try Shop.honor().authorizer.authorize(sending(1).request, as: .app, with: nil, at: later)
        }
        #expect(throws: PushError.self) {
            try Shop.honor().authorizer.authorize(sending(1).request, as: .group, with: token, at: later)
        }
    }
}
