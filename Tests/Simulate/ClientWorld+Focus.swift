import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import PushSimulationTesting

/// A crowd of single sends at a small quota. Most callers give up while they wait.
struct QuotaWorld: FocusedWorld {
    static let name = "quota"

    let world: ClientWorld
    init(_ world: ClientWorld) { self.world = world }

    static func focus(_ world: inout ClientWorld, _ random: inout SplitMix) {
        world.vendor = Vendor.random(of: Vendor.idsWithCounts, using: &random)
        world.quota = Quota(
            Int.random(in: 1...4, using: &random), per: random.duration(3_000...20_000), source: "a crowd")
        world.sends = (0..<Int.random(in: 8...24, using: &random)).map { number in
            var send = ClientWorld.Send(
                start: random.duration(0...30_000), first: number % ClientWorld.phones, count: 1)
            if random.chance(0.6) { send.cancelledAfter = random.duration(0...30_000) }
            return send
        }
        // Requests that hold their place in the quota, and then do not leave.
        guard world.shutdown == nil, random.chance(0.6) else { return }
        world.timeToRefuse = random.duration(1_000...20_000)
        world.storms.append((random.duration(0...20_000), random.duration(5_000...40_000)))
    }
}

/// A list that begins with hundreds of ids that the vendor calls bad requests. The vendor takes one target a request.
struct BadHeadWorld: FocusedWorld {
    static let name = "bad-head"

    let world: ClientWorld
    init(_ world: ClientWorld) { self.world = world }

    /// The phones that the list ends with. The client probes far fewer of them.
    private static let goodPhones = 12

    static func focus(_ world: inout ClientWorld, _ random: inout SplitMix) {
        world.vendor = Vendor.random(of: ["apns", "fcm"], using: &random)
        (world.isBlunt, world.quota) = (true, nil)
        world.isInstant = random.chance(0.5)
        // More than a slice, or enough for a second probe.
        let length = random.chance(0.5) ? 500...520 : 150...260
        let head = Int.random(in: length, using: &random)
        // With one, the second slice has not begun when one of its targets is probed.
        if random.chance(0.7) { world.slicesAtOnce = 1 }
        world.sends = Array(world.sends.prefix(3))
        let start = world.sends[0].start
        world.sends[0] = ClientWorld.Send(start: start, first: 0, count: goodPhones, head: head)
        // A probe is lost only while the network is bad.
        if !world.isInstant { world.storms.append((start, random.duration(20_000...60_000))) }
    }
}

extension ClientWorld {
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
