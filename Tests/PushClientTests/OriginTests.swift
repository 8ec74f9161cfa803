import FoundationEssentials
import PushAdapter
import PushMemory
import PushSimulation
import TestSupport
import Testing

@testable import PushClient

@Suite("Targets with addresses of their own")
struct OriginTests {
    private let message = Message(custom: CustomMessage(content: "c"))

    /// A request to an address, signed by a key for its origin and charged to it.
    private func exchange(_ url: String, key: String = "k1") throws -> Exchange<Void> {
        let address = try TargetAddress(url)
        var exchange = Acme().call(.idempotent)
        exchange.request.address = address
        exchange.credential = .origin(address.origin, key: key)
        exchange.charges = [QuotaCharge(.origin(of: address))]
        return exchange
    }

    // MARK: Tokens

    /// Signs with tokens minted here, for an hour; `minted` gets their scopes.
    private func minting(_ minted: Locked<[CredentialScope]>, group: String? = nil) -> Acme {
        var acme = Acme()
        acme.group = group
        acme.tokens = TokenMinting(renewalMargin: .zero) { (scope, now) throws(PushError) in
            let number = minted.withLock { minted in
                minted.append(scope)
                return minted.count
            }
            return .made(AccessToken(Secret("m\(number)"), mintedAt: now, expiresAt: now.addingTimeInterval(3600)))
        }
        return acme
    }

