extension PushError.Kind {
    /// What a failure is about, and so who else meets it and who can end it.
    package enum Subject: String, Sendable, CaseIterable {
        /// The message, or what the call asks for: every vendor request with it fails.
        case message
        /// A target, or a device.
        case target
        /// The key, a setting or the app: everything fails until a person corrects it.
        case credentials
        /// What the vendor takes in a time.
        case quota
        /// The way to the vendor, or the vendor: whatever is sent over it fails.
        case route
        /// This process or its caller.
        case worker
        /// Not known.
        case other
    }

    /// What follows from a kind alone. Every decision about a failure is composed of these three, of `retry` and `effect`, and of
    /// what the vendor said of targets.
    private struct Meaning {
        let subject: Subject
        /// Whether every further request of a list would fail the same way.
        var endsList = false
        /// Whether the vendor, or its token service, is down or out of reach.
        var isOutage = false
    }

    private static let meanings: [PushError.Kind: Meaning] = [
        .invalidArgument: Meaning(subject: .message),
        .tooLong: Meaning(subject: .message),
        .limitExceeded: Meaning(subject: .message),
        .unsupported: Meaning(subject: .message, endsList: true),
        .noTarget: Meaning(subject: .target),
        .notRegistered: Meaning(subject: .target),
        .deviceClock: Meaning(subject: .target),
        .unauthorized: Meaning(subject: .credentials, endsList: true),
        .misconfigured: Meaning(subject: .credentials, endsList: true),
        .blocked: Meaning(subject: .credentials, endsList: true),
        .rateLimited: Meaning(subject: .quota),
        .quotaExhausted: Meaning(subject: .quota, endsList: true),
        .transport: Meaning(subject: .route, isOutage: true),
        .timeout: Meaning(subject: .route, isOutage: true),
        .server: Meaning(subject: .route, isOutage: true),
        .malformedResponse: Meaning(subject: .route, isOutage: true),
        .circuitOpen: Meaning(subject: .route),
        .busy: Meaning(subject: .route),
        .cancelled: Meaning(subject: .worker, endsList: true),
        .stopped: Meaning(subject: .worker, endsList: true),
        .invalidState: Meaning(subject: .other),
        .unknown: Meaning(subject: .other),
    ]

    private var meaning: Meaning { Self.meanings[self] ?? Meaning(subject: .other) }

    /// What a failure of this kind is about; `other` for an adapter's own kind.
    package var subject: Subject { meaning.subject }
    /// Whether every further request of a list would fail the same way.
    package var endsList: Bool { meaning.endsList }
    /// Whether the vendor, or its token service, is down or out of reach.
    package var isOutage: Bool { meaning.isOutage }

    /// All kinds of the library, by what they are about, as rows of a table in Markdown.
    package static var table: String {
        let rows = meanings.sorted {
            ($0.value.subject.order, $0.key.rawValue) < ($1.value.subject.order, $1.key.rawValue)
        }
        let lines = rows.map { kind, meaning in
            "| `\(kind)` | \(meaning.subject.rawValue) | \(meaning.endsList ? "yes" : "") | \(meaning.isOutage ? "yes" : "") |"
        }
        return (["| Kind | About | Ends a list | Outage |", "|---|---|---|---|"] + lines).joined(separator: "\n")
    }
}

extension PushError.Kind.Subject {
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension PushError {
    /// Whether nothing was sent because there was no access token or key for it; the underlying error says why.
    package var isWithoutProof: Bool { vendor == nil && effect == .notApplied && underlying is PushError }

    /// Whether the message was refused before anything was sent. A missing key says nothing about the message: such an
    /// error has an `underlying` one.
    package var isLocalRefusal: Bool { vendor == nil && underlying == nil && kind.subject == .message }

    /// Whether the vendor refused a request for good, and said nothing of its target. If that was a list's, all may be refused.
    package var mayBeAboutMessage: Bool {
        guard let vendor else { return false }
        return effect == .notApplied && retry == .never && kind.subject != .target && vendor.verdict == nil
    }

    /// Whether the vendor refused a request because of one of its targets, and did not say which.
    package var isAboutSomeTarget: Bool {
        guard effect == .notApplied, vendor?.targets.isEmpty == true else { return false }
        return kind.subject == .target || [.limitExceeded, .invalidArgument].contains(kind)
    }

    /// Whether every further request of a list would fail the same way.
    package var endsList: Bool { effect == .notApplied && kind.endsList && vendor?.verdict == nil }

    /// Whether a service that gives tokens or keys does not work now. Wrong credentials are for a person to correct.
    package var isTokenOutage: Bool {
        isWithoutProof && retry != .never && (kind.isOutage || kind == .rateLimited)
    }
}

extension TargetReport.Failure {
    /// Whether there is no way to the vendor now, or no token from its service. A server that is not trusted is for a person to
    /// look at.
    package var isOutOfReach: Bool { kind == .transport ? retry != .never : kind.isOutage && isWithoutProof }

    /// Whether every slice of a campaign's part would fail the same way until a person does something.
    package var needsPerson: Bool { !isAboutTarget && kind.subject == .credentials }

    /// Whether it says nothing against the slice: every other one of the part meets it too.
    package var isAboutWholePart: Bool { needsPerson || !isAboutTarget && kind == .quotaExhausted }
}
