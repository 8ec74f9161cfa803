import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import PushSimulationTesting

/// What few worlds would have by chance.
extension ClientWorld {
    /// Makes the sends single ones at a small quota. Most callers give up while they wait.
    mutating func crowd(_ random: inout SplitMix) {
        vendor = Vendor.random(of: Vendor.idsWithCounts, using: &random)
        quota = Quota(Int.random(in: 1...4, using: &random), per: random.duration(3_000...20_000), source: "a crowd")
        sends = (0..<Int.random(in: 8...24, using: &random)).map { number in
            var send = Send(start: random.duration(0...30_000), first: number % Self.goodPhones, count: 1)
            if random.chance(0.6) { send.cancelledAfter = random.duration(0...30_000) }
            return send
        }
    }

    /// The phones that a list with a bad head ends with. The client probes far fewer of them.
    private static let goodPhones = 12

    /// Makes the first send a list that begins with hundreds of ids that the vendor calls bad requests. The vendor takes
    /// one target a request.
    mutating func giveBadHead(_ random: inout SplitMix) {
        vendor = Vendor.random(of: ["apns", "fcm"], using: &random)
        (isBlunt, quota) = (true, nil)
        isInstant = random.chance(0.5)
        // More than a slice, or enough for a second probe.
        let length = isInstant ? 500...520 : 150...260
        let head = Int.random(in: length, using: &random)
        sends = Array(sends.prefix(3))
        sends[0] = Send(start: sends[0].start, first: 0, count: Self.goodPhones, head: head)
        // A probe is lost only while the network is bad.
        if !isInstant { storms.append((sends[0].start, random.duration(20_000...60_000))) }
    }

    /// What is wrong with the report on a list that begins with bad targets; nil if nothing is. The vendor refused each
    /// of them, but not the message.
    static func complaint(about result: Result<SendReport, PushError>) -> String? {
        let report: SendReport? =
            switch result {
            case .success(let said): said
            case .failure(let error): error.report
            }
        guard report?.interruption?.vendor?.httpStatus == BluntServer.status else { return nil }
        return "it ended as if its message were refused, although it has good targets"
    }
}

/// A vendor's server that names no device as unknown: it calls the request bad.
struct BluntServer: VendorSimulator {
    static let status = 400

    let base: any VendorSimulator

    var vendor: String { base.vendor }
    func addresses(at origin: String) -> [String: String] { base.addresses(at: origin) }
    func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        base.throttled(reset: reset, for: request)
    }
    func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        base.failed(status: status, for: request)
    }

    func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        let response = await base.respond(to: request, at: now)
        guard [400, 404, 410].contains(response.status) else { return response }
        // The forms of APNs and of FCM.
        let body = #"{"reason": "BadPriority", "error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "bad"}}"#
        return SimulatedResponse(status: Self.status, body: Array(body.utf8))
    }
}
