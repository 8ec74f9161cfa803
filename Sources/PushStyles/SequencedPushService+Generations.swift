import PushAdapter
import PushDevice

extension SequencedPushService {
    /// Whether the generation of the session's rules has a call that stays on the device. Logs the refusal of a call
    /// that it does not have.
    func has(_ kind: SessionCall.Kind, _ name: String) -> Bool {
        guard let fault = session.refusal(of: kind) else { return true }
        log.write("\(name): \(fault.error.message)")
        return false
    }
}
