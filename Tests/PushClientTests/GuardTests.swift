import PushAdapter
import PushClient
import PushSimulation
import TestSupport
import Testing

@Suite("Refusals before the wire")
struct GuardTests {
    private let custom = Message(custom: CustomMessage(content: "c"))

    /// Runs a call. Requires a refusal of this kind, and that nothing was sent.
    private func refuses(
        _ kind: PushError.Kind, _ call: (PushClient) async throws -> Void
    ) async -> PushError? {
        let transport = ScriptedTransport(.ok)
        let error = await #expect(throws: PushError.self) { try await call(makeClient(transport)) }
        #expect(error?.kind == kind)
        #expect(error?.effect == .notApplied)
        #expect(transport.requests.isEmpty)
        return error
    }

    @Test("a request to a service without HTTP/1.1 says so, and no other does", arguments: [true, false])
    func http2Only(isHTTP2Only: Bool) async throws {
        let transport = ScriptedTransport(.ok)
        var acme = Acme()
        acme.dataCenter.http2Services = isHTTP2Only ? ["api"] : ["other"]
        let message = Message(custom: CustomMessage(content: "c"))
        _ = try await makeClient(transport, for: acme).send(message, to: .devices(["d1"]))
        #expect(transport.requests.map(\.requiresHTTP2) == [isHTTP2Only])
    }

    @Test(
        "an audience the provider does not have is refused",
        arguments: [
            Audience.aliases(["a"]), .accounts([Account(name: "a")]), .tagged(allOf: ["a"]), .tagged(noneOf: ["a"]),
            .segment("s"), .liveActivity("l"), .file("f"),
        ])
    func audiences(audience: Audience) async {
        _ = await refuses(.unsupported) { _ = try await $0.send(custom, to: audience) }
    }

    @Test("content the provider does not have is refused")
    func contents() async {
        _ = await refuses(.unsupported) { _ = try await $0.send(Message(voip: ["a": 1]), to: .everyone) }
        _ = await refuses(.unsupported) { _ = try await $0.send(Message(liveActivity: ["a": 1]), to: .everyone) }
        let badge = Message(notification: Notification(body: "b", ios: IOSNotification(badge: .change(by: 1))))
        _ = await refuses(.unsupported) { _ = try await $0.send(badge, to: .everyone) }
    }

    @Test("empty input is refused")
    func empty() async {
        _ = await refuses(.invalidArgument) { _ = try await $0.send(Message(), to: .everyone) }
        _ = await refuses(.invalidArgument) { _ = try await $0.send(custom, to: .devices([])) }
        _ = await refuses(.invalidArgument) { _ = try await $0.send(custom, to: .tagged()) }
        _ = await refuses(.invalidArgument) { _ = try await $0.send(custom, to: .devices(["", " ", "a\nb"])) }
        _ = await refuses(.invalidArgument) { _ = try await $0.updateTags(.add([]), of: "d") }
        _ = await refuses(.invalidArgument) { _ = try await $0.updateTags(.remove([]), of: "d") }
        _ = await refuses(.invalidArgument) { _ = try await $0.readTags(of: "") }
        _ = await refuses(.invalidArgument) { _ = try await $0.readDeliveries(of: []) }
        var noPlatform = custom
        noPlatform.platforms = []
        let message = noPlatform
        _ = await refuses(.invalidArgument) { _ = try await $0.send(message, to: .everyone) }
    }

    @Test(
        "what a vendor's own call is given is checked like the calls of the model",
        arguments: [
            (Input.tags(["a b"]), PushError.Kind.invalidArgument), (.tags(["123456789"]), .tooLong),
            (.devices(["fine", ""]), .invalidArgument), (.devices(["12345678901"]), .tooLong),
            (.count(0, .devicesPerSend, "the devices"), .invalidArgument),
            (.count(4, .devicesPerSend, "the devices"), .limitExceeded),
            (.amount(101, .timeToLive, "seconds"), .limitExceeded), (.message(Message()), .invalidArgument),
            (.audience(.devices(["a", "b", "c", "d"])), .limitExceeded),
            (.audience(.devices(["a", ""])), .invalidArgument),
            (.audience(.tagged(anyOf: ["a", "b", "c"])), .limitExceeded),
            (.text("a\u{85}", "test.text", "a text"), .invalidArgument),
        ])
    func inputs(input: Input, kind: PushError.Kind) async {
        let error = await refuses(kind) { client in
            var exchange = Acme().call(.idempotent)
            exchange.inputs = [.devices(["d"]), input]
            try await client.run(exchange)
        }
        #expect(error?.operation == "test.read")
    }

