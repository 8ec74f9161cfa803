import FoundationEssentials
import PushAdapter
import PushSimulation

/// The wire format of provider and vendor. Only this pair may share one, because a shared format proves nothing.
enum MemoryWire {
    struct Send: Codable {
        var key: String?
        var audience: Audience
        var message: Message
    }

    struct MemberChange: Codable {
        var verb: Feature
        var devices: [DeviceID]
    }

    struct Change: Codable {
        var verb: Feature
        var tags: [Tag]
    }

    /// A change of tags and alias together; an empty alias removes it.
    struct Update: Codable {
        var tags: Change?
        var removed: [Tag]
        var alias: String?
    }

    struct AccountChange: Codable {
        var verb: Feature
        var accounts: [Account]
    }

    struct AttributeChange: Codable {
        var verb: Feature
        var attributes: [String: String]
    }

    struct Receipt: Codable {
        var id: String?
        var skipped: [String]

        var value: SendReceipt { SendReceipt(messageID: id.map { MessageID($0) }, invalidTargets: skipped) }
    }

    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(value))
    }

    static func body(_ value: some Encodable) throws(PushError) -> WireBody {
        do {
            return .json(try bytes(value))
        } catch {
            throw PushError(.invalidArgument, "the body cannot be encoded as JSON: \(JSONValue.reason(for: error))")
        }
    }
}

/// An error of the memory vendor.
struct MemoryRefusal: Error, Codable {
    enum Code: Int, CaseIterable {
        case malformed = 1
        case unknownDevice = 2
        case throttled = 3
        case unauthorized = 4
        case failure = 5
        case stale = 6
        case nobody = 7
        case unknownKey = 8
        case unknownSchedule = 9
        /// Refused before anything was done, although the status says that the server failed.
        case crowded = 10
        /// No more messages before midnight of the vendor's calendar.
        case usedUp = 11
    }

    var code: Int
    var message: String

    init(_ code: Code) {
        self.code = code.rawValue
        message = code.advice
    }
}

extension MemoryRefusal.Code {
    private struct Row {
        var status: Int
        var kind: PushError.Kind
        var retry: PushError.Retry = .never
        var advice: String
    }

    private var row: Row {
        switch self {
        case .malformed: Row(status: 400, kind: .invalidArgument, advice: "the request cannot be read")
        case .unknownDevice: Row(status: 404, kind: .noTarget, advice: "the device does not exist")
        case .throttled: Row(status: 429, kind: .rateLimited, retry: .backoff, advice: "too many calls")
        case .unauthorized: Row(status: 401, kind: .unauthorized, advice: "the key is wrong")
        case .failure: Row(status: 500, kind: .server, retry: .backoff, advice: "the vendor had an internal error")
        case .stale: Row(status: 403, kind: .unauthorized, advice: "the request is older than five minutes")
        case .nobody: Row(status: 400, kind: .noTarget, advice: "no device matches the audience")
        case .unknownSchedule: Row(status: 404, kind: .invalidState, advice: "the schedule does not exist")
        case .crowded: Row(status: 503, kind: .rateLimited, retry: .backoff, advice: "too many calls of all apps")
        case .usedUp: Row(status: 403, kind: .quotaExhausted, advice: "today's messages are used up")
        case .unknownKey: Row(status: 400, kind: .invalidState, advice: "the vendor did not issue this idempotency key")
        }
    }

    var status: Int { row.status }
    var kind: PushError.Kind { row.kind }
    var retry: PushError.Retry { row.retry }
    var advice: String { row.advice }

    /// The row of the vendor's table of errors.
    var errorRow: VendorErrorRow {
        var entry = VendorErrorRow(
            code: VendorCode(rawValue), kind: kind, retry: retry, effect: self == .failure ? .unknown : .notApplied,
            advice: advice, source: MemoryLimits.source)
        if self == .crowded { entry.certainStatus = status }
        if self == .usedUp { entry.usedUpBy = .china }
        return entry
    }
}

extension SimulatedResponse {
    init(memory value: some Encodable, status: Int = 200) {
        self.init(
            status: status, headers: [.contentType: "application/json"], body: (try? MemoryWire.bytes(value)) ?? [])
    }

    init(_ refusal: MemoryRefusal) {
        let status = MemoryRefusal.Code(rawValue: refusal.code)?.status ?? 400
        self.init(memory: refusal, status: status)
    }
}

extension MemoryProvider {
    func request(
        _ method: HTTPRequest.Method, _ device: DeviceID, _ rest: [PathSegment], _ body: WireBody = .none
    ) -> WireRequest {
        WireRequest(method, .memory, path: ["devices", .value(device.rawValue)] + rest, body: body)
    }

    /// One call, charged to the only quota.
    func exchange<Output>(
        _ operation: Feature, _ request: WireRequest, _ idempotency: Idempotency = .idempotent,
        of device: DeviceID? = nil, checking inputs: [Input] = [],
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) -> Exchange<Output> {
        Exchange(
            operation, request, inputs: inputs + (device.map { [.devices([$0])] } ?? []), idempotency: idempotency,
            charges: [QuotaCharge(.memory)], subject: device.map(Subject.device), decode: decode)
    }

    /// A write returns `[]`; anything else did not come from the vendor.
    static func acknowledge(_ response: WireResponse) throws(PushError) { _ = try response.json([String].self) }
}
