import HostileServer
import PushAPNs
import PushAdapter
import PushClient
import PushCrypto
import PushHTTP2
import PushSimulation
import Testing

/// A hostile server in Apple's place, a client that sends to it, and the server's log of each request.
struct HostileAPNs: Sendable {
    let client: PushClient
    /// The client's clock: its waits take no time. The transport's times are real.
    let clock: VirtualClock
    /// The key that signs the client's requests at first.
    let key: TeamKey
    let dataCenter: DataCenter
    let log: APNsLog
    let journal: HTTP2Journal

    typealias Script = @Sendable (APNsConnection) -> Void

    static let topic = "com.example.shop"

    /// The result of a send.
    struct Outcome: Sendable {
        var report: SendReport
        /// The error if nothing was accepted.
        var error: PushError?
        /// The status of each token.
        var statuses: [String: TargetStatus]
    }

    /// Runs a script for each connection. Whatever the test is about, at the end the client must have broken no rule of
    /// HTTP/2.
    ///
    /// - Parameters:
    ///   - streams: the server's limit in its first settings.
    ///   - security: the server's security; by default a good certificate and HTTP/2.
    ///   - hasKey: false for a client that authenticates with its certificate.
    static func run(
        _ settings: HTTP2Configuration = .patient(), streams: Int = 100, security: HostileServer.Security? = nil,
        retry: RetryPolicy = RetryPolicy(), hasKey: Bool = true, _ script: @escaping Script,
        _ body: (HostileAPNs) async throws -> Void
    ) async throws {
        let key = try TeamKey("KEYONE0001", of: "TEAMONE001")
        let (log, journal, clock) = (APNsLog(), HTTP2Journal(), VirtualClock())
        // The wire's own journal does not fit: it treats a repeated path as a request that was sent twice.
        try await HostileWire.raw(settings, security: security) { connection in
            let number = log.open()
            let http2 = HostileHTTP2(
                connection, settings: [(.streams, streams), (.window, 0x7FFF_FFFF)], journal: journal, number: number)
            if let http2 { script(APNsConnection(http2: http2, number: number, log: log)) }
        } _: { (wire) async throws in
            let center = APNs.dataCenters.standard.moved(to: wire.origin)
            let provider =
                try hasKey ? key.adapter(at: center) : APNs(certificateFor: Self.topic, dataCenter: center)
            var configuration = ClientConfiguration()
            configuration.clock = clock
            configuration.retry = retry
            // These tests are not about the client's deadlines.
            configuration.attemptTimeout = .seconds(120)
            configuration.deadline = .seconds(2 * 3600)
            configuration.plannedDeadline = .seconds(10 * 3600)
            let client = PushClient(provider, transport: wire.transport, configuration: configuration)
            try await body(
                HostileAPNs(
                    client: client, clock: clock, key: key, dataCenter: center, log: log, journal: journal))
            await client.shutdown()
        }
        #expect(journal.violations.isEmpty, "\(journal.violations)")
    }

    /// Device tokens that do not exist, with the length of real app tokens.
    static func tokens(_ count: Int, from first: Int = 0) -> [String] {
        (first..<(first + count)).map { number in
            let digits = String(number, radix: 16)
            return "7c1e" + String(repeating: "0", count: 60 - digits.count) + digits
        }
    }

    /// Sends a notification to these tokens.
    func send(_ tokens: [String]) async throws -> Outcome {
        let message = Message(notification: Notification(title: "Parcel", body: "It arrives on Tuesday"))
        let report: SendReport
        var failure: PushError?
        do throws(PushError) {
            report = try await client.send(message, to: .devices(tokens.map { DeviceID($0) }))
        } catch {
            failure = error
            report = try #require(error.report)
        }
        var statuses = Dictionary(uniqueKeysWithValues: tokens.map { ($0, TargetStatus.accepted) })
        for exception in report.exceptions { statuses[exception.target.text] = exception.status }
        return Outcome(report: report, error: failure, statuses: statuses)
    }

    /// Compares a report with the server's log, for each token and in total.
    func check(_ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
        let contradictions = log.contradictions(to: outcome.statuses)
        #expect(contradictions.isEmpty, "\(contradictions)", sourceLocation: sourceLocation)
        let accepted = log.events.filter { $0.fate == .accepted && outcome.statuses[$0.token] != nil }
        #expect(outcome.report.acceptedCount == accepted.count, sourceLocation: sourceLocation)
        let ids = Set(outcome.report.messageIDs.map(\.rawValue))
        #expect(ids == Set(accepted.map(\.messageID)), sourceLocation: sourceLocation)
    }
}

/// A team's key: the private half for signing, and the public half that Apple uses to verify.
struct TeamKey: Sendable {
    let id: String
    let team: String
    private let key: SigningKey

    init(_ id: String, of team: String) throws(PushError) {
        self.id = id
        self.team = team
        key = try SigningKey.generate(.es256)
    }

    func adapter(at dataCenter: DataCenter) throws(PushError) -> APNs {
        try APNs(
            APNsKey(pem: key.privateKey, keyID: id, teamID: team), topic: HostileAPNs.topic, dataCenter: dataCenter)
    }

    /// Whether the token names this key and team, and the key signed it.
    func signed(_ token: SignedToken) throws(PushError) -> Bool {
        guard token.keyID == id, token.teamID == team, let dot = token.text.lastIndex(of: "."),
            let signature = Base64URL.decode(token.text[token.text.index(after: dot)...])
        else { return false }
        return try key.verifyingKey.accepts(signature, of: Array(token.text[..<dot].utf8))
    }
}

/// The provider token of a request.
struct SignedToken: Sendable, Hashable {
    let text: String
    let keyID: String
    let teamID: String
    let issuedAt: Int

    /// Nil if the request has no readable token.
    init?(_ request: HostileHTTP2.Request) {
        let scheme = "bearer "
        guard let field = request.header("authorization"), field.hasPrefix(scheme) else { return nil }
        text = String(field.dropFirst(scheme.count))
        let parts = text.split(separator: ".").map { Base64URL.decode($0) ?? [] }
        guard parts.count == 3, let header = try? JSONValue(parsing: parts[0]),
            let claims = try? JSONValue(parsing: parts[1]), let keyID = header["kid"]?.stringValue,
            let teamID = claims["iss"]?.stringValue, let issuedAt = claims["iat"]?.intValue
        else { return nil }
        (self.keyID, self.teamID, self.issuedAt) = (keyID, teamID, issuedAt)
    }
}