    @Test("an input prints what it is, and nothing of what it says")
    func printing() {
        let secret = "190e35f7e0"
        let inputs: [Input] = [
            .message(Message(custom: CustomMessage(content: secret))), .audience(.devices([DeviceID(secret)])),
            .devices([DeviceID(secret)]), .aliases([Alias(secret)]), .tags([Tag(secret)]),
            .accounts([Account(name: secret)]), .accountsOfDevice([Account(name: secret)]),
            .attributes([secret: secret]), .phone(PhoneNumber(secret)), .text(secret, .scheduleName, "a name"),
            .count(1, .schedules, "the schedules"), .amount(1, .timeToLive, "the life"),
        ]
        var dumped = ""
        dump(inputs, to: &dumped)
        #expect(!"\(inputs) \(dumped)".contains(secret))
    }

    @Test("limits hold at the edge and refuse one beyond")
    func limits() async throws {
        let client = makeClient(ScriptedTransport(.ok))
        _ = try await client.updateTags(.add(["12345678"]), of: "d")
        _ = try await client.send(custom, to: .tagged(anyOf: ["a", "b"]))
        var alive = custom
        alive.timeToLive = .seconds(100)
        _ = try await client.send(alive, to: .everyone)

        _ = await refuses(.tooLong) { _ = try await $0.updateTags(.add(["123456789"]), of: "d") }
        _ = await refuses(.tooLong) { _ = try await $0.readTags(of: "12345678901") }
        _ = await refuses(.tooLong) {
            _ = try await $0.updateTags(.add([Tag(String(repeating: "x", count: 10_240))]), of: "d")
        }
        _ = await refuses(.limitExceeded) { _ = try await $0.send(custom, to: .tagged(anyOf: ["a", "b", "c"])) }
        _ = await refuses(.limitExceeded) { _ = try await $0.updateTags(.add(["1", "2", "3", "4", "5"]), of: "d") }
        for life in [Duration.seconds(101), .seconds(-1), .milliseconds(500)] {
            var message = custom
            message.timeToLive = life
            let wrong = message
            _ = await refuses(life == .seconds(101) ? .limitExceeded : .invalidArgument) {
                _ = try await $0.send(wrong, to: .everyone)
            }
        }
    }

    @Test("a refusal names the character and what is allowed", arguments: ["a b", "a\r\nb", "a\u{0}b", "😀", "a-b"])
    func characters(tag: String) async {
        let error = await refuses(.invalidArgument) { _ = try await $0.updateTags(.add([Tag(tag)]), of: "d") }
        #expect(error?.message.contains("U+") == true)
        #expect(error?.message.contains("letters") == true)
    }

    @Test("an operation nobody declared is refused")
    func undeclared() async {
        _ = await refuses(.unsupported) { client in
            _ = try await client.run(
                Exchange("test.unheard", WireRequest(.get, "api"), idempotency: .idempotent) { _ throws(PushError) in })
        }
        _ = await refuses(.unsupported) { try await $0.setAlias("a", of: "d") }
    }

