import PushAdapter
import PushDevice

/// The log of a style. Lines go to the phone, which keeps them, and to TPNS's delegate. Nothing is printed.
final class StyleLog: Sendable {
    /// The weight of a line.
    enum Weight: Sendable {
        /// The code of a call; only in debug mode.
        case detail
        /// An event.
        case event
        /// A refusal for which the SDK has no other channel; always written.
        case refusal
    }

    private let phone: (any Phone)?
    private let listener: @Sendable () -> StyleReceiver<any XGPushDelegate>?
    private let current = Locked(PhoneRecord.LogLevel.normal)

    /// A log for a phone. Its listener gets every line, at any level.
    init(_ phone: (any Phone)?, listener: @escaping @Sendable () -> StyleReceiver<any XGPushDelegate>?) {
        self.phone = phone
        self.listener = listener
    }

    /// How much is written to the phone.
    var level: PhoneRecord.LogLevel {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            phone?.record(.logLevel(newValue))
        }
    }

    func write(_ line: @autoclosure () -> String, _ weight: Weight = .refusal) {
        let (level, listener) = (level, listener())
        let isWritten =
            switch weight {
            case .detail: level == .debug
            case .event: level != .errors
            case .refusal: true
            }
        guard isWritten && phone != nil || listener != nil else { return }
        let text = line()
        if isWritten { phone?.record(.log(text)) }
        listener?.pass { $0?.xgPushLog(text) }
    }
}
