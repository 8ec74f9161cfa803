import FoundationEssentials
import PushAdapter
import PushSimulation

/// Pigeon's gate: every call has the key in a header field.
struct PigeonGate {
    let key: String

    /// The gate's own answer; nil for a call that it lets through.
    func answer(_ request: SimulatedRequest, at now: Date) throws(VendorRefusal) -> SimulatedResponse? {
        guard let name = HTTPField.Name("X-Pigeon-Key"), request.headers[name] == key else {
            throw VendorRefusal(401, 10, "who are you?")
        }
        return nil
    }
}