    @Test("a client that was shut down refuses")
    func shutdown() async {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport)
        await client.shutdown()
        let error = await #expect(throws: PushError.self) { try await client.run(Acme().call(.idempotent)) }
        #expect(error?.kind == .stopped)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "draining refuses new calls and lets those in flight go on, with requests that follow", .timeLimit(.minutes(20))
    )
    func draining() async throws {
        let isHeld = Locked(true)
        let transport = ScriptedTransport { (_, number) async throws(PushError) in
            await until { !isHeld.withLock { $0 } }
            return try (number == 1 ? Result.status(503) : .ok).get()
        }
        let client = makeClient(transport) {
            $0.clock = SystemClock()
            $0.deadline = .seconds(600)
        }
        let running = Task { try await client.run(Acme().call(.idempotent)) }
        await until { !transport.requests.isEmpty }
        let ended = Locked(false)
        let shutdown = Task {
            await client.shutdown(draining: .seconds(600))
            ended.withLock { $0 = true }
        }
        var refusal: PushError?
        while refusal == nil {
            do throws(PushError) { try client.preflight("d") } catch { refusal = error }
            await Task.yield()
        }
        #expect(refusal?.kind == .stopped)
        for call in [
            { _ = try await client.run(Acme().call(.idempotent)) }, { _ = try await client.readTags(of: "d") },
        ] {
            let error = await #expect(throws: PushError.self) { try await call() }
            #expect(error?.kind == .stopped && error?.effect == .notApplied)
        }
        #expect(transport.requests.count == 1 && !ended.withLock { $0 })
        isHeld.withLock { $0 = false }
        _ = try await running.value
        #expect(transport.requests.count == 2)
        await shutdown.value
    }

    @Test("draining ends with its time")
    func drainingEnds() async throws {
        let (clock, isHeld) = (VirtualClock(), Locked(true))
        let transport = ScriptedTransport { (_, _) async throws(PushError) in
            await until { !isHeld.withLock { $0 } }
            return try Result.status(503).get()
        }
        let client = makeClient(transport, clock: clock)
        let running = Task { try await client.run(Acme().call(.idempotent)) }
        await until { !transport.requests.isEmpty }
        await client.shutdown(draining: .seconds(5))
        #expect(clock.elapsed >= .seconds(5))
        isHeld.withLock { $0 = false }
        let error = await #expect(throws: PushError.self) { try await running.value }
        #expect(error?.kind == .stopped)
        #expect(transport.requests.count == 1)
    }

    @Test("a call that sleeps while the client is shut down sends nothing when it wakes")
    func shutdownWhileWaiting() async {
        let clock = VirtualClock()
        let shut = Locked<PushClient?>(nil)
        let transport = ScriptedTransport { _, _ throws(PushError) in
            await shut.withLock { $0 }?.shutdown()
            return try Result.status(429, [.retryAfter: "5"]).get()
        }
        let client = makeClient(transport, clock: clock)
        shut.withLock { $0 = client }
        let error = await #expect(throws: PushError.self) { try await client.run(Acme().call(.idempotent)) }
        #expect(error?.kind == .stopped)
        #expect(transport.requests.count == 1)
        shut.withLock { $0 = nil }
    }

    @Test("a cancelled task sends nothing")
    func cancelled() async {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport)
        let task = Task {
            await untilCancelled()
            try await client.run(Acme().call(.idempotent))
        }
        task.cancel()
        let error = await #expect(throws: PushError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(transport.requests.isEmpty)
    }

    @Test("refusals pass the observing layers")
    func observed() async {
        let log = EventLog()
        let client = makeClient(ScriptedTransport(.ok)) { $0.layers = [log] }
        _ = try? await client.updateTags(.add(["a b"]), of: "d")
        _ = try? await client.send(custom, to: .segment("s"))
        #expect(log.lines == ["tags.add begins", "tags.add invalidArgument", "send begins", "send unsupported"])
    }

    @Test("an unreadable answer leaves the effect unknown", arguments: ["", "<html>", "[1", "\u{0}"])
    func unreadable(body: String) async {
        let transport = ScriptedTransport(.success(WireResponse(status: 200, body: Array(body.utf8))))
        let error = await #expect(throws: PushError.self) { try await makeClient(transport).readTags(of: "d") }
        #expect(error?.kind == .malformedResponse)
        #expect(error?.effect == .unknown)
        #expect(transport.requests.count == 3)
    }
}
