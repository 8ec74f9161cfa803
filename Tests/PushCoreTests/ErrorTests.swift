import FoundationEssentials
import PushAdapter
import Testing

@Suite("Errors and secrets")
struct ErrorTests {
    @Test("a copy of an error is independent")
    func copies() {
        let first = PushError(.server, "m", retry: .backoff, effect: .unknown)
        var second = first
        second.kind = .timeout
        second.retry = .exhausted
        #expect(first.kind == .server)
        #expect(first.retry == .backoff)
        #expect(second.kind == .timeout)
    }

    @Test("no printed form of an error holds the body, the vendor's identifiers or the targets")
    func secrecy() {
        let token = "190e35f7e0a1b2c3d4e"
        var report = SendReport()
        report.append(
            SliceReport(
                index: 0, targetCount: 1, keying: .keyed(.vendor),
                exceptions: [TargetReport(position: 0, target: .device(DeviceID(token)), status: .invalid())]))
        let error = PushError(
            .invalidArgument, "refused",
            vendor: VendorDetail(
                code: 1003, message: "The registration_id \(token) is invalid!", requestID: "r1", httpStatus: 400,
                body: Array("{\"id\":\"\(token)\"}".utf8), targets: .invalid([token])),
            report: report)
        var dumped = ""
        dump(error, to: &dumped)
        for text in [error.description, String(reflecting: error), "\(error)", dumped, "\(report)"] {
            #expect(!text.contains(token))
        }
        #expect(error.description.contains("1003"))
        #expect(error.vendor?.message == "The registration_id … is invalid!")
    }

