import FoundationEssentials
import PushSimulation

/// The identity of a connection, and the binding that its requests created.
struct ConnectionState {
    /// The certificate that the client presented.
    enum Identity {
        case none
        /// Unknown, expired or revoked.
        case invalid
        /// For the other environment.
        case foreign
        case known(APNsCertificate)
    }

    /// The key and topics that the first authenticated request fixes for all later ones.
    struct Binding {
        let signer: APNsSigner
        /// The topics, or bundle ids, that the key covered at that time.
        let topics: Set<String>
    }

    let identity: Identity
    /// The stream limit that the client knows.
    private var limit: Int
    private var hasPassed: Bool
    var binding: Binding?
    /// The provider tokens in use, by key id. A binding allows at most two keys.
    var tokens: [String: TokenUse] = [:]
    /// The connection refuses all provider tokens until then, because it saw too many.
    var blockedUntil: Date?
    /// Whether the connection refuses all provider tokens because one was expired.
    var isWedged = false
    private var badTokens = 0

    init(_ identity: Identity, _ settings: APNsSimulatorSettings) {
        self.identity = identity
        if case .none = identity { hasPassed = false } else { hasPassed = true }
        limit = hasPassed ? settings.streamLimit : 1
    }

    // MARK: Signals

    /// The signals sent when the connection opens.
    func signalsAtStart(_ settings: APNsSimulatorSettings) -> [ConnectionSignal] {
        let start = [ConnectionSignal.streamLimit(limit)]
        guard case .foreign = identity, settings.endsForeignCertificates else { return start }
        return start + Self.end(Refusal.badCertificateEnvironment.reason, settings)
    }

    /// The signals sent with a response.
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

    /// Notes that a request passed authentication.
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
    /// Tells the token from other tokens of the same key.
    let mark: [UInt8]
    let since: Date
}
