import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation

/// A transport that responds from a closure and records its requests.
final class ScriptedTransport: HTTPTransport {
    typealias Answer = @Sendable (TransportRequest, Int) async throws(PushError) -> WireResponse

    private let sent = Locked<[TransportRequest]>([])
    private let gone = Locked<[Int]>([])
    private let goneGroups = Locked<[String]>([])
    private let answer: Answer
    let concurrency: Int?

    init(concurrency: Int? = nil, _ answer: @escaping Answer) {
        self.concurrency = concurrency
        self.answer = answer
    }

    /// Responds in this order. The last response repeats.
    convenience init(_ answers: Result<WireResponse, PushError>...) {
        self.init { (_, number) throws(PushError) in try answers[min(number, answers.count) - 1].get() }
    }

    var requests: [TransportRequest] { sent.withLock { $0 } }
    /// The retired connections, in order.
    var retired: [Int] { gone.withLock { $0 } }
    /// The retired groups of connections, in order.
    var retiredGroups: [String] { goneGroups.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        let number = sent.withLock { sent in
            sent.append(request)
            return sent.count
        }
        return try await answer(request, number)
    }

    func retire(_ connection: Int) { gone.withLock { $0.append(connection) } }

    func retire(group: String) { goneGroups.withLock { $0.append(group) } }

    func shutdown() async {}
}

