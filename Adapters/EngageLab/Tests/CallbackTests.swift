import EngageLabSimulator
import Foundation
import PushAdapter
import PushClient
import PushCrypto
import PushEngageLab
import PushSimulation
import PushWebhooks
import TestSupport
import Testing

@Suite("EngageLab callbacks")
struct CallbackTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let body = #"""
        {"total":2,"rows":[{"message_id":"1790000000000000001","from":"","to":"171976fa8a00000a001",
          "server":"AppPush","channel":"FCM","custom_args":{"tenant":"t1"},"itime":1763640000,
          "status":{"message_status":"delivered","status_data":{"channel_message_id":"abc"},
                    "error_code":0,"error_detail":{"message":""}}},
         {"message_id":17,"to":"x","status":{"message_status":"target_invalid"}}]}
        """#
    /// The test vector of the sheet: `demo-secret` over 1700000000, 987654321 and demo-user.
    private static let signature = "fab05524f329e2b5cb8f854d3914c5f1d5f4d93198c5f75907823f8e1cfa65bb"

    private func receiver(
        _ nonces: any NonceStore = MemoryNonceStore(), longest: Int = 1 << 20, unsigned: Bool = true
    ) throws -> EngageLabCallbacks {
        try EngageLabCallbacks(
            username: "demo-user", secret: Secret("demo-secret"), nonces: nonces, longestBody: longest,
            answersUnsignedChecks: unsigned)
    }

    private func call(
        _ body: String = body, timestamp: String = "1700000000", nonce: String = "987654321",
        username: String = "demo-user", signature: String = signature, method: HTTPRequest.Method = .post
    ) -> WebhookCall {
        let header = "timestamp=\(timestamp);nonce=\(nonce);username=\(username);signature=\(signature)"
        return raw(header, body, method)
    }

    private func raw(_ header: String?, _ body: String = body, _ method: HTTPRequest.Method = .post) -> WebhookCall {
        var headers: HTTPFields = [:]
        if let name = HTTPField.Name("X-Callback-Id") { headers[name] = header }
        return WebhookCall(method: method, headers: headers, body: Array(body.utf8))
    }

    private func signed(at date: Date, nonce: String = "1", _ body: String = body) -> WebhookCall {
        let time = String(Int(date.timeIntervalSince1970))
        let code = Digests.hmacSHA256(Array("\(time)\(nonce)demo-user".utf8), key: Secret("demo-secret"))
        return call(body, timestamp: time, nonce: nonce, signature: Digests.hex(code))
    }

    private func status(_ call: WebhookCall, _ receiver: EngageLabCallbacks, at date: Date = now) async -> Int? {
        await receiver.refusal(of: call, at: date)
    }

    @Test("a call that is signed right is read, with the vendor's words for what is not documented")
    func events() async throws {
        let answer = try await receiver().receive(call(), at: Self.now)
        #expect(answer.events.map(\.kind) == [.delivered, "engagelab.target_invalid"])
        #expect(answer.events.allSatisfy { $0.verdict == nil })
        let first = try #require(answer.events.first)
        #expect(first.device == "171976fa8a00000a001" && first.message == "1790000000000000001")
        #expect(first.date == Date(timeIntervalSince1970: 1_763_640_000))
        #expect(first.fields["custom_args"]?["tenant"] == "t1")
        #expect(answer.events[1].message == "17" && answer.body.isEmpty)
    }

    @Test("a forged call is refused unread")
    func forged() async throws {
        let changed = String(Self.signature.dropLast()) + "c"
        let forgeries = [
            call("[", signature: changed), call("[", signature: ""), call("[", signature: Self.signature.uppercased()),
            call("[", nonce: "987654322"), call("[", timestamp: "1700000001"), call("[", username: "other"),
            raw(nil, "["), raw("", "["), raw("signature=\(Self.signature)", "["),
            raw("timestamp=1700000000;nonce=987654321;username=demo-user", "["),
        ]
        for forgery in forgeries { #expect(try await status(forgery, receiver()) == 401) }
    }

    @Test("digits that move from one part of what is signed to another make no other call of it")
    func moved() async throws {
        let shifted = [
            call(timestamp: "17000000009", nonce: "87654321"), call(timestamp: "170000000", nonce: "0987654321"),
            call(nonce: "987654321d", username: "emo-user"), call(nonce: "98765432", username: "1demo-user"),
            call(timestamp: "+1700000000"), call(timestamp: "1.7e9"),
        ]
        for call in shifted { #expect(try await status(call, receiver()) == 401) }
        #expect(
            try await status(raw("timestamp=1700000000;timestamp=1;nonce=1;username=u;signature=s"), receiver()) == 401)
    }

    @Test("a call is refused when its time is over five minutes off, before or after")
    func stale() async throws {
        for seconds in [-300.0, 0, 300] {
            #expect(try await status(call(), receiver(), at: Self.now.addingTimeInterval(seconds)) == nil)
        }
        for seconds in [-301.0, 301, 86_400] {
            #expect(try await status(call(), receiver(), at: Self.now.addingTimeInterval(seconds)) == 401)
        }
    }

    @Test("a call is believed once, by all machines that share a store, until it would be stale anyway")
    func replayed() async throws {
        let store = MemoryNonceStore()
        let machines = [try receiver(store), try receiver(store)]
        #expect(await status(call(), machines[0]) == nil)
        for machine in machines { #expect(await status(call(), machine) == 409) }
        #expect(await status(signed(at: Self.now, nonce: "2"), machines[1]) == nil)
        // The same number in another second is a different call.
        #expect(
            await status(signed(at: Self.now.addingTimeInterval(1), nonce: "987654321"), machines[1]) == nil)
        #expect(await store.count == 3)
        let later = Self.now.addingTimeInterval(302)
        #expect(await status(signed(at: later, nonce: "3"), machines[0], at: later) == nil)
        #expect(await store.count == 1)
    }

    @Test("a call that cannot be read is not remembered, so that it can come again whole")
    func truncated() async throws {
        let receiver = try receiver()
        #expect(await status(call(String(Self.body.dropLast(9))), receiver) == 400)
        #expect(await status(call(), receiver) == nil)
    }

    @Test("a call whose events could not be stored may come again; one that was refused is given back by nobody")
    func released() async throws {
        let receiver = try receiver()
        let answer = try await receiver.receive(call(), at: Self.now)
        #expect(await status(call(), receiver) == 409)
        try await receiver.release(answer)
        #expect(await status(call(), receiver) == nil)
        try await receiver.release(WebhookAnswer([]))
        #expect(await status(call(), receiver) == 409)
    }

    @Test("a store that cannot be reached believes nothing, and the vendor is told to call again")
    func brokenStore() async throws {
        struct Broken: NonceStore {
            func claim(_ nonce: String, until expiry: Date, at now: Date) async throws -> Bool {
                throw CancellationError()
            }
            func release(_ nonce: String) async throws {}
        }
        #expect(await status(call(), try receiver(Broken())) == 503)
    }

    @Test("many calls at once with one nonce: one is believed")
    func concurrent() async throws {
        let receiver = try receiver()
        let believed = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { await status(call(), receiver) == nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(believed == 1)
    }

    @Test("a receiver without a secret is refused: anybody could sign with none")
    func noSecret() {
        let error = refusal { () throws(PushError) in try EngageLabCallbacks(username: "u", secret: Secret("")) }
        #expect(error?.kind == .misconfigured)
    }

    @Test("a mebibyte is read, one byte more is refused unread, and so is what is no POST")
    func oversize() async throws {
        let frame = #"{"rows":[],"x":""}"#.utf8.count
        func body(_ count: Int) -> String { #"{"rows":[],"x":"\#(String(repeating: "x", count: count - frame))"}"# }
        #expect(try await status(call(body(1 << 20)), receiver()) == nil)
        #expect(try await status(call(body(1 << 20 + 1)), receiver()) == 413)
        #expect(try await status(call(signature: "", method: .get), receiver()) == 405)
    }

    @Test("what cannot be read is refused", arguments: ["", "[", "[]", "{}", #"{"rows":1}"#, #"{"rows":[1]}"#])
    func malformed(body: String) async throws { #expect(try await status(call(body), receiver()) == 400) }

    @Test("the check of the address is answered with its text, and with nothing else")
    func echo() async throws {
        let check = #"{"echostr":"a1B2c3D4"}"#
        #expect(try await receiver().receive(raw(nil, check), at: Self.now).body == Array("a1B2c3D4".utf8))
        #expect(try await receiver().receive(call(check), at: Self.now).events.isEmpty)
        #expect(try await status(raw(nil, check), receiver(unsigned: false)) == 401)
        for text in [
            #"{"echostr":"<script>"}"#, #"{"echostr":""}"#, #"{"echostr":"a","rows":[]}"#, #"{"echostr":1}"#,
            #"{"echostr":"\#(String(repeating: "a", count: 65))"}"#,
            #"{"echostr":"a"\#(String(repeating: " ", count: 256))}"#,
        ] {
            #expect(try await status(raw(nil, text), receiver()) == 401)
        }
        // A signed call with an unsafe check text is not a list of rows either.
        #expect(try await status(call(#"{"echostr":"<script>"}"#), receiver()) == 400)
    }

    @Test("neither secret nor devices are shown by a receiver, a call or a refusal")
    func silent() async throws {
        var shown = "\(try receiver()) \(call())"
        dump(try receiver(), to: &shown)
        dump(call(), to: &shown)
        do { _ = try await receiver().receive(call(signature: "x"), at: Self.now) } catch { shown += "\(error)" }
        for text in ["demo-secret", "171976fa8a00000a001", Self.signature] { #expect(!shown.contains(text)) }
    }
}

/// A backend for the simulator's callbacks, in this process.
private struct Backend: HTTPTransport {
    let receiver: EngageLabCallbacks
    let clock: VirtualClock
    /// The statuses to answer the first calls with.
    let failures: Locked<[Int?]>
    let calls = Locked<[(call: WebhookCall, date: Date, status: Int)]>([])

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        guard case .bytes(let body, let type) = request.body, type == "application/json" else {
            throw PushError(.transport, "no JSON")
        }
        let call = WebhookCall(method: request.method, headers: request.headers, body: body)
        var response = WireResponse(status: 200)
        if let failure = failures.withLock({ $0.isEmpty ? nil : .some($0.removeFirst()) }) {
            guard let failure else { throw PushError(.timeout, "no answer in \(request.timeout)") }
            response = WireResponse(status: failure)
        } else {
            do throws(WebhookRefusal) {
                response.body = try await receiver.receive(call, at: clock.date).body
            } catch {
                response = WireResponse(status: error.status)
            }
        }
        let status = response.status
        calls.withLock { $0.append((call, clock.date, status)) }
        return response
    }

    func shutdown() async {}
}

@Suite("EngageLab's calls to a backend")
struct OutgoingCallbackTests {
    private func world(
        anew: Bool = true, secret: String = "demo-secret", failures: [Int?] = []
    ) throws -> (world: World, backend: Backend) {
        let world = try World(settings: { settings in
            settings.callback = .init(
                url: "https://backend.example/callbacks", username: "demo-user", secret: Secret(secret))
            settings.signsCallbacksAnew = anew
        })
        let backend = Backend(
            receiver: try EngageLabCallbacks(username: "demo-user", secret: Secret("demo-secret")), clock: world.clock,
            failures: Locked(failures))
        return (world, backend)
    }

    private func deliver(_ world: World, _ backend: Backend) async -> [CallbackCourier.Visit] {
        await CallbackCourier(world.simulator, transport: backend, clock: world.clock).run()
    }

    @Test("what happened is told, signed, with the caller's own data; a click comes later")
    func delivered() async throws {
        let (world, backend) = try world()
        let message = try Sample.message(options: #"{"from":"shop","custom_args":{"order":7}}"#)
        let report = try await world.client.send(message, to: .devices([Sample.ios, Sample.android]))
        let visits = await deliver(world, backend)
        #expect(!visits.isEmpty && visits.allSatisfy { $0.status == 200 })
        for _ in 0..<2 {
            await world.simulator.open(report.messageIDs[0].rawValue, on: Sample.ios.rawValue, at: world.clock.date)
        }
        #expect(await deliver(world, backend).map(\.status) == [200])
        // A recalled message has no more events.
        try await world.client.run(try world.engageLab.recall(report.messageIDs[0]))
        await world.simulator.open(report.messageIDs[0].rawValue, on: Sample.android.rawValue, at: world.clock.date)
        #expect(await deliver(world, backend).isEmpty)
        let fresh = try EngageLabCallbacks(username: "demo-user", secret: Secret("demo-secret"))
        var events: [WebhookEvent] = []
        for call in backend.calls.withLock({ $0 }) {
            events += try await fresh.receive(call.call, at: call.date).events
        }
        #expect(events.count(where: { $0.kind == .delivered }) == 2)
        #expect(events.last?.kind == "engagelab.click" && events.last?.device == Sample.ios)
        #expect(events.allSatisfy { $0.message == report.messageIDs[0] && $0.fields["custom_args"]?["order"] == 7 })
        #expect(events.first?.fields["from"] == "shop")
    }

    @Test("a call that is not answered comes again after 10 s, 1 min, 5 min, 30 min and 1 h, and then no more")
    func ladder() async throws {
        let failures: [Int?] = [500, nil, 404, 503, nil, 500, 500]
        let (world, backend) = try world(failures: failures)
        _ = try await world.client.send(Sample.message, to: .devices([Sample.ios]))
        let start = world.clock.date
        let visits = await deliver(world, backend)
        #expect(visits.map(\.callback.attempt) == [1, 2, 3, 4, 5, 6])
        #expect(visits.map(\.status) == [500, nil, 404, 503, nil, 500])
        #expect(Set(visits.map(\.callback.number)).count == 1)
        #expect(visits.allSatisfy { $0.callback.timeout == .seconds(3) })
        #expect(world.clock.date.timeIntervalSince(start).rounded() == 10 + 60 + 300 + 1800 + 3600)
    }

    @Test("a call that comes again is believed when it is signed anew, or when the first was released")
    func again() async throws {
        let (world, backend) = try world(failures: [500])
        _ = try await world.client.send(Sample.message, to: .devices([Sample.ios]))
        #expect(await deliver(world, backend).map(\.status) == [500, 200])

        let (other, same) = try self.world(anew: false, failures: [500, 500, 500])
        _ = try await other.client.send(Sample.message, to: .devices([Sample.ios]))
        // After six minutes the old signature is stale.
        #expect(await deliver(other, same).map(\.status) == [500, 500, 500, 401, 401, 401])
    }

    @Test("a backend that has another secret refuses every try")
    func wrongSecret() async throws {
        let (world, backend) = try world(secret: "another")
        _ = try await world.client.send(Sample.message, to: .devices([Sample.ios]))
        #expect(await deliver(world, backend).compactMap(\.status) == Array(repeating: 401, count: 6))
    }

    @Test("a vendor without a user name signs nothing, and is refused")
    func unsigned() async throws {
        let world = try World(settings: {
            $0.callback = .init(url: "https://backend.example", username: "", secret: Secret("x"))
        })
        let (_, backend) = try self.world()
        _ = try await world.client.send(Sample.message, to: .devices([Sample.android]))
        #expect(await deliver(world, backend).allSatisfy { $0.callback.headers.isEmpty && $0.status == 401 })
    }

    @Test("a device that cannot be reached is told as a failure")
    func failures() async throws {
        let (world, backend) = try world()
        var message = Sample.message
        message.environment = .development
        _ = try await world.client.send(message, to: .devices([Sample.ios]))
        _ = await deliver(world, backend)
        let fresh = try EngageLabCallbacks(username: "demo-user", secret: Secret("demo-secret"))
        var events: [WebhookEvent] = []
        for call in backend.calls.withLock({ $0 }) {
            events += try await fresh.receive(call.call, at: call.date).events
        }
        #expect(events.map(\.kind) == ["engagelab.sent", "engagelab.sent_failed"])
        #expect(events.last?.fields["status"]?["error_code"]?.intValue == 1)
    }

    @Test("the address is checked with a text that has to come back")
    func check() async throws {
        let (world, backend) = try world()
        await world.simulator.checkCallbackURL(at: world.clock.date)
        #expect(await deliver(world, backend).count == 1)
        #expect(await world.simulator.isCallbackConfirmed)

        let (silent, mute) = try self.world(failures: [200])
        await silent.simulator.checkCallbackURL(at: silent.clock.date)
        #expect(await deliver(silent, mute).count == 1)
        #expect(await !silent.simulator.isCallbackConfirmed)
    }

    @Test("nothing is called without an address, and a courier makes no more calls than it may")
    func bounded() async throws {
        let quiet = try World()
        _ = try await quiet.client.send(Sample.message, to: .everyone)
        let (world, backend) = try world(failures: Array(repeating: 500, count: 50))
        #expect(await deliver(quiet, backend).isEmpty)
        for _ in 0..<5 { _ = try await world.client.send(Sample.message, to: .devices([Sample.ios])) }
        let courier = CallbackCourier(world.simulator, transport: backend, clock: world.clock)
        #expect(await courier.run(upTo: 3).count == 3)
        // No address is set, so the check does nothing.
        await quiet.simulator.checkCallbackURL(at: quiet.clock.date)
        #expect(await deliver(quiet, backend).isEmpty)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await courier.run()
        }
        #expect(await cancelled.value.isEmpty)
    }
}