    @Test("each origin and key has one token, made at first use, until it expires")
    func tokens() async throws {
        let (minted, clock, transport) = (Locked<[CredentialScope]>([]), VirtualClock(), ScriptedTransport(.ok))
        let client = makeClient(transport, for: minting(minted), clock: clock)
        #expect(minted.withLock { $0 }.isEmpty)
        for (host, key) in [("a", "k1"), ("b", "k1"), ("a", "k1"), ("a", "k2")] {
            try await client.run(exchange("https://\(host).example/p", key: key))
        }
        let (a, b) = ("https://a.example", "https://b.example")
        #expect(
            minted.withLock { $0 } == [.origin(a, key: "k1"), .origin(b, key: "k1"), .origin(a, key: "k2")])
        #expect(
            transport.requests.map { $0.headers[.authorization] } == [
                "Bearer m1", "Bearer m2", "Bearer m1", "Bearer m3",
            ])
        clock.advance(by: .seconds(3601))
        try await client.run(exchange("https://b.example/p"))
        #expect(transport.requests.last?.headers[.authorization] == "Bearer m4")
    }

    @Test("of more than 1,024 origins, the one that was unused for the longest time loses its token and connections")
    func mostPools() async throws {
        let (minted, transport) = (Locked<[CredentialScope]>([]), ScriptedTransport(.ok))
        let client = makeClient(transport, for: minting(minted, group: "key"))
        func run(_ number: Int) async throws { try await client.run(exchange("https://o\(number).example/p")) }
        for number in 0..<1024 { try await run(number) }
        #expect(transport.retiredGroups.isEmpty)
        try await run(1024)
        #expect(minted.withLock { $0.count } == 1025)
        #expect(transport.retiredGroups == [transport.requests.first?.connectionGroup])
        // Those that were used last have theirs.
        for number in [1024, 1] { try await run(number) }
        #expect(minted.withLock { $0.count } == 1025)
        try await run(0)
        #expect(minted.withLock { $0.count } == 1026 && transport.retiredGroups.count == 2)
        // Origin 2 was unused for longer than origin 1.
        try await run(1)
        #expect(minted.withLock { $0.count } == 1026)
        try await run(2)
        #expect(minted.withLock { $0.count } == 1027)
    }

    @Test("an origin with a request in flight keeps its token")
    func poolInUse() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            if request.host == "o0.example" { for await _ in gate {} }
            return try Result.ok.get()
        }
        let minted = Locked<[CredentialScope]>([])
        let client = makeClient(transport, for: minting(minted))
        func run(_ number: Int) async throws { try await client.run(exchange("https://o\(number).example/p")) }
        let slow = try exchange("https://o0.example/p")
        let held = Task { try await client.run(slow) }
        await until { transport.requests.count == 1 }
        for number in 1...1024 { try await run(number) }
        #expect(minted.withLock { $0.count } == 1025)
        open.finish()
        try await held.value
        try await run(0)
        #expect(minted.withLock { $0.count } == 1025)
        // It stayed in place of the next one.
        try await run(1)
        #expect(minted.withLock { $0.count } == 1026)
    }

    @Test("connections of the tokens for origins close when the credentials are replaced")
    func replacement() async throws {
        let (minted, transport) = (Locked<[CredentialScope]>([]), ScriptedTransport(.ok))
        let client = makeClient(transport, for: minting(minted, group: "first"))
        try await client.run(exchange("https://a.example/p"))
        let group = try #require(transport.requests.first?.connectionGroup)
        try client.replaceCredentials(with: minting(minted, group: "second"))
        #expect(transport.retiredGroups.contains(group))
        try await client.run(exchange("https://a.example/p"))
        #expect(minted.withLock { $0.count } == 2)
        #expect(transport.requests.last?.connectionGroup?.hasPrefix("second/") == true)
    }

    // MARK: Quotas

    @Test("a throttle of one origin pauses that origin, and no other", arguments: [true, false])
    func throttle(isNamed: Bool) async throws {
        let transport = ScriptedTransport { (_, number) throws(PushError) in
            try number == 1 ? Result.status(429, isNamed ? [.retryAfter: "9"] : [:]).get() : Result.ok.get()
        }
        let (clock, texts) = (VirtualClock(), PrintedEvents())
        let client = makeClient(transport, clock: clock) { configuration in
            (configuration.retry, configuration.layers) = (.none, [texts])
        }
        _ = try? await client.run(exchange("https://a.example/planted-sesame"))
        try await client.run(exchange("https://b.example/planted-sesame"))
        #expect(clock.elapsed == .zero)
        try await client.run(exchange("https://a.example/planted-sesame"))
        #expect(isNamed ? clock.elapsed == .seconds(9) : clock.elapsed > .zero)
        #expect(texts.all.contains { $0.contains("waiting") && $0.contains("origin https://a.example") })
        #expect(!texts.all.contains { $0.contains("sesame") })
    }

    @Test("of thousands of throttled origins, the lanes that come to rest first are forgotten")
    func lanes() {
        var lanes = QuotaLanes(["calls": Quota(10, per: .seconds(60), source: "test")])
        var most = 0
        lanes.change("calls") { _ in }
        // A request waits here, so this lane stays, although its pause ends first.
        lanes.open("busy")
        lanes.change("busy") { lane in
            lane.pause(until: .seconds(1), reopens: true, now: .zero)
            #expect(lane.take(1, number: 1, now: .zero) == .seconds(1))
        }
        for number in 0..<20_000 {
            let bucket = QuotaBucket("origin \(number)")
            #expect(lanes.change(bucket) { _ in true } == nil)
            lanes.open(bucket)
            lanes.change(bucket) { $0.pause(until: .seconds(10 + number), reopens: true, now: .zero) }
            most = max(most, lanes.count)
        }
        #expect(most == 4096)
        let kept: [QuotaBucket] = ["calls", "busy", "origin 19999"]
        #expect(kept.allSatisfy { lanes.change($0) { _ in true } == true })
        #expect(lanes.change("origin 0") { _ in true } == nil)
    }

    // MARK: Sends

    /// Ten devices: the even ones at `a.example`, the others at `b.example`.
    private func provider() -> MemoryProvider {
        MemoryProvider(key: Secret("sesame"), makesKeys: false).reachingDevices { (device) throws(PushError) in
            let isEven = device.rawValue.last?.wholeNumberValue.map { $0 % 2 == 0 } ?? false
            return try TargetAddress("https://\(isEven ? "a" : "b").example/v1/at/planted-sesame-\(device.rawValue)")
        }
    }

    private let devices = (0..<10).map { DeviceID("d\($0)") }

    private func client(
        _ transport: Origins, _ provider: MemoryProvider, _ layers: [any CallLayer] = []
    ) -> PushClient {
        var configuration = ClientConfiguration()
        configuration.clock = transport.host.clock
        configuration.layers = layers
        configuration.retry = .none
        return PushClient(provider, transport: transport, configuration: configuration)
    }

    private func vendor() -> MemoryVendor {
        MemoryVendor(
            key: Secret("sesame"), devices: devices.map { VirtualDevice($0.rawValue, .android) }, takesCallerKeys: true)
    }

    @Test("a list reaches each device at its own address, with the token of its origin")
    func list() async throws {
        let transport = Origins(vendor())
        let report = try await client(transport, provider()).send(message, to: .devices(devices))
        #expect(report.isComplete && report.acceptedCount == 10)
        let requests = transport.requests.withLock { $0 }
        #expect(
            Set(requests.map(\.url))
                == Set((0..<10).map { "https://\($0 % 2 == 0 ? "a" : "b").example/v1/at/planted-sesame-d\($0)" }))
        #expect(requests.count == 10 && requests.allSatisfy(\.requiresPublicAddress))
    }

    @Test("an origin that refuses the credentials does not end a list")
    func refusal() async throws {
        let transport = Origins(vendor())
        // The vendor sees another host, so the proof is not for it.
        transport.hosts.withLock { $0["a.example"] = "c.example" }
        var provider = provider()
        // One after the other, so that the first refusal would keep all others from starting.
        provider.capabilities.concurrency = 1
        let report = try await client(transport, provider).send(message, to: .devices(devices))
        #expect(report.acceptedCount == 5 && transport.requests.withLock { $0.count } == 10)
        #expect(report.slices.first?.failures == [.unauthorized: 5])
    }

    @Test("a watch may keep targets at one origin from being attempted, in a list and alone")
    func watched() async throws {
        let transport = Origins(vendor())
        let client = client(transport, provider())
        let watch = OneOrigin()
        var options = SendOptions()
        options.watch = watch
        let report = try await client.send(message, to: .devices(devices), options: options)
        #expect(report.acceptedCount == 5 && report.exceptions.allSatisfy { $0.status == .notAttempted })
        #expect(report.exceptions.allSatisfy { $0.failure?.kind == .circuitOpen } && report.slices[0].requestCount == 5)
        let alone = await #expect(throws: PushError.self) {
            try await client.send(message, to: .devices([devices[0]]), options: options)
        }
        #expect(alone?.kind == .circuitOpen && alone?.report?.exceptions.map(\.status) == [.notAttempted])
        #expect(try await client.send(message, to: .devices([devices[1]]), options: options).isComplete)
        #expect(transport.requests.withLock { $0.count { $0.host == "a.example" } } == 0)
        // What began ended.
        #expect(watch.begun.withLock { $0 } == 6 && watch.ended.withLock { $0 } == 6)
    }

    @Test(
        "a throttle of one target at its own address holds up a list no longer than the deadline of a request",
        arguments: [(12, 3, 24), (20, 2, 20), (400, 1, 0)])
    func throttledTarget(hint: Int, requests: Int, waited: Int) async throws {
        let transport = Origins(vendor())
        transport.answer.withLock {
            $0 = { url in
                url.hasSuffix("d4") ? WireResponse(status: 429, headers: [.retryAfter: "\(hint)"]) : nil
            }
        }
        var configuration = ClientConfiguration()
        configuration.clock = transport.host.clock
        let client = PushClient(
            TargetThrottle(base: provider()), transport: transport, configuration: configuration)
        let report = try await client.send(message, to: .devices(devices))
        #expect(report.acceptedCount == 9 && transport.host.clock.elapsed == .seconds(waited))
        #expect(transport.requests.withLock { $0.count { $0.url.hasSuffix("d4") } } == requests)
        let throttled = try #require(report.exceptions.first)
        #expect(throttled.status == .rejected(mayRetry: true))
        #expect(throttled.failure?.retry == .after(.seconds(hint)))
    }

    @Test(
        "no event, error or description of a call holds an address",
        arguments: [nil, 200, 401, 404, 410, 429, 500] as [Int?])
    func secrecy(status: Int?) async throws {
        let transport = Origins(vendor())
        // A vendor may quote the address that it was sent to.
        transport.answer.withLock {
            $0 = { url in status.map { WireResponse(status: $0, body: Array("\"\(url)\"".utf8)) } }
        }
        let texts = PrintedEvents()
        let client = client(transport, provider(), [texts])
        let explanation = client.explain(message, to: .devices(devices))
        texts.add(explanation, explanation.steps, explanation.steps.map(\.url), explanation.cost)
        #expect(explanation.refusals.isEmpty && explanation.steps.map(\.url) == ["https://a.example/…"])
        for targets in [[devices[0]], devices] {
            do throws(PushError) {
                texts.add(try await client.send(message, to: .devices(targets)))
            } catch {
                texts.add(error, error.report as Any, error.vendor as Any)
            }
        }
        for request in transport.requests.withLock({ $0 }) { texts.add(request) }
        texts.add(client.waitingCalls)
        #expect(transport.requests.withLock { $0.count } > 1)
        #expect(!texts.all.contains { $0.contains("sesame") })
    }
}

