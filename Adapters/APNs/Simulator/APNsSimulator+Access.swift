import FoundationEssentials
import PushAdapter
import PushSimulation

/// Authentication. The first call binds the connection.
extension APNsSimulator {
    private static let mostCheckedTokens = 1000

    /// The owner of the connection's certificate, or of the provider token after all checks.
    func authenticate(
        _ request: SimulatedRequest, _ connection: inout ConnectionState, _ now: Date
    ) throws(Refusal) -> Caller {
        if case .known(let certificate) = connection.identity { return .certificate(certificate) }
        let token = try providerToken(request)
        guard let signer = signers[token.keyID], connection.binding?.signer.teamID ?? signer.teamID == signer.teamID
        else { throw .invalidProviderToken }
        try checkAge(of: token, &connection, now)
        guard signer.environment ?? environment == environment else {
            throw .foreignKey(isDocumented: settings.namesDocumentedKeyReason)
        }
        if let first = connection.binding?.signer { try Self.checkRelation(of: signer, to: first) }
        try use(token, &connection, now)
        let binding = connection.binding ?? ConnectionState.Binding(signer: signer, topics: topics(of: signer))
        connection.binding = binding
        connection.notePass()
        return .signer(signer, bound: binding.topics)
    }

    // MARK: The token itself

    private func providerToken(_ request: SimulatedRequest) throws(Refusal) -> ProviderToken {
        let scheme = "bearer "
        guard let header = request.value(of: .authorization) else { throw .missingProviderToken }
        let start = header.prefix(scheme.count)
        guard start == scheme || settings.acceptsAnyBearerCase && start.lowercased() == scheme else {
            throw .missingProviderToken
        }
        let text = String(header.dropFirst(scheme.count))
        if let token = checkedTokens[ProviderToken.digest(of: text)] { return token }
        guard let token = ProviderToken(text), let signer = signers[token.keyID], token.teamID == signer.teamID,
            token.isSigned(by: signer.verifyingKey)
        else { throw .invalidProviderToken }
        if checkedTokens.count >= Self.mostCheckedTokens { checkedTokens = [:] }
        checkedTokens[token.digest] = token
        return token
    }

    private func checkAge(
        of token: ProviderToken, _ connection: inout ConnectionState, _ now: Date
    ) throws(Refusal) {
        let age = now.timeIntervalSince1970 - token.issued
        if age > Rules.tokenLife, settings.wedgesAfterExpiry { connection.isWedged = true }
        guard age <= Rules.tokenLife, !connection.isWedged else { throw .expiredProviderToken }
        if let most = settings.mostSecondsAhead, -age > most { throw .invalidProviderToken }
    }

    // MARK: The connection

    /// A related key of the same kind may follow the first key; any other is refused.
    private static func checkRelation(of signer: APNsSigner, to first: APNsSigner) throws(Refusal) {
        guard signer.keyID != first.keyID else { return }
        guard signer.isRelated(to: first), (signer.topics == nil) == (first.topics == nil) else { throw .unrelatedKey }
    }

    /// Notes that a token is in use. Refuses it if another token of the same key was used too recently.
    private func use(
        _ token: ProviderToken, _ connection: inout ConnectionState, _ now: Date
    ) throws(Refusal) {
        if let end = connection.blockedUntil {
            guard now >= end else { throw .tooManyTokens }
            connection.blockedUntil = nil
        }
        let mark = settings.comparesIssueTimes ? Array("\(token.issued)".utf8) : token.digest
        let own = connection.tokens[token.keyID]
        let last = settings.countsUpdatesAcrossConnections ? tokensInUse[token.keyID] ?? own : own
        if let last, last.mark != mark {
            let end = last.since.addingTimeInterval(Rules.tokenInterval)
            guard now >= end else {
                if settings.blocksAfterTooManyUpdates { connection.blockedUntil = end }
                throw .tooManyTokens
            }
        } else if last != nil {
            return
        }
        connection.tokens[token.keyID] = TokenUse(mark: mark, since: now)
        tokensInUse[token.keyID] = TokenUse(mark: mark, since: now)
    }

    /// The key's current topics, or the bundle ids of its team.
    private func topics(of signer: APNsSigner) -> Set<String> {
        signer.topics ?? Set(apps.filter { $0.value.teamID == signer.teamID }.keys)
    }
}

/// The owner of a credential.
enum Caller {
    /// The key, and the topics that the connection was bound to at its first call.
    case signer(APNsSigner, bound: Set<String>)
    case certificate(APNsCertificate)

    /// The topic of a request that does not name one; nil if the request must name it.
    var standardTopic: String? {
        switch self {
        case .signer: nil
        case .certificate(let certificate): certificate.standardTopic
        }
    }

    /// Whether the credential covers a topic of a team.
    func owns(_ topic: Topic, of team: String) -> Bool {
        switch self {
        case .signer(let signer, _):
            signer.teamID == team && (signer.topics.map { Self.lists(topic, $0) } ?? true)
        case .certificate(let certificate): certificate.covers(topic)
        }
    }

    /// Whether the topic existed when the connection was bound.
    func isBound(to topic: Topic) -> Bool {
        switch self {
        case .signer(_, let bound): Self.lists(topic, bound)
        case .certificate: true
        }
    }

    private static func lists(_ topic: Topic, _ topics: Set<String>) -> Bool {
        topics.contains(topic.bundleID) || topics.contains(topic.text)
    }
}