extension Result<WireResponse, PushError> {
    static var ok: Self { .success(WireResponse(status: 200, body: Array(#"{"id":"1"}"#.utf8))) }
    static func status(_ code: Int, _ headers: HTTPFields = [:]) -> Self {
        .success(WireResponse(status: code, headers: headers))
    }
    static var refusedConnection: Self {
        .failure(PushError(.transport, "no connection", retry: .backoff, effect: .notApplied))
    }
    static var lost: Self { .failure(PushError(.timeout, "no answer", retry: .backoff, effect: .unknown)) }
}

/// A vendor for tests: three targets per send, tags with a small limit per device, keys if wanted.
struct Acme: PushProvider, Authorizer {
    var dataCenter = DataCenter("home", services: ["api": "https://acme.example"])
    var capabilities: Capabilities = Acme.capabilities
    var mintsKeys = false
    /// The keys for a requested number; by default, new keys.
    var keys: @Sendable (Int) -> [String] = { count in (0..<count).map { _ in Acme.newKey() } }
    var refusesMessages = false
    var refusesBlanks = false
    /// The status that the vendor treats as its own refusal.
    var refusedStatus = 400
    /// How its tokens are minted; nil signs without a token.
    var tokens: TokenMinting?
    /// The first diagnosis of a response, before any other.
    var diagnosis: (@Sendable (WireResponse) -> PushError?)?
    /// The connection group of its key.
    var group: String?
    /// Statuses of a send that mean that it was already in place.
    var statusesInPlace: Set<Int> = []
    /// How often it encoded a message.
    let encodings = Locked(0)
    /// The number of requests that it made to send a message.
    let sendRequests = Locked(0)
    /// A set of tags that its replacement call refuses.
    var refusesReplacing: Set<Tag>?
    /// Its own rule about the form of a target.
    var refusal: (@Sendable (Target) -> PushError?)?

    var id: ProviderID { "acme" }
    var authorizer: any Authorizer { self }
    var roles: Roles {
        var roles = Roles()
        roles.send = { (message, _) in
            encodings.withLock { $0 += 1 }
            return { (audience, context) throws(PushError) in try send(message, to: audience, key: context.key) }
        }
        roles.tokens = tokens
        roles.mintKeys = mintsKeys ? mintKeys : nil
        roles.tags.read = readTags
        roles.tags.update(by: updateTags)
        roles.readDeliveries = readDeliveries
        roles.probe = probe
        roles.refusal = refusal
        return roles
    }

    private static let lastKey = Locked(0)

    private static func newKey() -> String {
        let number = lastKey.withLock { number in
            number += 1
            return number
        }
        return "k\(number)"
    }

    static let capabilities = Capabilities(
        support: Dictionary(
            uniqueKeysWithValues: [
                Feature.send, .mintKeys, .readTags, .addTags, .removeTags, .clearTags, .audienceEveryone,
                .audienceDevices, .audienceTagsAnyOf, .contentNotification, .contentCustom, .probeCredentials,
                .readDeliveries, "test.read", "test.write",
            ].map { ($0, Support.native) }),
        limits: Limits(
            [
                .devicesPerSend: Limit(3, .count, .split, source: "test"),
                .tagLength: Limit(8, .utf8Bytes, .reject, source: "test"),
                .tagsPerCall: Limit(2, .count, .split, source: "test"),
                .tagsPerDevice: Limit(4, .count, .reject, source: "test"),
                .tagsPerSend: Limit(2, .count, .reject, source: "test"),
                .deviceIDLength: Limit(10, .utf8Bytes, .reject, source: "test"),
                .timeToLive: Limit(100, .seconds, .reject, source: "test"),
                .messagesPerReport: Limit(2, .count, .split, source: "test"),
            ],
            characters: [
                .tagLength: AllowedCharacters(
                    "letters", ascii: AllowedCharacters.alphanumerics, ranges: [], source: "test")
            ]),
        quotas: ["calls": Quota(1000, per: .seconds(60), source: "test")],
        fields: [.platforms, .timeToLive, .title, .body, .extras, .ios("badge")])

    /// Different on each attempt, like a signature.
    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard let token else { return [.authorization: "signed at \(now.timeIntervalSince1970)"] }
        return [.authorization: token.value.withBytes { "Bearer " + String(decoding: $0, as: UTF8.self) }]
    }

    func connectionGroup(for scope: CredentialScope) -> String? { group }

    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        if let error = diagnosis?(response) { return error }
        guard response.status == refusedStatus else { return nil }
        let named = String(decoding: response.body, as: UTF8.self).split(separator: ",").map(String.init)
        return PushError(
            .invalidArgument, "refused",
            vendor: VendorDetail(code: 7, httpStatus: response.status, targets: .invalid(named)))
    }

    func facts(in response: WireResponse) -> ResponseFacts {
        func number(_ name: String) -> Int? {
            HTTPField.Name(name).flatMap { response.headers[$0] }.flatMap { Int($0) }
        }
        return ResponseFacts(
            requestID: HTTPField.Name("X-Id").flatMap { response.headers[$0] },
            rate: RateFacts(
                limit: number("X-Limit"), remaining: number("X-Remaining"),
                reset: number("X-Reset").map { .seconds($0) }))
    }

    // MARK: Exchanges

    func call(_ idempotency: Idempotency, subject: Subject? = nil) -> Exchange<Void> {
        Exchange(
            idempotency != .unkeyed ? "test.read" : "test.write",
            WireRequest(.post, "api", path: ["call"], body: .json(Array("{}".utf8))), idempotency: idempotency,
            charges: [QuotaCharge("calls")], subject: subject
        ) { _ throws(PushError) in }
    }

    /// The content that no message may have.
    static let refusedContent = "refused"
    /// The content whose request has no room for a key.
    static let keylessContent = "keyless"

    static func key(_ value: String = "k1", lives seconds: Double = 86_400, from date: Date) -> IdempotencyKey {
        IdempotencyKey(value, kind: .push, mintedAt: date, expiresAt: date.addingTimeInterval(seconds))
    }
}

extension Acme {
    func send(
        _ message: Message, to audience: Audience, key: IdempotencyKey?
    ) throws(PushError) -> Exchange<SendReceipt> {
        sendRequests.withLock { $0 += 1 }
        if refusesBlanks, audience.targets?.contains(where: { $0.text.contains(" ") }) == true {
            throw PushError(.invalidArgument, "an id has no blanks")
        }
        if refusesMessages || message.custom?.content == Acme.refusedContent {
            throw PushError(.tooLong, "the message is too long")
        }
        let key = message.custom?.content == Acme.keylessContent ? nil : key
        let targets = audience.targets?.map(\.text).joined(separator: ",") ?? "all"
        let text = "\(key?.value ?? "-")|\(targets)"
        var exchange = Exchange(
            .send, WireRequest(.post, "api", path: ["send"], body: .json(Array(text.utf8))),
            inputs: [.message(message), .audience(audience)], idempotency: key.map(Idempotency.keyed) ?? .unkeyed,
            charges: [QuotaCharge("calls")]
        ) { response throws(PushError) in
            struct Reply: Decodable { var id: String }
            _ = try response.json(Reply.self)
            return SendReceipt(messageID: MessageID(String(text.prefix(200))))
        }
        exchange.statusesInPlace = statusesInPlace
        return exchange
    }

    func mintKeys(_ count: Int, for operation: Feature) throws(PushError) -> Exchange<[IdempotencyKey]> {
        Exchange(
            .mintKeys, WireRequest(.get, "api", path: ["keys"], query: [QueryItem("n", String(count))]),
            idempotency: .idempotent
        ) { response throws(PushError) in
            keys(count).map { Acme.key($0, from: response.receivedAt) }
        }
    }

    func readTags(of device: DeviceID) throws(PushError) -> Exchange<Set<Tag>> {
        Exchange(
            .readTags, WireRequest(.get, "api", path: ["tags", .value(device.rawValue)]),
            inputs: [.devices([device])], idempotency: .idempotent
        ) {
            response throws(PushError) in Set(try response.json([Tag].self))
        }
    }

    func updateTags(_ change: TagUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        if let refusesReplacing, change == .replace(refusesReplacing) {
            throw PushError(.unsupported, "it would do something else")
        }
        let word = change.feature.rawValue + " " + change.elements.sorted().map(\.rawValue).joined(separator: ",")
        return Exchange(
            change.feature,
            WireRequest(.post, "api", path: ["tags", .value(device.rawValue)], body: .json(Array(word.utf8))),
            inputs: [.devices([device]), .tags(change.elements)], idempotency: .idempotent, subject: .device(device)
        ) { _ throws(PushError) in }
    }

    func readDeliveries(of messages: [MessageID]) throws(PushError) -> Exchange<[DeliveryReport]> {
        Exchange(
            .readDeliveries, WireRequest(.get, "api", path: ["report"]), idempotency: .idempotent
        ) { _ throws(PushError) in messages.map { DeliveryReport(messageID: $0, channels: [:]) } }
    }

    func probe() throws(PushError) -> Exchange<Void> {
        Exchange(.probeCredentials, WireRequest(.get, "api", path: ["probe"]), idempotency: .idempotent) {
            _ throws(PushError) in
        }
    }
}

/// A client over a scripted transport and a virtual clock.
func makeClient(
    _ transport: some HTTPTransport, for provider: Acme = Acme(), clock: VirtualClock = VirtualClock(),
    _ configure: (inout ClientConfiguration) -> Void = { _ in }
) -> PushClient {
    var configuration = ClientConfiguration()
    configuration.clock = clock
    configuration.random = RandomSource { .max }
    configure(&configuration)
    return PushClient(provider, transport: transport, configuration: configuration)
}

/// Records the events of every call.
final class EventLog: CallLayer {
    private let list = Locked<[String]>([])
    var lines: [String] { list.withLock { $0 } }

    func intercept<Output: Sendable>(
        _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        let operation = call.operation
        add("\(operation) begins")
        let observed = call.observed { event in
            switch event {
            case .attemptStarted(let number, _): self.add("attempt \(number)")
            case .answered(let status, _): self.add("answered \(status)")
            case .attemptFailed(_, let error): self.add("failed \(error.kind)")
            case .retrying(_, let delay, let cause): self.add("retry after \(delay.seconds) for \(cause)")
            case .retryBudgetEmpty: self.add("budget empty")
            case .waiting(_, let delay): self.add("waits \(delay.seconds)")
            case .unkeyed: self.add("unkeyed")
            }
        }
        do throws(PushError) {
            let output = try await next(observed)
            add("\(operation) done")
            return output
        } catch {
            add("\(operation) \(error.kind)")
            throw error
        }
    }

    private func add(_ line: String) { list.withLock { $0.append(line) } }
}

extension TransportRequest {
    var text: String {
        if case .bytes(let bytes, _) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
}