/// A vendor that answers at all hosts.
private final class Origins: HTTPTransport {
    let host: SimulatorHost
    let requests = Locked<[TransportRequest]>([])
    /// The hosts that the vendor sees, where they differ.
    let hosts = Locked<[String: String]>([:])
    /// The response to a request to an address; nil for the vendor's own.
    let answer = Locked<@Sendable (String) -> WireResponse?>({ _ in nil })

    init(_ vendor: MemoryVendor) { host = SimulatorHost(vendor, clock: VirtualClock()) }

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        requests.withLock { $0.append(request) }
        if let answer = answer.withLock({ $0 })(request.url) { return answer }
        var body: [UInt8] = []
        if case .bytes(let bytes, _) = request.body { body = bytes }
        let simulated = SimulatedRequest(
            method: request.method, host: hosts.withLock { $0[request.host] } ?? request.host,
            path: String(request.url.dropFirst("https://".count + request.host.count)), query: "",
            headers: request.headers, body: body)
        guard case .whole(let response) = await host.handle(simulated) else {
            throw PushError(.transport, "no response", effect: .unknown)
        }
        return WireResponse(status: response.status, headers: response.headers, body: response.body)
    }

    func shutdown() async {}
}

/// Lets requests begin at `b.example` only.
private final class OneOrigin: SendWatch {
    let (begun, ended) = (Locked(0), Locked(0))
    var stopReason: PushError? { nil }

