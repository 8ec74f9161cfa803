extension PushError.Kind {
    /// The subject of a failure. It decides who else gets the same failure, and who can end it.
    package enum Subject: String, Sendable, CaseIterable {
        /// The message or the requested operation: every vendor request with it fails.
        case message
        /// A target, or a device.
        case target
        /// The key, a setting or the app: everything fails until a person corrects it.
        case credentials
        /// A quota or a rate limit of the vendor.
        case quota
        /// The vendor, or the path to it: every request over it fails.
        case route
        /// This process or its caller.
        case worker
        /// Not known.
        case other
    }

    /// The facts that follow from a kind alone. Every decision about a failure combines these three with `retry`,
    /// `effect` and the vendor's statements about targets.
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

    /// The subject of a failure of this kind; `other` for an adapter's own kind.
    package var subject: Subject { meaning.subject }
    /// Whether every further request of a list would fail the same way.
    package var endsList: Bool { meaning.endsList }
    /// Whether the vendor, or its token service, is down or out of reach.
    package var isOutage: Bool { meaning.isOutage }

    /// All kinds of the library, ordered by subject, as a table in Markdown.
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
    /// Whether nothing was sent because the client had no access token or key for it; the underlying error says why.
    package var isWithoutProof: Bool { vendor == nil && effect == .notApplied && underlying is PushError }

    /// Whether the message was refused before anything was sent. A missing key says nothing about the message: such an
    /// error has an `underlying` one.
    package var isLocalRefusal: Bool { vendor == nil && underlying == nil && kind.subject == .message }

    /// Whether the vendor refused a request for good and said nothing about its target. If the request is one of a
    /// list, the vendor may refuse the whole list.
    package var mayBeAboutMessage: Bool {
        guard let vendor else { return false }
        let isAboutAll = ![.target, .worker].contains(kind.subject) && vendor.verdict == nil
        return effect == .notApplied && retry == .never && isAboutAll
    }

    /// Whether the vendor refused a request because of one of its targets, and did not say which.
    package var isAboutSomeTarget: Bool {
        guard effect == .notApplied, vendor?.targets.isEmpty == true else { return false }
        return kind.subject == .target || [.limitExceeded, .invalidArgument].contains(kind)
    }

    /// Whether every further request of a list would fail the same way.
    package var endsList: Bool { effect == .notApplied && kind.endsList && vendor?.verdict == nil }

    /// Whether a service that issues tokens or keys is down or throttles now. Wrong credentials do not count: a person
    /// must correct them.
    package var isTokenOutage: Bool {
        isWithoutProof && retry != .never && (kind.isOutage || kind == .rateLimited)
    }
}

extension TargetReport.Failure {
    /// Whether the vendor is out of reach now, or its service gives no token. A server that is not trusted does not
    /// count: a person must look at it.
    package var isOutOfReach: Bool { kind == .transport ? retry != .never : kind.isOutage && isWithoutProof }

    /// Whether every slice of a campaign's part would fail the same way until a person acts.
    package var needsPerson: Bool { !isAboutTarget && kind.subject == .credentials }

    /// Whether the failure is not the slice's own: every other slice of the part gets it too.
    package var isAboutWholePart: Bool { needsPerson || !isAboutTarget && kind == .quotaExhausted }
}
