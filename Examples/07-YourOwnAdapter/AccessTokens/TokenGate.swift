import FoundationEssentials
import PushAdapter
import PushSimulation

/// Pigeon's gate: `POST /v1/token` exchanges the key for a token of an hour, and every other call has one.
struct PigeonGate {
    let key: String
    private var ends: [String: Date] = [:]

    init(key: String) { self.key = key }

    /// The gate's own answer; nil for a call that it lets through.
    mutating func answer(_ request: SimulatedRequest, at now: Date) throws(VendorRefusal) -> SimulatedResponse? {
        guard request.path != "/v1/token" else { return try exchange(request, at: now) }
        guard let field = request.headers[.authorization], let end = ends[field], now < end else {
            throw VendorRefusal(401, 11, "that token is stale")
        }
        return nil
    }

    private mutating func exchange(
        _ request: SimulatedRequest, at now: Date
    ) throws(VendorRefusal) -> SimulatedResponse {
        var form = request
        form.query = String(decoding: request.body, as: UTF8.self)
        guard request.method == .post else { throw VendorRefusal(405, 20, "no such verb") }
        guard form.parameter("key") == key else { throw VendorRefusal(401, 10, "who are you?") }
        let token = "feather-\(ends.count + 1)"
        ends["Bearer \(token)"] = now.addingTimeInterval(3600)
        return .json(["token": .string(token), "seconds": 3600])
    }
}
