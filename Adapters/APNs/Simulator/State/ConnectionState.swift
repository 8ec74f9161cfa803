import FoundationEssentials
import PushSimulation

/// What a connection was opened with, and what its requests bound it to.
struct ConnectionState {
    /// The certificate that the client showed.
    enum Identity {
        case none
        /// Unknown, expired or revoked.
        case invalid
        /// Of the other environment.
        case foreign
        case known(APNsCertificate)
    }

    /// What the first push decided for all later ones.
    struct Binding {
        let signer: APNsSigner
        /// The topics, or bundle ids, that the key was for.
        let topics: Set<String>
    }

    let identity: Identity
    /// The stream limit that the client knows.
    private var limit: Int
    private var hasPassed: Bool
    var binding: Binding?
    /// The provider tokens that are in use, by key id. A binding allows two keys at most.
    var tokens: [String: TokenUse] = [:]
    /// Until when all provider tokens are refused, because there were too many.
    var blockedUntil: Date?
    /// Whether all provider tokens are refused, because one was expired.
    var isWedged = false
    private var badTokens = 0

    init(_ identity: Identity, _ settings: APNsSimulatorSettings) {
        self.identity = identity
        if case .none = identity { hasPassed = false } else { hasPassed = true }
        limit = hasPassed ? settings.streamLimit : 1
    }

    // MARK: Signals

    /// The signals when the connection opens.
    func signalsAtStart(_ settings: APNsSimulatorSettings) -> [ConnectionSignal] {
        let start = [ConnectionSignal.streamLimit(limit)]
        guard case .foreign = identity, settings.endsForeignCertificates else { return start }
        return start + Self.end(Refusal.badCertificateEnvironment.reason, settings)
    }

    /// The signals that go with a response.
    /// - Parameter refusal: nil for a success.
    mutating func signals(after refusal: Refusal?, _ settings: APNsSimulatorSettings) -> [ConnectionSignal] {
        var signals: [ConnectionSignal] = []
        let wanted = limit(after: refusal, settings)
        if wanted != limit {
            limit = wanted
            signals.append(.streamLimit(wanted))
        }
        if refusal?.reason == Refusal.badDeviceToken.reason {
            badTokens += 1
            if badTokens == settings.badTokensUntilGoAway {
                badTokens = 0
                signals += Self.end(Refusal.badDeviceToken.reason, settings)
            }
        }
        return signals
    }

    /// A request passed authentication.
    mutating func notePass() { hasPassed = true }

    private func limit(after refusal: Refusal?, _ settings: APNsSimulatorSettings) -> Int {
        if refusal != nil, settings.lowersLimitAfterRefusal { return 1 }
        return hasPassed && (refusal == nil || settings.raisesLimitAfterRefusal) ? settings.streamLimit : limit
    }

    private static func end(_ reason: String, _ settings: APNsSimulatorSettings) -> [ConnectionSignal] {
        let text = settings.goAwayText ?? #"{"reason":"\#(reason)"}"#
        return [.goAway(Array(text.utf8))] + (settings.repeatsGoAway ? [.goAway([])] : [])
    }
}

/// A provider token in use.
struct TokenUse {
    /// What tells it from other tokens of the same key.
    let mark: [UInt8]
    let since: Date
}
