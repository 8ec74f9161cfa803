import PushAdapter
import PushCrypto
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push receipts")
struct ReceiptTests {
    private static let location = "https://updates.push.services.mozilla.com/m/abc"
    private static let digest = "3d0261754296399aabd08d792b7aa5e1"

    private func id(
        _ headers: [(String, String)], at endpoint: String = Ferry.mozilla, keeping: Bool = false
    ) throws -> String? {
        var webPush = try Ferry.webPush()
        webPush.keepsLocations = keeping
        let receipt = try webPush.exchange(.shown, to: endpoint).decode(WireResponse(201, "", headers))
        #expect(receipt.exceptions.isEmpty && receipt.messageIDs.count <= 1)
        return receipt.messageID?.rawValue
    }

    private static let ids: [(headers: [(String, String)], id: String?)] = [
        ([], nil), ([("Location", "")], nil), ([("Location", location)], digest), ([("Location", "/m/abc")], digest),
        ([("apns-id", "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55")], "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55"),
        ([("X-WNS-Msg-ID", "1A2B")], "1A2B"), ([("apns-id", "a"), ("Location", location)], "a"),
        // No id has blanks, or this length.
        ([("X-WNS-Msg-ID", "a b")], nil), ([("apns-id", String(repeating: "a", count: 257))], nil),
    ]

    @Test("a message has the id of its service; an address is a secret, so only its digest is kept", arguments: ids)
    func messageIDs(headers: [(String, String)], expected: String?) throws {
        #expect(try id(headers) == expected)
    }

    @Test(
        "a 200 is accepted only if it names the message",
        arguments: [
            ("", [], false), ("<html></html>", [], false), (#"{"errno":106}"#, [], false), ("{}", [], false),
            (#"{"id":"a"}"#, [], false), (#"{"id":"a","event":"message"}"#, [], true),
            ("", [("Location", location)], true), ("", [("apns-id", "a")], true),
            ("", [("X-WNS-Status", "received")], true),
        ] as [(String, [(String, String)], Bool)])
    func proof(body: String, headers: [(String, String)], isAccepted: Bool) throws {
        let exchange = try Ferry.webPush().exchange(.shown, to: Ferry.mozilla)
        let response = WireResponse(200, body, headers)
        if isAccepted {
            _ = try exchange.decode(response)
        } else {
            expectThrows(.error(.malformedResponse, effect: .unknown)) { try exchange.decode(response) }
        }
    }

    @Test("ntfy names the message in its answer, also beside a status that refuses")
    func described() throws {
        let exchange = try Ferry.webPush().exchange(.shown, to: Ferry.unifiedPush)
        let body = #"{"id":"a1","event":"message"}"#
        #expect(try exchange.decode(WireResponse(200, body)).messageID == "a1")
        // The client asks whether a refusal has the body of an acceptance.
        #expect(try exchange.decode(WireResponse(403, body)).messageID == "a1")
        expectThrows(.error(.malformedResponse)) { try exchange.decode(WireResponse(403, #"{"-":0}"#)) }
    }

    @Test("the address is kept if it is wanted, and is at the service that the push went to")
    func kept() throws {
        #expect(try id([("Location", Self.location)], keeping: true) == Self.location)
        #expect(try id([("Location", "/m/abc")], keeping: true) == Self.location)
        // Mozilla's, with 204 bytes of base64.
        let real = Self.location.dropLast(3) + String(repeating: "a", count: 204)
        #expect(try id([("Location", String(real))], keeping: true) == String(real))
        for other in [
            "http://10.0.0.1/x", "https://u:p@fcm.googleapis.com/", "https://fcm.googleapis.com/m/abc",
            Self.location + String(repeating: "a", count: 256),
        ] {
            let id = try id([("Location", other)], keeping: true)
            #expect(id?.utf8.count == 32 && id?.contains("/") == false)
        }
    }

    @Test("a recall deletes the message at its address, without a credential")
    func recall() throws {
        let exchange = try Ferry.webPush().recall(MessageID(Self.location))
        let address = try TargetAddress(Self.location)
        #expect(exchange.request.method == .delete && exchange.request.address == address)
        #expect(exchange.credential == .none && exchange.idempotency == .idempotent)
        try exchange.decode(WireResponse(204, ""))
        #expect(try Ferry.webPush().capabilities["webpush.messages.delete"] == .native)
    }

    @Test("a recall goes where the push went: to the data center of yours, if there is one")
    func passedRecall() throws {
        let gateway = WebPush.dataCenters.standard.moved(to: "https://gateway.example.com")
        let webPush = try WebPush(Ferry.key(), subject: Ferry.subject, dataCenter: gateway)
        let address = try webPush.recall(MessageID(Self.location)).request.address
        #expect(address == (try TargetAddress("https://gateway.example.com/m/abc", mustBePublic: false)))
    }

    @Test(
        "an id that is no allowed address cannot be recalled",
        arguments: [digest, "", "http://127.0.0.1/m", "https://localhost/m"])
    func foreignRecalls(id: String) {
        let error = expectThrows(.error(.invalidArgument, effect: .notApplied)) {
            try Ferry.webPush().recall(MessageID(id))
        }
        #expect(error?.description.contains("/m") == false)
    }
}
