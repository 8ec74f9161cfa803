import PushAdapter
import PushClient
import PushSimulation
import Testing

@Suite("Responses that no vendor writes")
struct ResponseTests {
    private let message = Message(custom: CustomMessage(content: "c"))

    private func error(of response: WireResponse, for provider: Acme = Acme()) async -> PushError? {
        await #expect(throws: PushError.self) {
            try await makeClient(ScriptedTransport(.success(response)), for: provider).send(message, to: .everyone)
        }
    }

    @Test(
        "a longer response than the call can have is not read: its effect follows from its status",
        arguments: [
            (200, PushError.Kind.malformedResponse, PushError.Effect.unknown), (400, .unknown, .unknown),
            (401, .unauthorized, .notApplied), (503, .server, .unknown),
        ])
    func tooLong(status: Int, kind: PushError.Kind, effect: PushError.Effect) async throws {
        let wasDiagnosed = Locked(false)
        var acme = Acme()
        acme.diagnosis = { _ in
            wasDiagnosed.withLock { $0 = true }
            return nil
        }
        let body = Array(#"{"id":"1"}"#.utf8) + Array(repeating: 0x20, count: 64 << 10)
        let error = await error(of: WireResponse(status: status, body: body), for: acme)
        #expect(error?.kind == kind && error?.effect == effect)
        #expect(error?.message.contains("65546 bytes") == true && error?.vendor?.httpStatus == status)
        #expect(!wasDiagnosed.withLock { $0 })
        // A call that allows a long response.
        let long = Exchange<Int>("test.read", WireRequest(.get, "api"), idempotency: .idempotent) {
            (response) throws(PushError) in response.body.count
        }
        let client = makeClient(ScriptedTransport(.success(WireResponse(status: 200, body: body))))
        #expect(try await client.run(long) == body.count)
    }

    @Test("an id of a message that is far too long is no acceptance, and is not kept")
    func longID() async throws {
        for size in [256, 257, 60_000] {
            let exchange = Exchange<SendReceipt>("test.write", WireRequest(.post, "api"), idempotency: .unkeyed) {
                _ throws(PushError) in SendReceipt(messageID: MessageID(String(repeating: "1", count: size)))
            }
            let client = makeClient(ScriptedTransport(.ok))
            guard size > 256 else {
                #expect(try await client.run(exchange).messageIDs.count == 1)
                continue
            }
            let error = await #expect(throws: PushError.self) { try await client.run(exchange) }
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
        }
    }

    @Test("keys that are far too long are refused, and no more are kept than were asked for")
    func keys() async throws {
        var acme = Acme()
        acme.mintsKeys = true
        acme.keys = { _ in [String(repeating: "k", count: 1000)] }
        var options = SendOptions()
        options.requiresKeys = true
        let client = makeClient(ScriptedTransport(.ok), for: acme) { $0.retry = .none }
        let error = await #expect(throws: PushError.self) {
            try await client.send(message, to: .everyone, options: options)
        }
        #expect(error?.kind == .malformedResponse && error?.effect == .notApplied)
        acme.keys = { _ in (0..<1000).map { "k\($0)" } }
        let transport = ScriptedTransport(.ok)
        let modest = makeClient(transport, for: acme) { $0.keysPerMint = 2 }
        for _ in 0..<3 { _ = try await modest.send(message, to: .everyone) }
        // The vendor gives the same keys again, and the client refuses them.
        let sent = transport.requests.filter { !$0.url.contains("keys") }.map { $0.text.prefix(2) }
        #expect(sent == ["k0", "k1", "-|"])
    }
}
