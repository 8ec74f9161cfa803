import PushCore
import PushDevice

/// The log of a style. Lines go to the phone, which keeps them, and to a listener. Nothing is printed.
final class StyleLog: Sendable {
    /// What a line says.
    enum Weight: Sendable {
        /// The code of a call; only in debug mode.
        case detail
        /// An event.
        case event
        /// A refusal for which the SDK has no other channel; always written.
        case refusal
    }

    private struct State: Sendable {
        var level = PhoneRecord.LogLevel.normal
        var listener: (@Sendable (String) -> Void)?
        var findings: Set<String> = []
    }

    private let phone: (any Phone)?
    private let state = Locked(State())

    init(_ phone: (any Phone)?) { self.phone = phone }

    /// How much is written to the phone.
    var level: PhoneRecord.LogLevel {
        get { state.withLock { $0.level } }
        set {
            state.withLock { $0.level = newValue }
            phone?.record(.logLevel(newValue))
        }
    }

    /// Passes every line to a listener, whatever the level is.
    func listen(_ listener: @escaping @Sendable (String) -> Void) { state.withLock { $0.listener = listener } }

    func write(_ line: @autoclosure () -> String, _ weight: Weight = .refusal) {
        let (level, listener) = state.withLock { ($0.level, $0.listener) }
        let isWritten =
            switch weight {
            case .detail: level == .debug
            case .event: level != .errors
            case .refusal: true
            }
        guard isWritten && phone != nil || listener != nil else { return }
        let text = line()
        if isWritten { phone?.record(.log(text)) }
        listener?(text)
    }

    /// Calls a delegate. Logs each method of it that has a wrong signature and would never be called, once.
    func calling(_ body: () -> Void) {
        for finding in DelegateSignatures.findings(during: body) {
            let isNew = state.withLock { $0.findings.insert(finding).inserted }
            if isNew { write(finding) }
        }
    }
}