    @Test(
        "masking hides identifiers and leaves sentences",
        arguments: [
            ("call 13800000000 now", "call … now"), ("mail ann@example.com", "mail …"),
            ("limit is 100 tags", "limit is 100 tags"),
            ("The registration_id abc is bad", "The registration_id abc is bad"),
            ("token fGhIjKlMnOpQrStUvWxYza is gone", "token … is gone"),
            ("THIRD_PARTY_AUTH_ERROR is a word", "THIRD_PARTY_AUTH_ERROR is a word"),
            ("a\u{9B}31m b\u{85}c\u{2028}d\u{A0}e", #"a\u{009B}31m b\u{0085}c\u{2028}d\u{00A0}e"#),
            ("\"it's\"", "\"it's\""),
        ])
    func masking(text: String, expected: String) {
        #expect(Redaction.masked(text) == expected)
    }

    @Test("what a vendor writes is kept up to a number of bytes, though one character can have a million")
    func bounds() {
        let character = "e" + String(repeating: "\u{301}", count: 500_000)
        let detail = VendorDetail(
            message: character, requestID: character, messageID: MessageID(character), body: Array(character.utf8))
        #expect((detail.message?.utf8.count ?? .max) <= 1200 && detail.body.count == 512)
        #expect(detail.requestID == nil && detail.messageID == nil)
        var later = VendorDetail(requestID: "r", messageID: "m")
        #expect(later.requestID == "r" && later.messageID == "m")
        later.requestID = character
        later.messageID = MessageID(character)
        #expect(later.requestID == nil && later.messageID == nil)
        // An escape is longer than the character that it replaces.
        let invisible = VendorDetail(message: String(repeating: "\u{85}", count: 1000))
        #expect((invisible.message?.utf8.count ?? .max) <= 1200)
        #expect(Redaction.quoted(character).utf8.count < 500 && Redaction.quoted(character).hasSuffix("…\""))
        #expect(Redaction.shortened("0123456789abcdef" + character).utf8.count < 100)
        struct Strict: Decodable { var a: [String: Int] }
        let body = Array("{\"a\":{\"\(character)\":true}}".utf8)
        do throws(PushError) {
            _ = try WireResponse(status: 200, body: body).json(Strict.self)
            Issue.record("a boolean is no number")
        } catch {
            #expect(error.message.utf8.count < 500)
        }
    }

    @Test("a list of a vendor is read without its malformed items, and no further than some dozens")
    func lenientList() throws {
        let some = try WireResponse(status: 200, body: Array("[1, \"a\", 2, null, {}]".utf8)).json(
            LenientList<Int>.self)
        #expect(some.items == [1, 2])
        let tail = (1...100).map(String.init).joined(separator: ",")
        let many = try WireResponse(status: 200, body: Array("[\(tail)]".utf8)).json(LenientList<Int>.self)
        #expect(many.items == Array(1...64))
        #expect(try WireResponse(status: 200, body: Array("{}".utf8)).json(LenientList<Int>.self).items.isEmpty)
    }

    @Test("a secret prints as nothing and compares by its bytes")
    func secrets() {
        let secret = Secret("hunter2hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])"] {
            #expect(!text.contains("hunter2"))
        }
        #expect(secret == Secret("hunter2hunter2"))
        #expect(secret != Secret("hunter2hunter3"))
        #expect(secret != Secret(""))
        #expect(secret.withBytes { String(decoding: $0, as: UTF8.self) } == "hunter2hunter2")
    }

    @Test("identifiers are equal when their bytes are")
    func bytes() {
        #expect(Tag("\u{E9}") != Tag("e\u{301}"))
        #expect(Set([Tag("\u{E9}"), Tag("e\u{301}"), Tag("\u{E9}")]).count == 2)
    }

    @Test("device ids and aliases print shortened")
    func identifiers() {
        #expect("\(DeviceID("190e35f7e0a1b2c3d4e"))" == "…3d4e")
        #expect("\(Alias("short"))" == "…")
        #expect("\(Tag("vip"))" == "vip")
        #expect("\(Alias("城市上海"))" == "…")
        #expect("\(Account(name: "user@example.com"))" == "….com")
        let addresses = [
            (#"{"endpoint":"https://push.example/send/SECRET","vapid":"0123"}"#, "https://push.example/…"),
            ("http://[::1]:8080/SECRET?x=1", "http://[::1]:8080/…"), ("https://push.example", "https://push.example/…"),
            ("https://user:SECRET@push.example/longer", "…nger"), ("https://?SECRET-4711", "…4711"),
            ("https://push.example?SECRET-4711", "…4711"), ("https://" + String(repeating: "a", count: 81), "…aaaa"),
        ]
        for (id, shown) in addresses { #expect("\(DeviceID(id))" == shown) }
        let request = TransportRequest(
            method: .get, url: "https://x/devices/190e35f7e0a1b2c3d4e", headers: [.authorization: "Basic secret"],
            timeout: .seconds(1))
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", dumped] { #expect(!text.contains("secret") && !text.contains("190e")) }
    }

    @Test(
        "a status without an explanation is never called harmless unless it is a refusal",
        arguments: [
            (429, PushError.Kind.rateLimited, PushError.Effect.notApplied), (401, .unauthorized, .notApplied),
            (404, .misconfigured, .notApplied), (302, .misconfigured, .unknown), (500, .server, .unknown),
            (502, .server, .unknown), (599, .server, .unknown), (418, .unknown, .unknown),
        ])
    func statuses(status: Int, kind: PushError.Kind, effect: PushError.Effect) {
        let error = PushError(unexplained: WireResponse(status: status))
        #expect(error.kind == kind)
        #expect(error.effect == effect)
    }
}

@Suite("Codes of vendors")
struct VendorCodeTests {
    @Test("numbers and words, in order")
    func order() throws {
        let codes: [VendorCode] = ["UNREGISTERED", 1011, "INTERNAL", 7, -1]
        #expect(codes.sorted() == [-1, 7, 1011, "INTERNAL", "UNREGISTERED"])
        #expect(VendorCode(1011) == "1011" && VendorCode("x").number == nil && VendorCode(7).number == 7)
        #expect(VendorCode(7).json == 7 && VendorCode("GONE").json == "GONE")
        #expect(try WireResponse(status: 400, body: Array(#"["a",12]"#.utf8)).json([VendorCode].self) == ["a", 12])
    }

    @Test(
        "a code that could be an identifier is not kept",
        arguments: [
            ("BadDeviceToken", true), ("THIRD_PARTY_AUTH_ERROR", true), ("-12", true), ("1979000000000000001", true),
            ("ya29.secret0", false), ("a b", false), ("", true), (String(repeating: "A", count: 65), false),
            ("user@example.com", false), ("é", false), ("invalid_grant", true), ("TooManyProviderTokenUpdates", true),
            ("INVALID-IP", true), (String(repeating: "a", count: 32), false), ("qWeRtYuIoPaSdFgHjKlZ", false),
            ("xkQpLmWvZrTyBnHcJdFg", false),
        ])
    func plausibility(text: String, isKept: Bool) {
        #expect(VendorDetail(code: VendorCode(text)).code == (isKept ? VendorCode(text) : "…"))
    }

    @Test("a code of the vendor's table is kept, whatever it looks like")
    func known() {
        let code: VendorCode = "aVeryLongCodeOfAVendorWhoseWordsAreShortAsIsTheCaseOfThisOne"
        let row = VendorErrorRow.refused(code, .noTarget, "gone", "test")
        #expect(PushError(row, VendorDetail(code: code), of: "Acme").vendor?.code == code)
    }
}

@Suite("Contexts of sends")
struct SendContextTests {
    @Test("an id is 32 hex digits, the same each time, and differs from context to context")
    func ids() {
        let contexts = (0..<200).map { _ in SendContext(at: .distantPast) }
        #expect(Set(contexts.map(\.id)).count == 200)
        for context in contexts {
            let (id, again) = (context.id, context.id)
            #expect(id == again && id.utf8.count == 32)
            #expect(id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        }
    }
}