    func begin(at origin: String) -> PushError? {
        guard origin == "https://b.example" else { return PushError(.circuitOpen, "no answer", retry: .backoff) }
        begun.withLock { $0 += 1 }
        return nil
    }

    func note(_ error: PushError?, at origin: String?, begunAt start: Duration) {
        if origin == "https://b.example" { ended.withLock { $0 += 1 } }
    }
}

/// The memory vendor's adapter, for which each throttle is about one target.
private struct TargetThrottle: PushProvider {
    let base: MemoryProvider

    var id: ProviderID { base.id }
    var dataCenter: DataCenter { base.dataCenter }
    var capabilities: Capabilities { base.capabilities }
    var roles: Roles { base.roles }
    var authorizer: any Authorizer { base.authorizer }

    func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }

    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        guard response.status == 429 else { return base.diagnose(response, to: call) }
        var vendor = VendorDetail(httpStatus: 429)
        vendor.verdict = .isolated
        return PushError(.rateLimited, "this device is over its rate", retry: .backoff, vendor: vendor)
    }
}

/// Everything that a layer can print: calls, events and errors.
private final class PrintedEvents: CallLayer {
    private let texts = Locked<[String]>([])
    var all: [String] { texts.withLock { $0 } }

    func add(_ values: Any...) {
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            let printed = [String(describing: value), String(reflecting: value), dumped]
            texts.withLock { $0 += printed }
        }
    }

    func intercept<Output: Sendable>(
        _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        add(call.exchange as Any)
        do throws(PushError) {
            return try await next(call.observed { event in self.add(event) })
        } catch {
            add(error, error.vendor as Any)
            throw error
        }
    }
}
